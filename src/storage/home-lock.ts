// One writer per home: an exclusive transaction on run/lock.db, which the system frees at once when its holder dies.
// Held for a turn, not for a process; turns of one process share it. run/lock.json says who holds it and is no lock.

import {
  accessSync,
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { PhrasedError } from "../i18n/user-error.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { parseJson } from "../lib/json-tree.ts";
import { loadSqlite } from "./database/sqlite.ts";
import { isDamage } from "./database/state-schema.ts";
import { makeFolders } from "./files/make-folders.ts";
import { hasControls } from "./files/plain-file.ts";
import { HomeGoneError, refuseInGoneHome } from "./served-homes.ts";

export interface HomeLock {
  /** Waits for other processes, then throws HomeLockedError. The function that it gives back releases it, once. */
  acquire(purpose: string, signal?: AbortSignal): Promise<() => void>;
  /** Lets go of its files, when the last holder has released it. */
  close(): void;
}

export interface LockHolder {
  pid: number;
  purpose: string;
  /** When it took the lock: local time, `2026-08-01T10:00:00`. */
  since: string;
}

export class HomeLockedError extends PhrasedError {
  override readonly name = "HomeLockedError";
  override readonly phrase: Phrase;
  readonly home: string;
  readonly holder: LockHolder | undefined;

  constructor(home: string, holder: LockHolder | undefined) {
    super(`${home} is locked${holder === undefined ? "" : ` by process ${holder.pid} (${holder.purpose})`}`);
    this.home = home;
    this.holder = holder;
    this.phrase =
      holder === undefined
        ? phrase("storage.locked", { home })
        : phrase("storage.locked-by", { home, ...holder });
  }
}

export class HomeNotWritableError extends PhrasedError {
  override readonly name = "HomeNotWritableError";
  override readonly phrase: Phrase;
  readonly home: string;
  readonly code: string;

  constructor(home: string, code: string, cause: unknown) {
    super(`cannot write to ${home} (${code})`, { cause });
    this.home = home;
    this.code = code;
    this.phrase = phrase("storage.home-unwritable", { home, errno: code });
  }
}

export class LockFileError extends PhrasedError {
  override readonly name = "LockFileError";
  override readonly phrase: Phrase;
  readonly path: string;
  readonly reason: string;

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`cannot lock ${path} (${reason})`, { cause });
    this.path = path;
    this.reason = reason;
    this.phrase = phrase("storage.lock-unusable", { path, quote: reason });
  }
}

export interface HomeLockOptions {
  home: string;
  clock: Clock;
  /** Of the files in run/; another name is another lock. */
  name?: string;
  /** How long to wait for another process. */
  patienceMs?: number;
  /** Called once, when the wait is long enough to be noticed. */
  onWait?(holder: LockHolder | undefined): void;
}

const pollMs = 50;
const noticedMs = 500;
const busy = 5;

export function createHomeLock(options: HomeLockOptions): HomeLock {
  const { home, clock, name = "lock", patienceMs = 30_000, onWait } = options;
  const file = new LockFile(home, name);
  let holders = 0;
  let isClosed = false;

  function describe(purpose: string): LockHolder {
    return { pid: process.pid, purpose, since: toLocalIso(clock.now()).slice(0, 19) };
  }

  function release(): void {
    holders -= 1;
    if (holders === 0) file.release();
    if (holders === 0 && isClosed) file.close();
  }

  return {
    async acquire(purpose, signal) {
      signal?.throwIfAborted();
      const { DatabaseSync } = await loadSqlite();
      const started = clock.elapsed();
      let isReported = onWait === undefined;
      while (holders === 0 && !file.tryTake(DatabaseSync, describe(purpose))) {
        const waited = clock.elapsed() - started;
        if (waited >= patienceMs) throw new HomeLockedError(home, file.readHolder());
        if (!isReported && waited >= noticedMs) onWait?.(file.readHolder());
        isReported ||= waited >= noticedMs;
        await clock.sleep(pollMs, signal);
      }
      holders += 1;
      return once(release);
    },
    close() {
      isClosed = true;
      if (holders === 0) file.close();
    },
  };
}

/** For one piece of work: nothing of it stays open behind its release. */
export async function holdHome(
  options: HomeLockOptions,
  purpose: string,
  signal?: AbortSignal,
): Promise<() => void> {
  const lock = createHomeLock(options);
  try {
    return await lock.acquire(purpose, signal);
  } finally {
    lock.close();
  }
}

