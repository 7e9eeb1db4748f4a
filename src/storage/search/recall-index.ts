// index.db: which files were read how far, where each entry is in them, and which words it holds. Never the truth: it
// can be deleted at will. Holds no text; excerpts are read from the files themselves.
import { closeSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { loadSqlite } from "../database/sqlite.ts";
import { type CandidateRow, Candidates, type Totals } from "./candidates.ts";
import { Postings, postingsSchema } from "./postings.ts";
import { Vectors, vectorsSchema } from "./vectors.ts";

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
  /** `user`, `assistant`, `tool`, or the kind of the source. */
  role: string;
  /** Reference of the message; for anything else its name. */
  key: string;
  /** Bytes of the line in its file. */
  start: number;
  bytes: number;
  /** Characters of the text that the line holds: a long one is several entries. */
  from: number;
  to: number;
}

/** Sources by what a file is known by, and those that were written last. */
export interface SourceLookups {
  byPath: ReadonlyMap<string, Source>;
  byInode: ReadonlyMap<number, Source>;
  recent: readonly Source[];
}

/** What belongs to one scope: all that a search of it can see and count. */
export interface ScopeView {
  /** By number of the source: 1 if it is of the scope. */
  sources: Uint8Array;
  totals: Totals;
  /** A word of more than half of many entries tells them apart no better than chance, and a list of them all is long. */
  mostCommon: number;
  /** Numbers of the entries that hold a token. */
  find(token: string): Uint32Array;
  /** How many entries hold each token. */
  count(tokens: readonly string[]): Map<string, number>;
  /** Of each token, the next few that begin with it. */
  findLonger(tokens: readonly string[], most: number): Map<string, string[]>;
  /** Numbers of the speakers of whose name the token is a part. */
  speakersNamed(token: string): readonly number[];
}

/** Entries: in a small index, a word that occurs in most of them may be all there is to find. */
const leastCommon = 2_000;
/** Numbers of removed entries are not used again: an index is rebuilt when only this share is left. */
const leastHeld = 0.25;
const smallIndex = 100_000;
const mostRecent = 64;
/** Of the tables and the tokens: an index of another version is built again. */
const version = 5;
const schema = `
  CREATE TABLE source (id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT, path TEXT, kind TEXT, scope TEXT, name TEXT, inode INT,
    size INT, changedAt REAL, "end" INT, tail TEXT, at INT);
  CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, source INT, "key" TEXT, start INT, bytes INT, "from" INT,
    "to" INT, at INT, role TEXT, speaker TEXT, length INT, flags INT);
  CREATE INDEX entry_of_source ON entry (source);
  CREATE INDEX entry_by_key ON entry ("key");
  ${postingsSchema}
  ${vectorsSchema}
  PRAGMA user_version = ${version};`;

/** `:memory:` where none can be written. */
export async function openIndex(path: string, place: string): Promise<RecallIndex> {
  const { DatabaseSync } = await loadSqlite();
  if (path !== ":memory:") makePrivate(path);
  return new RecallIndex(new DatabaseSync(path), place);
}

