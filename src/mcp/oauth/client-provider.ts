// The library's view of our client: who we are, and a row that it changes in memory. The caller stores the row.
import type { OAuthClientProvider, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import type { McpServerConfig } from "../config.ts";
import { ServerError } from "../problem.ts";
import { type SignInRow, toTokens } from "./sign-in-row.ts";

type Library = typeof import("@modelcontextprotocol/client");

interface ProviderOptions {
  config: McpServerConfig;
  row: SignInRow;
  library: Library;
  now(): number;
  /** Of a sign-in in a browser; absent: as a client, without a person. */
  browser?: { redirectUrl: string; state: string };
}

export interface ClientProvider extends OAuthClientProvider {
  /** As it is now. */
  readonly row: SignInRow;
  /** Where the person has to go. */
  readonly address: URL | undefined;
}

/** The client of the config belongs to the first issuer that it was used with; a registered one to its redirect address. */
export function toClientInformation(
  { clientId, clientSecret }: McpServerConfig,
  row: SignInRow,
  issuer: string,
): StoredOAuthClientInformation | undefined {
  if (clientId === undefined) return row.client;
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    issuer: row.issuer ?? issuer,
  };
}

export function createClientProvider({
  config,
  row: before,
  library,
  now,
  browser,
}: ProviderOptions): ClientProvider {
  let row = before;
  let address: URL | undefined;
  let verifier = "";
  const isInteractive = browser !== undefined;
  const isOurs = (client: SignInRow["redirectUrl"]) => client === browser?.redirectUrl;
  const scope = config.scopes.join(" ");
  return {
    get row() {
      return row;
    },
    get address() {
      return address;
    },
    redirectUrl: browser?.redirectUrl,
    ...(config.clientMetadataUrl !== undefined && { clientMetadataUrl: config.clientMetadataUrl }),
    clientMetadata: {
      client_name: "nanobot",
      redirect_uris: browser === undefined ? [] : [browser.redirectUrl],
      grant_types: isInteractive ? ["authorization_code", "refresh_token"] : ["client_credentials"],
      ...(isInteractive && { response_types: ["code"], token_endpoint_auth_method: "none" }),
      ...(scope !== "" && { scope }),
    },
    state: () => browser?.state ?? "",
    clientInformation(context) {
      if (config.clientId !== undefined) return toClientInformation(config, row, context?.issuer ?? "");
      return isOurs(row.redirectUrl) ? row.client : undefined;
    },
    ...(config.clientId === undefined && {
      saveClientInformation(client: StoredOAuthClientInformation) {
        row = { ...row, client, redirectUrl: browser?.redirectUrl };
      },
    }),
    // Each sign-in is a new one.
    tokens: () => undefined,
    saveTokens(tokens) {
      const { issuer } = tokens;
      row = { ...row, tokens: toTokens(tokens, now()), issuer, challenge: undefined, pending: undefined };
    },
    redirectToAuthorization(url) {
      if (!isSafeToOpen(url)) throw new ServerError({ kind: "sign-in-blocked" });
      address = url;
    },
    saveCodeVerifier(value) {
      verifier = value;
      const { discovery } = row;
      if (browser === undefined || discovery === undefined) return;
      row = { ...row, pending: { ...browser, verifier, discovery, startedAt: now() } };
    },
    codeVerifier: () => row.pending?.verifier ?? verifier,
    saveDiscoveryState(discovery) {
      row = { ...row, discovery };
    },
    // Found again for each sign-in; while one is under way, the one that it began with.
    discoveryState: () => row.pending?.discovery,
    ...(!isInteractive && {
      prepareTokenRequest(wanted?: string) {
        const params = new URLSearchParams({ grant_type: "client_credentials" });
        if (wanted) params.set("scope", wanted);
        return params;
      },
    }),
    ...(config.clientId !== undefined &&
      config.clientKey !== undefined && {
        addClientAuthentication: library.createPrivateKeyJwtAuth({
          issuer: config.clientId,
          subject: config.clientId,
          privateKey: config.clientKey,
          alg: config.clientKeyAlgorithm,
        }),
      }),
  };
}

/** A browser is only sent to pages: over https, or on this machine. */
function isSafeToOpen({ protocol, hostname, username }: URL): boolean {
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return username === "" && (protocol === "https:" || (protocol === "http:" && isLocal));
}
