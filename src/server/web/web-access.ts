// Who may use the page and its socket: a client with the gateway's token, or with a cookie that was given for a
// one-time token or for the key of the API.

import * as z from "zod";
import type { ApiTokens } from "../../api/gateway/tokens.ts";
import type { Clock } from "../../lib/clock.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { createSecret, hashSecret, isToken, readBearer } from "../../lib/network/token.ts";
import { StateFile, splitRows } from "../../storage/files/state-file.ts";
import type { ReadHeader } from "../http/host-check.ts";
import type { Viewer } from "../protocol.ts";

export interface WebAccessOptions {
  sessions: WebSessions;
  tokens: Pick<ApiTokens, "findOperations">;
  clock: Pick<Clock, "now">;
  /** Of the gateway, for other commands of the same home. */
  controlToken: string;
  /** "" for none. */
  apiKey: string;
  /** Of its cookies; absent: by the port. */
  cookieName?: string;
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
/** Each is a line in the terminal. */
const mostAsked = 3;
const owner: Viewer = { person: "owner", role: "owner" };

export class WebAccess {
  readonly #options: WebAccessOptions;
  /** One-time tokens by their hash. */
  readonly #tokens = new Map<string, { viewer: Viewer; until: number }>();
  readonly #listeners = new Set<(leaving: Leaving) => void>();
  #failures: number[] = [];
  #asked: number[] = [];

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

  /** Whether a browser that is not signed in may ask for a link in the terminal now. */
  mayAskForLink(): boolean {
    const now = this.#options.clock.now();
    this.#asked = this.#asked.filter((at) => Math.abs(now - at) < failuresMs);
    if (this.#asked.length >= mostAsked) return false;
    this.#asked.push(now);
    return true;
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

  /** All browsers of a person, or of everyone, with links that were not used yet; how many browsers there were. */
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

  /** Cookies know no ports: gateways on one machine have each their own. */
  cookieName(port: number): string {
    return this.#options.cookieName ?? `nanobot-${port}`;
  }

  readCookie(read: ReadHeader, port: number): string | undefined {
    const start = `${this.cookieName(port)}=`;
    const pairs = (read("cookie") ?? "").split(";").map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
  }

  /**
   * Of a request to this port. A cookie counts only where no foreign page can have sent it; where something can
   * be changed, the page has to be named (and was checked with every visitor).
   */
  async admit(read: ReadHeader, port: number, { needsPage = false } = {}): Promise<Viewer | undefined> {
    const { sessions } = this.#options;
    if (this.isProgram(read)) return owner;
    const secret = this.readCookie(read, port);
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

const hour = 3_600_000;
const unusedMs = 30 * 24 * hour;
const mostSessions = 100;

const sessionSchema = z.looseObject({
  hash: z.string(),
  person: z.string(),
  role: z.enum(["owner", "guest"]),
  usedAt: z.number(),
  /** The name that it was given under: what leaks on this machine is not good from elsewhere. */
  host: z.string().optional(),
});

type WebSession = z.infer<typeof sessionSchema>;

export class WebSessions {
  readonly #file: StateFile;
  readonly #clock: Pick<Clock, "now">;
  readonly #lock = new KeyedLock();
  #sessions: Promise<Map<string, WebSession>> | undefined;
  #foreign: { keys: JsonObject; rows: unknown[] } = { keys: {}, rows: [] };

  constructor(path: string, clock: Pick<Clock, "now">) {
    this.#file = new StateFile(path, { findFault });
    this.#clock = clock;
  }

  /** The secret of a new one. The one that was unused for longest makes room. */
  async start({ person, role }: Viewer, host?: string): Promise<string> {
    const sessions = await this.#open();
    const secret = createSecret();
    const hash = hashSecret(secret);
    // Sorted before it is added: where the clock was set back, the new one would pass for the oldest.
    const byUse = [...sessions.values()].sort((a, b) => b.usedAt - a.usedAt);
    for (const unused of byUse.slice(mostSessions - 1)) sessions.delete(unused.hash);
    sessions.set(hash, { hash, person, role, usedAt: this.#clock.now(), ...(host && { host }) });
    await this.#write(sessions);
    return secret;
  }

  async find(secret: string, host?: string): Promise<Viewer | undefined> {
    const sessions = await this.#open();
    const session = sessions.get(hashSecret(secret));
    const now = this.#clock.now();
    if (session === undefined || now - session.usedAt > unusedMs) return undefined;
    if (session.host !== undefined && session.host !== host) return undefined;
    // Written now and then only: a lost hour shortens thirty days by an hour.
    const isStale = Math.abs(now - session.usedAt) > hour;
    if (isStale) {
      session.usedAt = now;
      await this.#write(sessions);
    }
    const { person, role, hash } = session;
    // It may have ended meanwhile.
    return sessions.has(hash) ? { person, role } : undefined;
  }

  async end(secret: string): Promise<void> {
    const sessions = await this.#open();
    if (sessions.delete(hashSecret(secret))) await this.#write(sessions);
  }

  /** Of one person, or of everyone; how many there were. */
  async endAll(person?: string): Promise<number> {
    const sessions = await this.#open();
    const theirs = [...sessions.values()].filter((one) => person === undefined || one.person === person);
    for (const { hash } of theirs) sessions.delete(hash);
    await this.#write(sessions);
    return theirs.length;
  }

  #open(): Promise<Map<string, WebSession>> {
    this.#sessions ??= this.#read().catch((error) => {
      // Not readable for now: the next caller tries again.
      this.#sessions = undefined;
      throw error;
    });
    return this.#sessions;
  }

  /** What is damaged admits nobody; a new link does. */
  async #read(): Promise<Map<string, WebSession>> {
    const { sessions, ...keys } = (await this.#file.read()).value ?? {};
    const { known, foreign } = splitRows(sessions, (row) => sessionSchema.safeParse(row).data);
    this.#foreign = { keys, rows: foreign };
    return new Map(known.map((session) => [session.hash, session]));
  }

  #write(sessions: Map<string, WebSession>): Promise<void> {
    return this.#lock.run("", () => {
      const used = [...sessions.values()].filter(({ usedAt }) => this.#clock.now() - usedAt <= unusedMs);
      const { keys, rows } = this.#foreign;
      return this.#file.write({ ...keys, sessions: [...rows.slice(-mostSessions), ...used] });
    });
  }
}

function findFault({ sessions }: JsonObject): string | undefined {
  return Array.isArray(sessions) ? undefined : "must hold its sessions as a list, in [ ]";
}
