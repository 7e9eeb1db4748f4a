// The sessions of one folder that are in use, each in memory once. Knows no scopes: only SessionManager asks it.
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { withLabels } from "../../lib/labels.ts";
import type { Log } from "../../lib/log.ts";
import type { Message } from "../../llm/types.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { Session } from "./session.ts";
import { toArchiveName, toFileName, toHashedStem, toStem } from "./session-name.ts";

/** Of what is held of files; in memory it takes a few times as much. Many are kept only while they are short. */
const mostCached = { few: 128, bytesOfFew: 16 * 1024 * 1024, many: 2_048, bytesOfMany: 8 * 1024 * 1024 };

export class OpenSessions {
  readonly #folder: string;
  readonly #home: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lock = new KeyedLock();
  /** The most recently used, oldest first, with the size that each had then. */
  readonly #cache = new Map<string, { session: Session; bytes: number }>();
  #cachedBytes = 0;
  /** Every session that a caller may still hold, so that no second object writes to its file. */
  readonly #alive = new Map<string, WeakRef<Session>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    if (this.#alive.get(key)?.deref() === undefined) this.#alive.delete(key);
  });

  /** `home`: what the paths in sessions are relative to. */
  constructor(folder: string, home: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#home = home;
    this.#clock = clock;
    this.#log = log;
  }

  open(key: string): Promise<Session> {
    return this.exclusively(key, async (session) => session);
  }

  /** One after the other for a key, so that what was found of it holds. */
  async exclusively<T>(key: string, work: (session: Session) => Promise<T>): Promise<T> {
    if (key === "") throw new Error("A session needs a key, such as cli:direct.");
    return this.#lock.run(key, async () => work(await this.#open(key.toWellFormed())));
  }

  /** Another reader of a file that nothing is written to any more; undefined where there is none. */
  async readClosed(key: string, path: string): Promise<Session | undefined> {
    const isThere = (await lstat(path).catch(ignoreMissing)) !== undefined;
    return isThere ? this.#readFile(key, path) : undefined;
  }

  /** A conversation that is gone with its turn, begun with what was said before. */
  async openUnkept(key: string, said: readonly Message[]): Promise<Session> {
    const session = new Session({ key, clock: this.#clock, log: this.#log });
    const entries = said.map((message, index) => {
      // What the tools of another program have found may come from anywhere.
      const extra = withLabels(message.role === "tool" ? ["caller"] : []);
      return { id: `said-${index}`, turn: `said-${index}`, message, extra };
    });
    await session.append(entries);
    return session;
  }

  /** Its file gets a name with the time, which `onChosen` gets before. Its new path; undefined without a file. */
  async close(session: Session, onChosen?: (path: string) => Promise<void>): Promise<string | undefined> {
    this.#forget(session.key);
    const wasThere = await session.archive(async (path) => {
      const chosen = await this.#chooseArchivePath(path);
      await onChosen?.(chosen);
      return chosen;
    });
    return wasThere ? session.path : undefined;
  }

  async #open(key: string): Promise<Session> {
    const known = this.#alive.get(key)?.deref();
    if (known !== undefined) await known.refresh();
    const session = known ?? (await this.#load(key));
    this.#remember(session);
    return session;
  }

  async #load(key: string): Promise<Session> {
    const session = await this.#read(key, toStem(key));
    const { storedKey = key } = session;
    const isOthers = storedKey !== key && toStem(storedKey).toLowerCase() === toStem(key).toLowerCase();
    // On a disk that ignores case two keys may share a name: the second one gets the name that is free of case.
    return isOthers ? this.#read(key, toHashedStem(key)) : session;
  }

  async #read(key: string, stem: string): Promise<Session> {
    return this.#readFile(key, join(this.#folder, toFileName(stem)));
  }

  #remember(session: Session): void {
    const { key, heldBytes: bytes } = session;
    if (this.#alive.get(key)?.deref() !== session) {
      this.#alive.set(key, new WeakRef(session));
      this.#collected.register(session, key);
    }
    this.#drop(key);
    this.#cache.set(key, { session, bytes });
    this.#cachedBytes += bytes;
    for (const oldest of this.#cache.keys()) {
      const { few, bytesOfFew, many, bytesOfMany } = mostCached;
      const { size } = this.#cache;
      const mostBytes = size > few ? bytesOfMany : bytesOfFew;
      if ((size <= many && this.#cachedBytes <= mostBytes) || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#cachedBytes -= this.#cache.get(key)?.bytes ?? 0;
    this.#cache.delete(key);
  }

  async #chooseArchivePath(path: string): Promise<string> {
    const at = this.#clock.now();
    for (let number = 1; ; number++) {
      const name = toArchiveName(basename(path, toFileName("")), at, number);
      const chosen = join(this.#folder, name);
      if ((await lstat(chosen).catch(ignoreMissing)) === undefined) return chosen;
    }
  }

  #forget(key: string): void {
    this.#drop(key);
    this.#alive.delete(key);
  }

  async #readFile(key: string, path: string): Promise<Session> {
    const session = new Session({ key, path, home: this.#home, clock: this.#clock, log: this.#log });
    await session.refresh();
    return session;
  }
}
