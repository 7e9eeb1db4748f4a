// Who may use the page and its socket: whoever shows the gateway's own token, or has a cookie that was given for a
// one-time token or for the key of the API.
import type { Clock } from "../lib/clock.ts";
import type { ApiTokens } from "./api-tokens.ts";
import type { Viewer } from "./protocol.ts";
import { isToken, readBearer } from "./token.ts";
import type { ReadHeader } from "./visitor.ts";
import { createSecret, hashSecret, type WebSessions } from "./web-sessions.ts";

export interface WebAccessOptions {
  sessions: WebSessions;
  tokens: Pick<ApiTokens, "findOperations">;
  clock: Pick<Clock, "now">;
  /** Of the gateway, for other commands of the same home. */
  controlToken: string;
  /** "" for none. */
  apiKey: string;
}

/** Which cookies are no longer good: one, those of a person, or all. */
export interface Leaving {
  secret?: string;
  person?: string;
}

/** `other-person`: the token is good, but is a guest's, and this browser is signed in as another person. */
export type Entry = { secret: string; viewer: Viewer } | "wrong" | "too-often" | "other-person";

const validMs = 600_000;
const mostTokens = 100;
const mostFailures = 10;
const failuresMs = 60_000;
const owner: Viewer = { person: "owner", role: "owner" };

export class WebAccess {
  readonly #options: WebAccessOptions;
  /** One-time tokens by their hash. */
  readonly #tokens = new Map<string, { viewer: Viewer; until: number }>();
  readonly #listeners = new Set<(leaving: Leaving) => void>();
  #failures: number[] = [];

  constructor(options: WebAccessOptions) {
    this.#options = options;
  }

  createToken(viewer: Viewer): { token: string; expiresAt: number } {
    const token = createSecret();
    const expiresAt = this.#options.clock.now() + validMs;
    this.#tokens.set(hashSecret(token), { viewer, until: expiresAt });
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > mostTokens && oldest !== undefined) this.#tokens.delete(oldest);
    return { token, expiresAt };
  }

  /** Tokens cannot be guessed and are always looked at; a key that people chose only as often as people try. */
  async enter(given: string, host?: string, present?: Viewer): Promise<Entry> {
    const { sessions, apiKey, clock } = this.#options;
    const viewer = this.#find(given);
    // A guest's link must not sign in a browser as that guest unnoticed when it is signed in as another person.
    if (present !== undefined && viewer?.role === "guest" && viewer.person !== present.person)
      return "other-person";
    this.#tokens.delete(hashSecret(given));
    if (viewer !== undefined) return { secret: await sessions.start(viewer, host), viewer };
    this.#failures = this.#failures.filter((at) => Math.abs(clock.now() - at) < failuresMs);
    if (this.#failures.length >= mostFailures) return "too-often";
    if (isToken(given, apiKey)) return { secret: await sessions.start(owner, host), viewer: owner };
    this.#failures.push(clock.now());
    return "wrong";
  }

  #find(token: string): Viewer | undefined {
    const known = this.#tokens.get(hashSecret(token));
    const left = (known?.until ?? 0) - this.#options.clock.now();
    // More is left than it was given: the clock was set back.
    return left >= 0 && left <= validMs ? known?.viewer : undefined;
  }

  async leave(secret: string): Promise<void> {
    await this.#options.sessions.end(secret);
    for (const listener of this.#listeners) listener({ secret });
  }

  /** All browsers of a person, or of everybody, with links that were not used yet; how many browsers there were. */
  async signOut(person?: string): Promise<number> {
    for (const [hash, { viewer }] of this.#tokens)
      if (person === undefined || viewer.person === person) this.#tokens.delete(hash);
    const ended = await this.#options.sessions.endAll(person);
    for (const listener of this.#listeners) listener(person === undefined ? {} : { person });
    return ended;
  }

  onLeave(listener: (leaving: Leaving) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the gateway's own token: another process of this home. */
  isProgram(read: ReadHeader): boolean {
    return isToken(readBearer(read("authorization")), this.#options.controlToken);
  }

  /** Shows a token that names the operations it may call. It cannot be guessed, and is always looked at. */
  async admitNamed(read: ReadHeader): Promise<(Viewer & { operations: readonly string[] }) | undefined> {
    const token = readBearer(read("authorization"));
    const operations = token && (await this.#options.tokens.findOperations(token));
    return operations ? { ...owner, operations } : undefined;
  }

  /**
   * Of a request to this port. A cookie counts only where no page of somebody else can have sent it; where something can
   * be changed, the page has to be named (and was checked with every visitor).
   */
  async admit(read: ReadHeader, port: number, { needsPage = false } = {}): Promise<Viewer | undefined> {
    const { sessions } = this.#options;
    if (this.isProgram(read)) return owner;
    const secret = readCookie(read("cookie"), port);
    const isNamed = (read("origin") ?? undefined) !== undefined;
    const isOwnPage = ["none", "same-origin"].includes(read("sec-fetch-site") ?? "none");
    return secret !== undefined && isOwnPage && (isNamed || !needsPage)
      ? sessions.find(secret, readHost(read))
      : undefined;
  }
}

/** Without the port. */
export function readHost(read: ReadHeader): string {
  return (read("host") ?? "").replace(/:\d*$/, "").toLowerCase();
}

/** Cookies know no ports: gateways on one machine have each their own. */
export function toCookieName(port: number): string {
  return `nanobot-${port}`;
}

export function readCookie(header: string | null | undefined, port: number): string | undefined {
  const start = `${toCookieName(port)}=`;
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
}
