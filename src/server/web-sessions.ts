// Browsers that were admitted, in run/web-sessions.json: who uses them, and when last. Of the secret in a browser's
// cookie only the hash is kept, so that the file admits nobody.
import { createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import type { JsonObject } from "../lib/json-tree.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../storage/files/state-file.ts";
import type { Viewer } from "./protocol.ts";

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

  /** Of one person, or of everybody; how many there were. */
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

/** As long as a guess would take for ever. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