/** Both files stay open between turns: taking and releasing costs a few system calls. */
interface OpenLock {
  database: DatabaseSync;
  /** Undefined where it cannot be written: it only informs. */
  holderFile: number | undefined;
  inode: number;
}

class LockFile {
  readonly #home: string;
  readonly #databasePath: string;
  readonly #holderPath: string;
  #open: OpenLock | undefined;

  constructor(home: string, name: string) {
    this.#home = home;
    this.#databasePath = join(home, "run", `${name}.db`);
    this.#holderPath = join(home, "run", `${name}.json`);
  }

  /** False while another process holds it. Never waits. */
  tryTake(Database: typeof DatabaseSync, holder: LockHolder): boolean {
    if (!this.#lock(Database)) return false;
    this.#inform(JSON.stringify(holder));
    return true;
  }

  #lock(Database: typeof DatabaseSync, isSecond = false): boolean {
    try {
      // Its journal in memory: nothing is ever written, so that a full disk locks nobody out.
      this.#reopen(Database).database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      if ((error as { errcode?: number }).errcode === busy) return false;
      this.close();
      if (error instanceof HomeGoneError) throw error;
      if (error instanceof LockFileError || error instanceof HomeNotWritableError) throw error;
      if (isSecond || !isDamage(error)) throw this.#toError(error);
      // It holds nothing, and nobody can have locked it.
      rmSync(this.#databasePath, { force: true });
      return this.#lock(Database, true);
    }
  }

  /** In place of the name that a killed holder may have left behind. Whatever goes wrong here keeps nobody from working. */
  #inform(text: string): void {
    const file = this.#open?.holderFile;
    if (file === undefined) return;
    tolerate(() => {
      ftruncateSync(file);
      writeSync(file, text, 0);
    });
  }

  release(): void {
    if (this.#open === undefined) return;
    this.#inform("");
    this.#open.database.exec("ROLLBACK");
  }

  readHolder(): LockHolder | undefined {
    const text = tolerate(() => readFileSync(this.#holderPath, "utf8")) ?? "";
    const { pid, purpose, since } = (parseJson(text) ?? {}) as Partial<LockHolder>;
    const isPlain = ![purpose, since].some((value) => typeof value !== "string" || hasControls(value));
    return typeof pid === "number" && isPlain ? ({ pid, purpose, since } as LockHolder) : undefined;
  }

  /** A lock on a file that was removed or replaced meanwhile would keep nobody out. */
  #reopen(Database: typeof DatabaseSync): OpenLock {
    const inode = statSync(this.#databasePath, { throwIfNoEntry: false })?.ino;
    if (this.#open !== undefined && this.#open.inode === inode) return this.#open;
    this.close();
    this.#prepare();
    try {
      const database = new Database(this.#databasePath, { timeout: 0 });
      const flags = constants.O_RDWR | constants.O_CREAT;
      const holderFile = tolerate(() => openSync(this.#holderPath, flags, 0o600));
      this.#open = { database, holderFile, inode: statSync(this.#databasePath).ino };
      return this.#open;
    } catch (error) {
      throw this.#toError(error);
    }
  }

  /** What the system refuses is refused in the whole folder; SQLite has reasons of its own. */
  #toError(error: unknown): Error {
    const { code, syscall } = error as NodeJS.ErrnoException;
    return code !== undefined && syscall !== undefined
      ? new HomeNotWritableError(this.#home, code, error)
      : new LockFileError(this.#databasePath, error);
  }

  close(): void {
    if (this.#open === undefined) return;
    const { database, holderFile } = this.#open;
    this.#open = undefined;
    database.close();
    if (holderFile !== undefined) tolerate(() => closeSync(holderFile));
  }

  /** SQLite gives a read transaction and no error for a file that cannot be written: found out before. */
  #prepare(): void {
    refuseInGoneHome(this.#home);
    try {
      makeFolders(this.#home, 0o700);
      unlessExisting(() => mkdirSync(join(this.#home, "run"), { mode: 0o700 }));
      // Opened only to be created: closing any handle of a file drops the locks that this process has on it.
      unlessExisting(() => closeSync(openSync(this.#databasePath, "wx", 0o600)));
      accessSync(this.#databasePath, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new HomeNotWritableError(this.#home, code, error);
    }
  }
}

/** Undefined where the system refuses. */
function tolerate<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function unlessExisting(create: () => void): void {
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
