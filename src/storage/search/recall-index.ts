// index.db: which files were read how far, where each entry stands in them, and which words it holds. Never the truth:
// it can be deleted at will. Holds no text; excerpts are read from the files themselves.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type CandidateRow, Candidates } from "./candidates.ts";

export type SourceKind = "session" | "history" | "note" | "memory" | "document";

/** A file, and how far it has been read. */
export interface Source {
  /** 0: not yet in the index. */
  id: number;
  path: string;
  kind: SourceKind;
  /** Whose it is: nobody else's search finds it. */
  scope: string;
  /** Key of the session, or the name that people know the file by. */
  name: string;
  inode: number;
  size: number;
  changedAt: number;
  /** Offset after the last line that was read. */
  end: number;
  /** The last bytes before it: if they are others, the file was rewritten. */
  tail: string;
  /** Time of the last message. */
  at: number;
}

export interface Entry extends CandidateRow {
  /** Reference of the message; of what is no message, its name. */
  key: string;
  /** Bytes of the line in its file. */
  start: number;
  bytes: number;
  /** Characters of the text that the line holds: a long one is several entries. */
  from: number;
  to: number;
}

/** Entries: in a small index, a word that stands in most of them may be all there is to find. */
const leastCommon = 2_000;
/** Of the tables and the tokens: an index of another version is built again. */
const version = 1;
const schema = `
  CREATE TABLE source (id INTEGER PRIMARY KEY, place TEXT, path TEXT, kind TEXT, scope TEXT, name TEXT, inode INT,
    size INT, changedAt REAL, "end" INT, tail TEXT, at INT);
  CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, source INT, "key" TEXT, start INT, bytes INT, "from" INT,
    "to" INT, at INT, role TEXT, speaker TEXT, length INT);
  CREATE INDEX entry_of_source ON entry (source);
  CREATE INDEX entry_by_key ON entry ("key");
  CREATE VIRTUAL TABLE word USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
  PRAGMA user_version = ${version};`;

export class RecallIndex {
  readonly #database: DatabaseSync;
  readonly #place: string;
  readonly #statements = new Map<string, StatementSync>();
  #seen: unknown;
  readonly #candidates = new Candidates();
  #sources: Map<number, Source> | undefined;