export function removeIndex(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

/** SQLite gives its other files the rights of this one. Where that fails, it says so itself a moment later. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

export class RecallIndex {
  readonly #database: DatabaseSync;
  readonly #place: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #postings = new Postings((sql) => this.#prepare(sql));
  readonly #candidates = new Candidates();
  readonly vectors: Vectors;
  readonly #views = new Map<string, ScopeView>();
  #sources: Map<number, Source> | undefined;
  #lookups: SourceLookups | undefined;
  #seen: unknown;

  /** `place` represents a workspace: the entries of others are left alone. */
  constructor(database: DatabaseSync, place: string) {
    this.#database = database;
    this.#place = place;
    this.vectors = new Vectors((sql) => this.#prepare(sql), place);
    database.exec(
      "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000",
    );
    this.write(() => {
      if (this.#all("SELECT 1 FROM sqlite_schema LIMIT 1").length === 0) database.exec(schema);
    });
  }

  /** Of another version: to be built again. */
  get isOutdated(): boolean {
    return this.#pragma("user_version") !== version;
  }

  /** To be built again: most of the numbers are of entries that are gone. */
  get isMostlyHoles(): boolean {
    const { end } = this.candidates;
    if (end < smallIndex) return false;
    return this.#candidates.sum(mark(this.sources, () => true)).entries < leastHeld * end;
  }

  get candidates(): Candidates {
    const { sources } = this;
    const all = this.#candidates;
    const before = all.end;
    this.#postings.fill(all, (source) => sources.get(source)?.scope);
    const sql = "SELECT id, source, at, length, flags, speaker FROM entry WHERE id >= ? ORDER BY id";
    for (const row of this.#prepare(sql).iterate(all.end)) {
      const candidate = row as unknown as CandidateRow;
      const source = sources.get(candidate.source);
      if (source !== undefined) all.add(source.scope, candidate);
    }
    if (all.end !== before) this.#views.clear();
    return all;
  }

  get sources(): ReadonlyMap<number, Source> {
    this.#noticeOthers();
    const list = () => this.#all<Source>("SELECT * FROM source WHERE place = ?", this.#place);
    this.#sources ??= new Map(list().map((source) => [source.id, source]));
    return this.#sources;
  }

  get lookups(): SourceLookups {
    const { sources } = this;
    this.#lookups ??= toLookups([...sources.values()]);
    return this.#lookups;
  }

  view(scope: string): ScopeView {
    const { candidates, sources: all } = this;
    const known = this.#views.get(scope);
    if (known !== undefined) return known;
    const sources = mark(all, ({ scope: owner }) => owner === scope);
    const totals = candidates.sum(sources);
    const half = totals.entries / 2;
    const view: ScopeView = {
      sources,
      totals,
      mostCommon: half < leastCommon ? Infinity : half,
      find: (token) => this.#postings.find(scope, token),
      count: (tokens) => this.#postings.count(scope, tokens),
      findLonger: (tokens, most) => this.#postings.findLonger(scope, tokens, most),
      speakersNamed: (token) => candidates.speakersNamed(scope, token),
    };
    this.#views.set(scope, view);
    return view;
  }

  readEntry(id: number): Entry | undefined {
    return this.#prepare("SELECT * FROM entry WHERE id = ?").get(id) as Entry | undefined;
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
    this.#noticeOthers();
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } finally {
      if (this.#database.isTransaction) {
        this.#database.exec("ROLLBACK");
        this.#forget();
      }
    }
  }

  /** What is known of a file now, perhaps from another process. */
  findStored({ id, path }: Source): Source | undefined {
    const sql = "SELECT * FROM source WHERE id = ? OR (place = ? AND path = ?)";
    return this.#all<Source>(sql, id, this.#place, path)[0];
  }

  /** Returns its number. */
  saveSource(source: Source): number {
    const { id, path, kind, scope, name, inode, size, changedAt, end, tail, at } = source;
    const file = [id || null, this.#place, path, kind, scope, name, inode, size, changedAt, end, tail, at];
    const number = this.#run(
      "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      file,
    );
    this.#sources?.set(number, { ...source, id: number });
    this.#lookups = undefined;
    this.#views.clear();
    return number;
  }

  /** `scope` is its source's. */
  addEntry(scope: string, entry: Omit<Entry, "id">, tokens: Set<string>): void {
    const { source, key, start, bytes, from, to, at, role, speaker, length, flags } = entry;
    const place = [source, key, start, bytes, from, to, at, role, speaker, length, flags];
    const id = this.#run("INSERT INTO entry VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", place);
    this.#postings.add(scope, id, tokens);
  }

  /** By their references, or by where their lines begin. */
  removeEntries(source: number, keys: readonly string[], starts: readonly number[]): void {
    const [byKey, byStart] = [JSON.stringify(keys), JSON.stringify(starts)];
    const condition = `source = ? AND ("key" IN (SELECT value FROM json_each(?))
      OR start IN (SELECT value FROM json_each(?)))`;
    const isHeld = starts.length > 0 || this.findByKeys(keys).some((entry) => entry.source === source);
    if (!isHeld) return;
    const ids = this.#all<{ id: number }>(`SELECT id FROM entry WHERE ${condition}`, source, byKey, byStart);
    this.#run(`DELETE FROM entry WHERE ${condition}`, [source, byKey, byStart]);
    this.#postings.remove(ids.map(({ id }) => id));
    this.vectors.remove(ids.map(({ id }) => id));
    this.#forget();
  }

  /** The line of a session that begins there, as 0.1.0 refers to those without an id. */
  findByStart(name: string, start: number): Entry[] {
    const ids = [...this.sources.values()].filter((source) => source.name === name).map(({ id }) => id);
    const sql =
      "SELECT * FROM entry WHERE source IN (SELECT value FROM json_each(?)) AND start = ? ORDER BY id";
    return this.#all<Entry>(sql, JSON.stringify(ids), start);
  }

  /** The numbers of its entries stay in the lists of words, where they mean nothing. */
  removeSource(id: number): void {
    const ids = this.#all<{ id: number }>("SELECT id FROM entry WHERE source = ?", id);
    this.vectors.remove(ids.map((entry) => entry.id));
    this.#run("DELETE FROM entry WHERE source = ?", [id]);
    this.#run("DELETE FROM source WHERE id = ?", [id]);
    this.#forget();
  }

  close(): void {
    this.#database.close();
  }

  /** What is in memory is void once another process has written. */
  #noticeOthers(): void {
    const seen = this.#pragma("data_version");
    if (seen !== this.#seen) this.#forget();
    this.#seen = seen;
  }

  #forget(): void {
    this.#candidates.clear();
    this.#postings.forget();
    this.vectors.forget();
    this.#views.clear();
    this.#sources = undefined;
    this.#lookups = undefined;
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

/** By number: 1 for those that are wanted. */
export function mark(
  sources: ReadonlyMap<number, Source>,
  isWanted: (source: Source) => boolean,
): Uint8Array {
  let last = 0;
  for (const id of sources.keys()) last = Math.max(last, id);
  const marks = new Uint8Array(last + 1);
  for (const [id, source] of sources) marks[id] = isWanted(source) ? 1 : 0;
  return marks;
}

function toLookups(sources: readonly Source[]): SourceLookups {
  const times = Float64Array.from(sources, ({ changedAt }) => changedAt).sort();
  const since = times[Math.max(0, times.length - mostRecent)] ?? 0;
  return {
    byPath: new Map(sources.map((source) => [source.path, source])),
    byInode: new Map(sources.map((source) => [source.inode, source])),
    recent: sources.filter(({ changedAt }) => changedAt >= since).slice(-mostRecent),
  };
}
