// state.db: what is in flight or counted. One connection a process; what is written in one tick shares a commit.
// Damage, found when it is opened or later, is repaired in place: set aside, and what can be read carried over.

import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, Session, SQLInputValue, StatementSync } from "node:sqlite";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { PhrasedError } from "../../i18n/user-error.ts";
import type { HomeDurability } from "../durability.ts";
import { makeFolders } from "../files/make-folders.ts";
import { announceChange, announceSnapshot, durabilityOf, HomeGoneError } from "../served-homes.ts";
import { finishRepair, journals, repairState, type StateRepair } from "./repair-state.ts";
import { loadSqlite } from "./sqlite.ts";
import {
  checkHeader,
  checkPages,
  isDamage,
  isDamageWhileOpening,
  migrate,
  type StateTable,
  stateTables,
} from "./state-schema.ts";

interface Write {
  work(): unknown;
  isDurable: boolean;
  settled: PromiseWithResolvers<unknown>;
}

export interface StateDatabaseOptions {
  path: string;
  /** Gets a damaged file that was set aside, when it is opened or later. */
  onDamaged?(repair: StateRepair): void;
}

/** It cannot be opened for now. */
export class StateDatabaseError extends PhrasedError {
  override readonly name = "StateDatabaseError";
  override readonly phrase: Phrase;
  readonly path: string;
  readonly reason: string;
  readonly errcode: number;

  constructor(path: string, cause: Error & { errcode: number }) {
    super(`cannot use ${path} (${cause.message})`, { cause });
    this.path = path;
    this.reason = cause.message;
    this.phrase = phrase("storage.database-unusable", { path, quote: cause.message });
    this.errcode = cause.errcode;
  }
}

/** Larger ones are only checked while they are in use, one table at a time. */
const largestChecked = 64 * 1024 * 1024;
const repairPatienceMs = 30_000;

export class StateDatabase {
  readonly #options: StateDatabaseOptions;
  readonly #Database: typeof DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #writes: Write[] = [];
  #database: DatabaseSync;
  #inode: number | undefined;
  #isDurable: boolean | undefined;
  #checked = 0;
  readonly #durability: HomeDurability;
  /** What changed since the last commit, where the engine asks for it. */
  #changes: Session | undefined;

  private constructor(options: StateDatabaseOptions, Database: typeof DatabaseSync) {
    this.#options = options;
    this.#Database = Database;
    this.#durability = durabilityOf(options.path);
    this.#database = this.#openOrRepair();
    this.#inode = this.#findInode();
    this.#beginRecording();
  }

  static async open(options: StateDatabaseOptions): Promise<StateDatabase> {
    const { DatabaseSync } = await loadSqlite();
    makeFolders(dirname(options.path), 0o700);
    return new StateDatabase(options, DatabaseSync);
  }

  /** The folder that it is in. */
  get home(): string {
    return dirname(this.#options.path);
  }

  /**
   * Resolves once the work is committed, and durable unless it said that it need not be. What throws is undone alone;
   * a commit that fails (a full disk) undoes and rejects all that shared it.
   */
  write<T>(work: () => T, { isDurable = true } = {}): Promise<T> {
    const settled = Promise.withResolvers<unknown>();
    if (this.#writes.push({ work, isDurable, settled }) === 1) setImmediate(() => this.#commit());
    return settled.promise as Promise<T>;
  }

  /** Everything that was written so far survives where the home can move to another machine. On the disk that is no work. */
  commit(): Promise<void> {
    return this.#durability.commit();
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    if (this.#database.isTransaction) return this.#prepare(sql).all(...values) as Row[];
    return this.#repairing(() => {
      this.#followFile();
      return this.#prepare(sql).all(...values) as Row[];
    });
  }

  /** Returns how many rows it changed. Inside of a `write` only. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Looks at the pages of one table, the next one each time, and repairs what is damaged. */
  check(): void {
    const table = stateTables[this.#checked++ % stateTables.length] as StateTable;
    this.#repairing(() => {
      // What is in memory may be whole for long after the disk is not.
      this.#database.exec("PRAGMA shrink_memory");
      checkPages(this.#database, this.#options.path, table);
    });
  }

  close(): void {
    this.#commit();
    this.#database.close();
  }

  #commit(): void {
    const writes = this.#writes.splice(0);
    if (writes.length === 0) return;
    let outcomes: Array<() => void>;
    try {
      outcomes = this.#repairing(() => this.#commitAll(writes));
    } catch (error) {
      for (const { settled } of writes) settled.reject(error);
      return;
    }
    for (const settle of outcomes) settle();
  }

