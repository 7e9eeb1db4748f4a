// The token of one server while it is used: read for each request, renewed before it expires or when it is refused, once for
// all processes. Signs nobody in: where only a person can go on, it says so.
import type { AuthProvider } from "@modelcontextprotocol/client";
import { BlockedAddressError, FetchError } from "../../lib/network/guarded-fetch.ts";
import type { ServerSignIns } from "../../storage/grants/server-sign-ins.ts";
import type { McpServerConfig } from "../config.ts";
import { ServerError } from "../problem.ts";
import type { AuthFetch } from "./auth-fetch.ts";
import { createClientProvider, toClientInformation } from "./client-provider.ts";
import { readSignInRow, type SignInRow, type Tokens, toStoredRow, toTokens } from "./sign-in-row.ts";

type Library = typeof import("@modelcontextprotocol/client");

export interface ServerAuthOptions {
  name: string;
  url: URL;
  config: McpServerConfig;
  signIns: ServerSignIns;
  fetch: AuthFetch;
  library: Library;
  now(): number;
  /** Gets each token before it is sent, so that no text ever shows it. */
  onSecret(secret: string): void;
}

/** Renewed so long before it expires. */
const marginMs = 60_000;

/** Whether a server may ask to be signed in to: not where a token is configured. */
export function mayUseOAuth({ auth, headers }: McpServerConfig): boolean {
  return auth !== undefined || !Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

export class ServerAuth implements AuthProvider {
  readonly #options: ServerAuthOptions;
  #used?: string;

  constructor(options: ServerAuthOptions) {
    this.#options = options;
  }

  async token(): Promise<string | undefined> {
    const { tokens } = readSignInRow(await this.#options.signIns.find(this.#server));
    const current = tokens === undefined || !this.#isExpiring(tokens) ? tokens : await this.#renew(tokens);
    this.#used = current?.access_token;
    if (current !== undefined) this.#hide(current);
    return current?.access_token;
  }

  /** Rejects with a ServerError where a person has to sign in. */
  async onUnauthorized({ response }: { response: Response }): Promise<void> {
    const { resourceMetadataUrl, scope } = this.#options.library.extractWWWAuthenticateParams(response);
    const used = this.#used;
    const row = await this.#change(async (before) => {
      const { tokens } = before;
      // Another process was faster.
      if (tokens !== undefined && tokens.access_token !== used) return before;
      const challenge = { scope, ...(resourceMetadataUrl && { metadataUrl: resourceMetadataUrl.href }) };
      return (await this.#obtain({ ...before, challenge })) ?? { ...before, tokens: undefined, challenge };
    });
    if (row.tokens === undefined) throw new ServerError({ kind: "sign-in", server: this.#options.name });
  }

  /** The token is good, but not for this. */
  async needsScope(scope: string | undefined): Promise<ServerError> {
    const { config, library } = this.#options;
    const row = await this.#change(async (before) => {
      const wanted = library.computeScopeUnion(before.tokens?.scope, before.challenge?.scope, scope);
      const challenge = { ...before.challenge, scope: wanted };
      return config.auth === "clientCredentials" ? before : { ...before, challenge };
    });
    return new ServerError({
      kind: "more-rights",
      server: this.#options.name,
      scope: row.challenge?.scope ?? "",
    });
  }

  get #server() {
    return { name: this.#options.name, url: this.#options.url.href };
  }

  #isExpiring({ expiresAt = Number.POSITIVE_INFINITY }: Tokens): boolean {
    return expiresAt - marginMs < this.#options.now();
  }

  /** The same token where it cannot be renewed: the server decides whether it still counts. */
  async #renew(old: Tokens): Promise<Tokens | undefined> {
    const row = await this.#change(async (before) => {
      if (before.tokens?.access_token !== old.access_token) return before;
      return (await this.#obtain(before)) ?? before;
    });
    return row.tokens;
  }

  async #change(work: (row: SignInRow) => Promise<SignInRow>): Promise<SignInRow> {
    const changed = await this.#options.signIns.change(this.#server, async (stored) => {
      const before = readSignInRow(stored);
      const after = await work(before);
      return after === before && stored !== undefined ? stored : toStoredRow(after);
    });
    return readSignInRow(changed);
  }

  /** With new tokens; undefined where there is no way to get any without a person. */
  async #obtain(row: SignInRow): Promise<SignInRow | undefined> {
    const { config, library } = this.#options;
    try {
      return config.auth === "clientCredentials" ? await this.#askAsClient(row) : await this.#refresh(row);
    } catch (error) {
      if (error instanceof library.OAuthError && config.auth !== "clientCredentials") return undefined;
      throw toSignInError(error, library);
    }
  }

  async #refresh(row: SignInRow): Promise<SignInRow | undefined> {
    const { library, url, fetch, config, now } = this.#options;
    const { tokens } = row;
    if (tokens?.refresh_token === undefined) return undefined;
    const discovery = row.discovery ?? (await library.discoverOAuthServerInfo(url, { fetchFn: fetch }));
    const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
    // A token is renewed by the server that gave it, or not at all.
    if (tokens.issuer !== undefined && tokens.issuer !== issuer) return undefined;
    const client = toClientInformation(config, row, issuer);
    if (client === undefined) return undefined;
    const answer = await library.refreshAuthorization(discovery.authorizationServerUrl, {
      metadata: discovery.authorizationServerMetadata,
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(discovery.resourceMetadata && { resource: new URL(discovery.resourceMetadata.resource) }),
      fetchFn: fetch,
    });
    return { ...row, discovery, tokens: { ...toTokens(answer, now(), tokens), issuer } };
  }

  /** Client credentials: a new token whenever one is needed. */
  async #askAsClient(row: SignInRow): Promise<SignInRow> {
    const { library, url, fetch, config, now } = this.#options;
    const provider = createClientProvider({ config, row, library, now });
    await library.auth(provider, {
      serverUrl: url,
      fetchFn: fetch,
      scope: config.scopes.join(" ") || row.challenge?.scope,
      ...(row.challenge?.metadataUrl && { resourceMetadataUrl: new URL(row.challenge.metadataUrl) }),
    });
    return provider.row;
  }

  #hide({ access_token, refresh_token }: Tokens): void {
    this.#options.onSecret(access_token);
    if (refresh_token !== undefined) this.#options.onSecret(refresh_token);
  }
}

/** What went wrong while tokens were asked for, without the words of the server that gives them. */
export function toSignInError(error: unknown, library: Library): ServerError {
  if (error instanceof ServerError) return error;
  if (error instanceof BlockedAddressError) return new ServerError({ kind: "sign-in-blocked" });
  if (error instanceof FetchError) return new ServerError({ kind: "sign-in-unreachable" });
  const reason = error instanceof library.OAuthError ? error.code : error instanceof Error ? error.name : "";
  return new ServerError({ kind: "sign-in-failed", reason: reason.replaceAll(/[^\w.-]/g, "").slice(0, 60) });
}
