// state.db: what is in flight or counted. One connection a process; what is written in one tick shares a commit.
// Knows its tables' shapes, not what they mean.
import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { loadSqlite } from "./sqlite.ts";

/** Each brings the tables from one version to the next, and is never changed once it has been released. */
const migrations = [
  `CREATE TABLE inbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, source_key TEXT UNIQUE, message TEXT,
     received_at INT, state TEXT DEFAULT 'waiting', attempts INT DEFAULT 0, finished_at INT);
   CREATE INDEX inbox_by_state ON inbox (state);
   CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, channel TEXT, chat_id TEXT, part TEXT,
     created_at INT, state TEXT DEFAULT 'waiting', attempts INT DEFAULT 0, next_at INT DEFAULT 0, platform_id TEXT,
     reason TEXT, finished_at INT);
   CREATE INDEX outbox_open ON outbox (channel, chat_id, seq) WHERE state IN ('waiting', 'sending');
   CREATE TABLE draft (turn_id TEXT PRIMARY KEY, platform_id TEXT);
   CREATE TABLE ledger (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INT, session_key TEXT, turn_id TEXT, cause TEXT,
     person TEXT, model TEXT, state TEXT DEFAULT 'open', fresh INT, cached INT DEFAULT 0, output INT DEFAULT 0,
     cost REAL, ms INT, stop TEXT);
   CREATE INDEX ledger_by_time ON ledger (at);`,
];

export class NewerStateError extends Error {
  override name = "NewerStateError";
}

interface Write {
  work(): unknown;
  isDurable: boolean;
  settled: PromiseWithResolvers<unknown>;
}

export interface StateDatabaseOptions {
  path: string;
  /** Told the new name of a file that was no database and had to be set aside. */
  onDamaged?(aside: string): void;
}

export class StateDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #writes: Write[] = [];
  #isDurable: boolean | undefined;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static async open({ path, onDamaged }: StateDatabaseOptions): Promise<StateDatabase> {
    const { DatabaseSync } = await loadSqlite();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite gives its journals the mode of the file, which holds what people said.
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    try {
      return StateDatabase.#openAt(new DatabaseSync(path), path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const aside = `${path}.damaged-${Date.now()}`;
      renameSync(path, aside);
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
      onDamaged?.(aside);
      return StateDatabase.#openAt(new DatabaseSync(path), path);
    }
  }

  static #openAt(database: DatabaseSync, path: string): StateDatabase {
    try {
      database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL");
      migrate(database, path);
      return new StateDatabase(database);
    } catch (error) {
      database.close();
      throw error;
    }
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

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Returns how many rows it changed. Inside of a `write` only. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  close(): void {
    this.#commit();
    this.#database.close();
  }

  #commit(): void {
    const writes = this.#writes.splice(0);
    if (writes.length === 0) return;
    const outcomes: Array<() => void> = [];
    try {
      this.#setDurable(writes.some(({ isDurable }) => isDurable));
      this.#database.exec("BEGIN IMMEDIATE");
      for (const write of writes) outcomes.push(this.#attempt(write));
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec("ROLLBACK");
      for (const { settled } of writes) settled.reject(error);
      return;
    }
    for (const settle of outcomes) settle();
  }

  #attempt({ work, settled }: Write): () => void {
    this.#database.exec("SAVEPOINT one");
    try {
      const value = work();
      this.#database.exec("RELEASE one");
      return () => settled.resolve(value);
    } catch (error) {
      // A full disk may have ended the whole transaction: what follows would be committed by itself, and told as failed.
      if (!this.#database.isTransaction) throw error;
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
}

/** Keeps a copy of the older version beside it first. */
function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > migrations.length) {
    throw new NewerStateError(
      `${path} was made by a newer nanobot (version ${version}). Use that one, or move the file away.`,
    );
  }
  if (version === migrations.length) return;
  if (version > 0) {
    const copy = `${path}.v${version}`;
    rmSync(copy, { force: true });
    database.prepare("VACUUM INTO ?").run(copy);
  }
  database.exec("BEGIN IMMEDIATE");
  for (const script of migrations.slice(version)) database.exec(script);
  database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [11, 26].includes(errcode & 0xff);
}