  #commitAll(writes: readonly Write[]): Array<() => void> {
    const outcomes: Array<() => void> = [];
    try {
      if (this.#followFile() === "gone") throw new HomeGoneError(dirname(this.#options.path));
      this.#setDurable(writes.some(({ isDurable }) => isDurable));
      this.#database.exec("BEGIN IMMEDIATE");
      for (const write of writes) outcomes.push(this.#attempt(write));
      this.#database.exec("COMMIT");
      this.#recordChanges();
      return outcomes;
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Only after a commit: what is rolled back would be in it. */
  #recordChanges(): void {
    const changeset = this.#changes?.changeset();
    if (changeset === undefined || changeset.length === 0) return;
    this.#changes?.close();
    this.#beginRecording();
    this.#durability.recordChanges(changeset);
  }

  #beginRecording(): void {
    if (this.#durability.recordsChanges) this.#changes = this.#database.createSession();
  }

  #attempt({ work, isDurable, settled }: Write): () => void {
    this.#database.exec("SAVEPOINT one");
    try {
      const value = work();
      this.#database.exec("RELEASE one");
      if (!isDurable) return () => settled.resolve(value);
      return () => void this.#durability.commit().then(() => settled.resolve(value), settled.reject);
    } catch (error) {
      // A full disk may have ended the whole transaction: what follows would be committed on its own, and reported as failed.
      if (!this.#database.isTransaction || isDamage(error)) throw error;
      this.#database.exec("ROLLBACK TO one; RELEASE one");
      return () => settled.reject(error);
    }
  }

  #setDurable(isDurable: boolean): void {
    if (this.#isDurable === isDurable) return;
    this.#database.exec(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
    this.#isDurable = isDurable;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Once more after a repair; what is damaged then is an error. */
  #repairing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error) || !this.#database.isOpen || this.#options.path === ":memory:") throw error;
      this.#reopen();
      return work();
    }
  }

  /** Another process may have repaired it: what is written to a file that was set aside would be lost. */
  #followFile(): "gone" | "there" {
    const inode = this.#findInode();
    // As will be what is written to one that nobody can find.
    if (inode === undefined && this.#inode !== undefined) return "gone";
    if (inode !== undefined && inode !== this.#inode && this.#database.isOpen) this.#reopen();
    return "there";
  }

  #reopen(): void {
    this.#statements.clear();
    this.#isDurable = undefined;
    this.#database.close();
    this.#database = this.#openOrRepair();
    this.#inode = this.#findInode();
    this.#beginRecording();
  }

  #findInode(): number | undefined {
    const { path } = this.#options;
    return path === ":memory:" ? undefined : statSync(path, { throwIfNoEntry: false })?.ino;
  }

  #openOrRepair(): DatabaseSync {
    try {
      return this.#openChecked();
    } catch (error) {
      if (isDamageWhileOpening(error)) return this.#repair();
      throw this.#toError(error);
    }
  }

  #openChecked(): DatabaseSync {
    const { path } = this.#options;
    if (path !== ":memory:") {
      finishRepair(path);
      checkHeader(path);
    }
    const database = this.#create(path);
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= largestChecked)
        checkPages(database, path);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #create(path: string): DatabaseSync {
    // SQLite gives its journals the mode of the file, which holds what people said.
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    const database = new this.#Database(path);
    try {
      database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL");
      const isOther = migrate(database, path, this.#Database);
      if (isOther && path === this.#options.path) announceSnapshot(path);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Under a lock of its own: another process may have repaired it meanwhile. */
  #repair(): DatabaseSync {
    const { path, onDamaged } = this.#options;
    const lockPath = `${path}.repair`;
    const lock = new this.#Database(lockPath, { timeout: repairPatienceMs });
    try {
      lock.exec("BEGIN EXCLUSIVE");
      try {
        return this.#openChecked();
      } catch (error) {
        if (!isDamageWhileOpening(error)) throw error;
      }
      const repair = repairState(path, (fresh) => this.#create(fresh));
      for (const end of journals) announceChange(repair.aside + end);
      announceSnapshot(path);
      onDamaged?.(repair);
      return this.#openChecked();
    } catch (error) {
      throw this.#toError(error);
    } finally {
      lock.close();
      rmSync(lockPath, { force: true });
    }
  }

  #toError(error: unknown): unknown {
    const hasCode = error instanceof Error && "errcode" in error;
    const isReported = error instanceof StateDatabaseError;
    return hasCode && !isReported
      ? new StateDatabaseError(this.#options.path, error as Error & { errcode: number })
      : error;
  }
}
