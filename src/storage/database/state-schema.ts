// The tables of state.db, the way from one version to the next, and whether a database is whole. Knows no content.
import { closeSync, existsSync, openSync, readSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { PhrasedError } from "../../i18n/user-error.ts";
import type { HomePaths } from "../home.ts";
import { announceChange } from "../served-homes.ts";
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
  // Rows without a key that cannot be null are missing in changesets.
  `ALTER TABLE draft RENAME TO draft_before;
   CREATE TABLE draft (turn_id TEXT NOT NULL PRIMARY KEY, platform_id TEXT);
   INSERT INTO draft SELECT turn_id, platform_id FROM draft_before WHERE turn_id IS NOT NULL;
   DROP TABLE draft_before;`,
];

/** What is carried over from a damaged database, the most precious first. */
export const stateTables = ["inbox", "outbox", "draft", "ledger"] as const;

export type StateTable = (typeof stateTables)[number];

type Database = typeof DatabaseSync;

export class NewerStateError extends PhrasedError {
  override name = "NewerStateError";
  override readonly phrase: Phrase;
  readonly path: string;
  readonly version: number;

  constructor(path: string, version: number) {
    super(`${path} has the newer version ${version}`);
    this.path = path;
    this.version = version;
    this.phrase = phrase("storage.newer", { path, version });
  }
}

/** The content is at fault, not the disk: like SQLITE_CORRUPT, but found by us. */
class DamagedStateError extends Error {
  override name = "DamagedStateError";
  readonly errcode = 11;
}

/** SQLite's ERROR, CORRUPT, SCHEMA, MISMATCH, FORMAT and NOTADB: while it is opened and checked, damage and nothing else. */
const damageWhileOpening = [1, 11, 17, 20, 24, 26];

export function isDamageWhileOpening(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && damageWhileOpening.includes(errcode & 0xff);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [11, 26].includes(errcode & 0xff);
}

/**
 * Brings it to the present version; keeps a copy of the older one next to it first. Throws for what is damaged or newer.
 * False when it was of that version already.
 */
export function migrate(database: DatabaseSync, path: string, Database: Database): boolean {
  const version = checkSchema(database, path, Database);
  if (version === migrations.length) return false;
  if (version > 0) {
    const copy = `${path}.v${version}`;
    rmSync(copy, { force: true });
    database.prepare("VACUUM INTO ?").run(copy);
    announceChange(copy);
  }
  database.exec("BEGIN IMMEDIATE");
  // Another process may have been faster.
  const isBehind = readVersion(database) === version;
  for (const script of isBehind ? migrations.slice(version) : []) database.exec(script);
  database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  return true;
}

/** Returns the version of its tables, which must be exactly those of that version. */
function checkSchema(database: DatabaseSync, path: string, Database: Database): number {
  const version = readVersion(database);
  const schema = readSchema(database);
  if (version <= migrations.length) {
    if (schema !== expectSchema(Database, version)) throw new DamagedStateError(`${path} has other tables`);
    return version;
  }
  if (schema === expectSchema(Database, migrations.length)) return migrations.length;
  throw new NewerStateError(path, version);
}

function readVersion(database: DatabaseSync): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

function readSchema(database: DatabaseSync): string {
  // Those of the indexes that SQLite makes on its own are null.
  const sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name";
  return JSON.stringify(database.prepare(sql).all());
}

function expectSchema(Database: Database, version: number): string {
  const fresh = new Database(":memory:");
  try {
    for (const script of migrations.slice(0, Math.max(0, version))) fresh.exec(script);
    return readSchema(fresh);
  } finally {
    fresh.close();
  }
}

/** The pages of all tables, or of one; not what is in them. */
export function checkPages(database: DatabaseSync, path: string, table?: StateTable): void {
  const sql = `PRAGMA quick_check(${table ?? 1})`;
  const { quick_check: found } = database.prepare(sql).get() as { quick_check: string };
  if (found !== "ok") throw new DamagedStateError(`${path}: ${found}`);
}

/** Versions of the format, and the encoding, that SQLite takes for reasons to refuse or to misread a file. */
export function checkHeader(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  const header = Buffer.alloc(100);
  let length: number;
  try {
    length = readSync(file, header, 0, 100, 0);
  } finally {
    closeSync(file);
  }
  if (length === 0) return;
  const isOurs =
    length === 100 &&
    header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
    [1, 2].includes(header.readUInt8(18)) &&
    [1, 2].includes(header.readUInt8(19)) &&
    [0, 1, 2, 3, 4].includes(header.readUInt32BE(44)) &&
    [0, 1].includes(header.readUInt32BE(56));
  if (!isOurs) throw new DamagedStateError(`${path} has no header of a database`);
}

type StateCondition =
  | { kind: "absent" | "usable" | "damaged" }
  | { kind: "newer"; error: NewerStateError }
  | { kind: "unusable"; errno: string };

/** Looks at state.db without changing it: whether it can be used, and why not. */
export async function inspectState({ stateDatabase: path }: HomePaths): Promise<StateCondition> {
  if (!existsSync(path)) return { kind: "absent" };
  const { DatabaseSync } = await loadSqlite();
  try {
    checkHeader(path);
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      checkSchema(database, path, DatabaseSync);
      checkPages(database, path);
    } finally {
      database.close();
    }
    return { kind: "usable" };
  } catch (error) {
    if (error instanceof NewerStateError) return { kind: "newer", error };
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined) throw error;
    return isDamageWhileOpening(error)
      ? { kind: "damaged" }
      : { kind: "unusable", errno: `SQLite ${errcode}` };
  }
}
