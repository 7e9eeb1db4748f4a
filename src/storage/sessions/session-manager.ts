// SessionManager: the sessions of one workspace by key. Keeps those in use in memory, never twice.
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { withLabels } from "../../lib/labels.ts";
import type { Log } from "../../lib/log.ts";
import type { Message } from "../../llm/types.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { toSessionFileError } from "../files/stored-file-error.ts";
import type { HomeLock } from "../home-lock.ts";
import { migrateSessions } from "./migration.ts";
import { placeSessions } from "./placement.ts";
import { Session } from "./session.ts";
import { listSessions, type SessionSummary } from "./session-list.ts";
import { toArchiveName, toFileName, toHashedStem, toStem } from "./session-name.ts";

export interface SessionManagerOptions {
  /** `<home>/sessions`: a folder for each workspace; once it held the files themselves. */
  root: string;
  workspace: string;
  clock: Clock;
  log: Log;
  /** Held while sessions of older places are taken over: two processes that start at once do not take the same ones. */
  lock?: HomeLock;
}

/** Of what is held of files; in memory it takes a few times as much. Many are kept only while they are short. */
const mostCached = { few: 128, bytesOfFew: 16 * 1024 * 1024, many: 2_048, bytesOfMany: 8 * 1024 * 1024 };

export class SessionManager {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lock = new KeyedLock();
  /** The most recently used, oldest first, with the size that each had then. */
  readonly #cache = new Map<string, { session: Session; bytes: number }>();
  #cachedBytes = 0;
  /** Every session that somebody may still hold, so that no second object writes to its file. */
  readonly #alive = new Map<string, WeakRef<Session>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    if (this.#alive.get(key)?.deref() === undefined) this.#alive.delete(key);
  });

  /** Settles where the sessions of the workspace lie, and takes over those of older places. */
  static async open(options: SessionManagerOptions): Promise<SessionManager> {
    try {
      const folder = await placeSessions(options);
      await migrateSessions({ ...options, folder });
      return new SessionManager(folder, options.clock, options.log);
    } catch (error) {
      throw toSessionFileError(error, "write", options.root);
    }
  }

  private constructor(folder: string, clock: Clock, log: Log) {
    this.folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  /** The session with what other processes did to it meanwhile. Its file appears with the first message. */
  async open(key: string): Promise<Session> {
    if (key === "") throw new Error("A session needs a key, such as cli:direct.");
    return this.#lock.run(key, () => this.#open(key.toWellFormed()));
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

  /**
   * Ends a conversation: its file is kept under a name with the time, and the next `open` begins a new one. `onChosen` is
   * told that path before the file lies there.
   */
  close(key: string, onChosen?: (path: string) => Promise<void>): Promise<string | undefined> {
    return this.#lock.run(key, async () => {
      const session = await this.#open(key.toWellFormed());
      this.#forget(session.key);
      const wasThere = await session.archive(async (path) => {
        const chosen = await this.#chooseArchivePath(path);
        await onChosen?.(chosen);
        return chosen;
      });
      return wasThere ? session.path : undefined;
    });
  }

  /** Most recent first. Reads only the beginning of each file. */
  list(options: { archived?: boolean } = {}): Promise<SessionSummary[]> {
    return listSessions(this.folder, options);
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
    const path = join(this.folder, toFileName(stem));
    const session = new Session({ key, path, clock: this.#clock, log: this.#log });
    await session.refresh();
    return session;
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
      const chosen = join(this.folder, name);
      if ((await lstat(chosen).catch(ignoreMissing)) === undefined) return chosen;
    }
  }

  #forget(key: string): void {
    this.#drop(key);
    this.#alive.delete(key);
  }
}
