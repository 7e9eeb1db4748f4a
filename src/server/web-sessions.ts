// Browsers that were admitted, in run/web-sessions.json: who uses them, and when last. Of the secret in a browser's
// cookie only the hash is kept, so that the file admits nobody.
import { createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import { readJsonFile } from "../lib/json-file.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { Viewer } from "./protocol.ts";

const hour = 3_600_000;
const unusedMs = 30 * 24 * hour;
const mostSessions = 100;

const sessionSchema = z.object({
  hash: z.string(),
  person: z.string(),
  role: z.enum(["owner", "guest"]),
  usedAt: z.number(),
  /** The name that it was given under: what leaks on this machine is not good from elsewhere. */
  host: z.string().optional(),
});
const fileSchema = z.object({ sessions: z.array(sessionSchema) });

type WebSession = z.infer<typeof sessionSchema>;

export class WebSessions {
  readonly #path: string;
  readonly #clock: Pick<Clock, "now">;
  readonly #lock = new KeyedLock();
  #sessions: Promise<Map<string, WebSession>> | undefined;

  constructor(path: string, clock: Pick<Clock, "now">) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The secret of a new one. The one that was unused for longest makes room. */
  async start({ person, role }: Viewer, host?: string): Promise<string> {
    const sessions = await this.#open();
    const secret = createSecret();
    const hash = hashSecret(secret);
    sessions.set(hash, { hash, person, role, usedAt: this.#clock.now(), ...(host && { host }) });
    const byUse = [...sessions.values()].sort((a, b) => b.usedAt - a.usedAt);
    for (const unused of byUse.slice(mostSessions)) sessions.delete(unused.hash);
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
    this.#sessions ??= this.#read();
    return this.#sessions;
  }

  /** A file that is no longer readable admits nobody; a new link does. */
  async #read(): Promise<Map<string, WebSession>> {
    const file = await readJsonFile(this.#path);
    const known = file.state === "read" ? fileSchema.safeParse(file.value).data : undefined;
    return new Map((known?.sessions ?? []).map((session) => [session.hash, session]));
  }

  #write(sessions: Map<string, WebSession>): Promise<void> {
    return this.#lock.run("", () => {
      const used = [...sessions.values()].filter(({ usedAt }) => this.#clock.now() - usedAt <= unusedMs);
      const text = `${JSON.stringify({ sessions: used })}\n`;
      return writeFileAtomic(this.#path, text, { mode: 0o600, forceMode: true });
    });
  }
}

/** As long as a guess would take for ever. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