  /** `place` stands for a workspace: the entries of others are left alone. */
  constructor(database: DatabaseSync, place: string) {
    this.#database = database;
    this.#place = place;
    database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    this.write(() => {
      if (this.#all("SELECT 1 FROM sqlite_schema LIMIT 1").length === 0) database.exec(schema);
    });
  }

  /** Of another version, or mostly holes: to be built again. */
  get isOutdated(): boolean {
    if (this.#pragma("user_version") !== version) return true;
    const [row] = this.#all<{ last: number; count: number }>(
      "SELECT max(id) AS last, count(*) AS count FROM entry",
    );
    return (row?.last ?? 0) > 4 * (row?.count ?? 0) + 100_000;
  }

  get candidates(): Candidates {
    this.#noticeOthers();
    const sql = `SELECT entry.id, source, entry.at, length, role, speaker FROM entry JOIN source ON source.id = source
      WHERE entry.id >= ? AND place = ? ORDER BY entry.id`;
    for (const row of this.#prepare(sql).iterate(this.#candidates.end, this.#place)) {
      this.#candidates.add(row as unknown as CandidateRow);
    }
    return this.#candidates;
  }

  get sources(): ReadonlyMap<number, Source> {
    this.#noticeOthers();
    const list = () => this.#all<Source>("SELECT * FROM source WHERE place = ?", this.#place);
    this.#sources ??= new Map(list().map((source) => [source.id, source]));
    return this.#sources;
  }

  /** Numbers of the entries that hold a token. */
  find(token: string): number[] {
    // In one string: a row for each would take twice the time.
    const sql = "SELECT json_group_array(rowid) AS list FROM word WHERE word MATCH ?";
    return JSON.parse(this.#all<{ list: string }>(sql, `"${token}"`)[0]?.list ?? "[]");
  }

  /** Held by more than half of many entries: it tells them apart no better than chance, and a list of them all is long. */
  isCommon(token: string): boolean {
    const half = this.candidates.end / 2;
    if (half < leastCommon) return false;
    const sql = "SELECT count(*) AS count FROM word WHERE word MATCH ?";
    return (this.#all<{ count: number }>(sql, `"${token}"`)[0]?.count ?? 0) > half;
  }

  readEntry(id: number): Entry | undefined {
    return this.#all<Entry>("SELECT * FROM entry WHERE id = ?", id)[0];
  }

  /** The parts of a long message share its key. */
  findByKeys(keys: readonly string[]): Entry[] {
    const sql = 'SELECT * FROM entry WHERE "key" IN (SELECT value FROM json_each(?)) ORDER BY id';
    return this.#all<Entry>(sql, JSON.stringify(keys));
  }

  /** With up to `count` entries of the same file on each side, in order. */
  readAround({ id, source }: Entry, count: number): Entry[] {
    const near = (which: string, most: number) =>
      this.#all<Entry>(`SELECT * FROM entry WHERE source = ? AND id ${which} LIMIT ?`, source, id, most);
    return [...near("< ? ORDER BY id DESC", count).reverse(), ...near(">= ? ORDER BY id", count + 1)];
  }

  /** All of it or nothing. */
  write<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    }
  }

  /** What is known of a file now, perhaps from another process. */
  findStored({ id, path }: Source): Source | undefined {
    const sql = "SELECT * FROM source WHERE id = ? OR (place = ? AND path = ?)";
    return this.#all<Source>(sql, id, this.#place, path)[0];
  }

  /** Returns its number. */
  saveSource({ id, path, kind, scope, name, inode, size, changedAt, end, tail, at }: Source): number {
    this.#sources = undefined;
    const file = [id || null, this.#place, path, kind, scope, name, inode, size, changedAt, end, tail, at];
    return this.#run("INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", file);
  }

  addEntry(entry: Omit<Entry, "id">, tokens: Set<string>): void {
    const { source, key, start, bytes, from, to, at, role, speaker, length } = entry;
    const place = [source, key, start, bytes, from, to, at, role, speaker, length];
    const id = this.#run("INSERT INTO entry VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", place);
    this.#run("INSERT INTO word (rowid, tokens) VALUES (?, ?)", [id, [...tokens].join(" ")]);
  }

  /** By their references, or by where their lines begin. */
  removeEntries(source: number, keys: readonly string[], starts: readonly number[]): void {
    const [byKey, byStart] = [JSON.stringify(keys), JSON.stringify(starts)];
    const condition = `source = ? AND ("key" IN (SELECT value FROM json_each(?))
      OR start IN (SELECT value FROM json_each(?)))`;
    const isHeld = starts.length > 0 || this.findByKeys(keys).some((entry) => entry.source === source);
    if (isHeld) this.#remove(condition, [source, byKey, byStart]);
  }

  /** The line of a session that begins there, as 0.1.0 refers to those without an id. */
  findByStart(name: string, start: number): Entry[] {
    const ids = [...this.sources.values()].filter((source) => source.name === name).map(({ id }) => id);
    const sql =
      "SELECT * FROM entry WHERE source IN (SELECT value FROM json_each(?)) AND start = ? ORDER BY id";
    return this.#all<Entry>(sql, JSON.stringify(ids), start);
  }

  removeSource(id: number): void {
    this.#remove("source = ?", [id]);
    this.#run("DELETE FROM source WHERE id = ?", [id]);
    this.#sources = undefined;
  }

  close(): void {
    this.#database.close();
  }

  #remove(condition: string, values: SQLInputValue[]): void {
    this.#run(`DELETE FROM word WHERE rowid IN (SELECT id FROM entry WHERE ${condition})`, values);
    this.#run(`DELETE FROM entry WHERE ${condition}`, values);
    this.#candidates.clear();
  }

  /** What is in memory is void once another process has written. */
  #noticeOthers(): void {
    const seen = this.#pragma("data_version");
    if (seen !== this.#seen) {
      this.#candidates.clear();
      this.#sources = undefined;
    }
    this.#seen = seen;
  }

  #pragma(name: string): unknown {
    return this.#all<Record<string, unknown>>(`PRAGMA ${name}`)[0]?.[name];
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  #run(sql: string, values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }
}
