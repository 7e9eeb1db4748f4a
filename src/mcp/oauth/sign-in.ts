// Signing in to a server in a browser, in two steps that may happen in different processes: where to go, and what came back.

import { createSecret, isToken } from "../../lib/network/token.ts";
import type { ServerId, ServerSignIns } from "../../storage/grants/server-sign-ins.ts";
import type { McpServerConfig } from "../config.ts";
import { ServerError } from "../problem.ts";
import type { AuthFetch } from "./auth-fetch.ts";
import { createClientProvider } from "./client-provider.ts";
import { toSignInError } from "./server-auth.ts";
import { readSignInRow, toStoredRow } from "./sign-in-row.ts";

export interface SignInOptions {
  name: string;
  url: URL;
  config: McpServerConfig;
  signIns: ServerSignIns;
  fetch: AuthFetch;
  now(): number;
}

/** A sign-in that was begun longer ago cannot be finished. */
const longestMs = 15 * 60_000;

/** Where the person has to go; undefined where none is needed. Rejects with a ServerError. */
export async function beginSignIn(options: SignInOptions, redirectUrl: string): Promise<string> {
  const { url, config, signIns, fetch, now } = options;
  const library = await import("@modelcontextprotocol/client");
  const asked = await probe(options, library);
  let address: URL | undefined;
  await signIns.change(toId(options), async (stored) => {
    const { pending: _, ...row } = readSignInRow(stored);
    const provider = createClientProvider({
      config,
      row,
      library,
      now,
      browser: { redirectUrl, state: createSecret() },
    });
    const challenge = row.tokens === undefined ? asked : { ...asked, ...row.challenge };
    const scope = library.computeScopeUnion(config.scopes.join(" "), challenge.scope);
    const { metadataUrl } = challenge;
    const authorize = (skipIssuerMetadataValidation: boolean) =>
      library.auth(provider, {
        serverUrl: url,
        fetchFn: fetch,
        scope,
        skipIssuerMetadataValidation,
        ...(metadataUrl !== undefined && { resourceMetadataUrl: new URL(metadataUrl) }),
      });
    try {
      await authorize(false).catch((error) => {
        if (!isWithinServer(error, url, library)) throw error;
        return authorize(true);
      });
    } catch (error) {
      throw toSignInError(error, library);
    }
    address = provider.address;
    const { pending, ...after } = provider.row;
    return toStoredRow({ ...after, ...(pending && { pending: { ...pending, scope } }) });
  });
  if (address === undefined) throw new ServerError({ kind: "sign-in-failed", reason: "no_address" });
  return address.href;
}

/** Which server an answer is for, by its state; undefined: none that was begun. */
export async function findPendingSignIn(signIns: ServerSignIns, address: URL): Promise<string | undefined> {
  const state = address.searchParams.get("state") ?? "";
  const found = await signIns.search((row) => isToken(state, readSignInRow(row).pending?.state ?? ""));
  return found?.name;
}

/** `address` is the one that the browser was sent back to. Rejects with a ServerError. */
export async function finishSignIn(options: SignInOptions, address: URL): Promise<void> {
  const { url, config, signIns, fetch, now } = options;
  const library = await import("@modelcontextprotocol/client");
  const read = (name: string) => address.searchParams.get(name) ?? undefined;
  let failure: ServerError | undefined;
  await signIns.change(toId(options), async (stored) => {
    const row = readSignInRow(stored);
    const { pending } = row;
    const isOver = pending === undefined || now() - pending.startedAt > longestMs;
    if (isOver || !isToken(read("state"), pending.state)) throw new ServerError({ kind: "sign-in-over" });
    const { redirectUrl, state, scope } = pending;
    const provider = createClientProvider({ config, row, library, now, browser: { redirectUrl, state } });
    const [code, refusal] = [read("code"), read("error")];
    try {
      if (code === undefined) throw new ServerError({ kind: "sign-in-refused", reason: toCode(refusal) });
      await library.auth(provider, {
        serverUrl: url,
        authorizationCode: code,
        iss: read("iss"),
        fetchFn: fetch,
        scope,
      });
    } catch (error) {
      failure = toSignInError(error, library);
    }
    // A code counts once, whatever came of it.
    const { pending: _, ...after } = failure === undefined ? provider.row : row;
    const granted = after.tokens;
    const tokens = granted && { ...granted, scope: granted.scope ?? scope };
    return toStoredRow({ ...after, ...(tokens && { tokens }) });
  });
  if (failure !== undefined) throw failure;
}

/** The remaining row says that nobody is signed in. */
export async function signOut(signIns: ServerSignIns, server: ServerId): Promise<boolean> {
  let wasSignedIn = false;
  await signIns.change(server, async (stored) => {
    wasSignedIn = readSignInRow(stored).tokens !== undefined;
    return {};
  });
  return wasSignedIn;
}

export async function isSignedIn(signIns: ServerSignIns, server: ServerId): Promise<boolean> {
  return readSignInRow(await signIns.find(server)).tokens !== undefined;
}

/** A server of the protocol of 2025-03-26 may be its own issuer, with a path: both are at the address that the owner wrote. */
function isWithinServer(
  error: unknown,
  { origin }: URL,
  library: typeof import("@modelcontextprotocol/client"),
): boolean {
  if (!(error instanceof library.IssuerMismatchError) || error.kind !== "metadata") return false;
  return [error.expected, error.received].every((issuer) => URL.parse(issuer ?? "")?.origin === origin);
}

function toId({ name, url }: SignInOptions): ServerId {
  return { name, url: url.href };
}

function toCode(refusal = "no_code"): string {
  return refusal.replaceAll(/[^\w.-]/g, "").slice(0, 60);
}

/** What the server says when nobody is signed in: where its metadata is, and which rights are needed. */
async function probe(
  { url, fetch }: SignInOptions,
  library: typeof import("@modelcontextprotocol/client"),
): Promise<{ scope?: string; metadataUrl?: string }> {
  const params = {
    protocolVersion: library.LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "nanobot", version: "0" },
  };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    if (response.status !== 401) return {};
    const { scope, resourceMetadataUrl } = library.extractWWWAuthenticateParams(response);
    return { scope, ...(resourceMetadataUrl && { metadataUrl: resourceMetadataUrl.href }) };
  } catch (error) {
    throw toSignInError(error, library);
  }
}
