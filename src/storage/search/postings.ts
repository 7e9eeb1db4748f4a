// Which entries of a scope hold a token: lists of different scopes are never together. Entries are numbered in blocks: when
// one is full, the numbers of each token in it are written as one list, and so are the columns that ranking needs. Sixteen
// lists become one, so that a common word of a million entries is a few rows. The tokens of the newest entries are kept as
// they are.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ownerScope } from "../scope.ts";
import type { CandidateRow, Candidates } from "./candidates.ts";

const blockBits = 12;
const blockSize = 1 << blockBits;
/** What a number of 16 bits counts from. */
const rangeSize = 1 << 16;
const columnBytes = { at: 8, source: 4, length: 4, speaker: 4, flags: 1 };
const rowBytes = Object.values(columnBytes).reduce((sum, bytes) => sum + bytes);

export const postingsSchema = `
  CREATE TABLE posting (token TEXT, first INT, ids BLOB, PRIMARY KEY (token, first)) WITHOUT ROWID;
  CREATE TABLE block (number INTEGER PRIMARY KEY, columns BLOB, speakers TEXT);
  CREATE TABLE fresh (id INTEGER PRIMARY KEY, tokens TEXT);`;

export class Postings {
  readonly #prepare: (sql: string) => StatementSync;
  /** Of the entries that are in no block yet. */
  #fresh: Map<string, number[]> | undefined;
  /** Their tokens: those in order, and those that came since. */
  #names: string[] = [];
  #newNames: string[] = [];
  #first = 0;

  /** `prepare` keeps its statements. */
  constructor(prepare: (sql: string) => ReturnType<DatabaseSync["prepare"]>) {
    this.#prepare = prepare;
  }

  /** Numbers of the entries of a scope that hold a token, in order; those of removed entries may be among them. */
  find(scope: string, token: string): Uint32Array {
    const key = toPrefix(scope) + token;
    const rows = this.#prepare("SELECT first, ids FROM posting WHERE token = ? ORDER BY first").all(key);
    const fresh = this.#load().get(key) ?? [];
    const lists = rows as unknown as Array<{ first: number; ids: Uint8Array }>;
    const length = lists.reduce((sum, { ids }) => sum + ids.byteLength / 2, fresh.length);
    const found = new Uint32Array(length);
    let at = 0;
    for (const { first, ids } of lists) {
      const offsets = toOffsets(ids);
      for (let index = 0; index < offsets.length; index++) found[at++] = first + (offsets[index] ?? 0);
    }
    found.set(fresh, at);
    return found;
  }

  /** How many there are of each. */
  count(scope: string, tokens: readonly string[]): Map<string, number> {
    const fresh = this.#load();
    const prefix = toPrefix(scope);
    const counts = new Map(tokens.map((token) => [token, fresh.get(prefix + token)?.length ?? 0]));
    const sql = `SELECT token, sum(length(ids)) / 2 AS count FROM posting
      WHERE token IN (SELECT value FROM json_each(?)) GROUP BY token`;
    for (const row of this.#prepare(sql).all(JSON.stringify(tokens.map((token) => prefix + token)))) {
      const { token: key, count } = row as { token: string; count: number };
      const token = key.slice(prefix.length);
      counts.set(token, (counts.get(token) ?? 0) + count);
    }
    return counts;
  }

  /** Of each token, the next few that begin with it, in order: compounds, and endings that no stem takes off. */
  findLonger(scope: string, tokens: readonly string[], most: number): Map<string, string[]> {
    const prefix = toPrefix(scope);
    const next = this.#prepare("SELECT token FROM posting WHERE token > ? ORDER BY token LIMIT 1");
    const longer = new Map(tokens.map((token) => [prefix + token, new Set<string>()]));
    for (const [token, found] of longer) {
      let last = token;
      while (found.size < most) {
        last = (next.get(last) as { token: string } | undefined)?.token ?? "";
        if (!last.startsWith(token)) break;
        found.add(last);
      }
    }
    const names = this.#sortNames();
    for (const [token, found] of longer) {
      for (let at = findAfter(names, token); found.size < most && names[at]?.startsWith(token); at++)
        found.add(names[at] ?? "");
    }
    const cut = (key: string) => key.slice(prefix.length);
    return new Map(Array.from(longer, ([key, found]) => [cut(key), [...found].map(cut)]));
  }

  add(scope: string, id: number, tokens: ReadonlySet<string>): void {
    const fresh = this.#load();
    if (id - this.#first >= blockSize) this.#close(id);
    const prefix = toPrefix(scope);
    const keys = Array.from(tokens, (token) => prefix + token);
    this.#prepare("INSERT INTO fresh VALUES (?, ?)").run(id, keys.join(" "));
    for (const key of keys) if (addTo(fresh, key, id)) this.#newNames.push(key);
  }

  /** Their numbers are taken out of every list. */
  remove(ids: readonly number[]): void {
    const gone = new Set(ids);
    for (const number of new Set(ids.map((id) => id >> blockBits))) this.#removeColumns(number, gone);
    for (const first of new Set(ids.map((id) => id - (id % rangeSize)))) this.#removeIds(first, gone);
    const list = JSON.stringify(ids);
    this.#prepare("DELETE FROM fresh WHERE id IN (SELECT value FROM json_each(?))").run(list);
    this.forget();
  }

  /** What is in memory is void. */
  forget(): void {
    this.#fresh = undefined;
  }

  /** The columns of all blocks from one on. `scopeOf`: whose a source is; undefined for one that is gone, or of another place. */
  fill(candidates: Candidates, scopeOf: (source: number) => string | undefined): void {
    const first = candidates.end === 0 ? 0 : ((candidates.end - 1) >> blockBits) + 1;
    const sql = "SELECT number, columns, speakers FROM block WHERE number >= ? ORDER BY number";
    for (const row of this.#prepare(sql).iterate(first)) {
      const { number, columns, speakers } = row as { number: number; columns: Uint8Array; speakers: string };
      const names = JSON.parse(speakers) as string[];
      const { at, source, length, speaker, flags } = toColumns(columns);
      candidates.makeRoom((number + 1) << blockBits);
      for (let offset = 0; offset < blockSize; offset++) {
        const of = source[offset] ?? 0;
        const scope = of === 0 ? undefined : scopeOf(of);
        if (scope === undefined) continue;
        candidates.place((number << blockBits) + offset, {
          source: of,
          at: at[offset] ?? 0,
          length: length[offset] ?? 0,
          speaker: candidates.numberOf(scope, names[speaker[offset] ?? 0] ?? ""),
          flags: flags[offset] ?? 0,
        });
      }
      candidates.end = (number + 1) << blockBits;
    }
  }

  #load(): Map<string, number[]> {
    if (this.#fresh !== undefined) return this.#fresh;
    const fresh = new Map<string, number[]>();
    const rows = this.#prepare("SELECT id, tokens FROM fresh ORDER BY id").all();
    for (const { id, tokens } of rows as Array<{ id: number; tokens: string }>)
      for (const token of tokens.split(" ")) addTo(fresh, token, id);
    const [last] = this.#prepare("SELECT max(number) AS number FROM block").all() as Array<{
      number: number | null;
    }>;
    this.#first = ((last?.number ?? -1) + 1) << blockBits;
    this.#fresh = fresh;
    this.#names = [];
    this.#newNames = [...fresh.keys()];
    return fresh;
  }

  /** Two runs in order are sorted by one pass over them. */
  #sortNames(): readonly string[] {
    this.#load();
    if (this.#newNames.length > 0) this.#names = [...this.#names, ...this.#newNames.sort()].sort();
    this.#newNames = [];
    return this.#names;
  }

  /** Writes every block that is before an entry. */
  #close(id: number): void {
    const end = (id >> blockBits) << blockBits;
    const add = this.#prepare("INSERT INTO posting VALUES (?, ?, ?)");
    for (const token of this.#sortNames()) {
      const byBlock = Map.groupBy(this.#load().get(token) ?? [], (id) => id - (id % blockSize));
      for (const [first, ids] of byBlock) add.run(token, first, toBytes(ids.map((id) => id - first)));
    }
    for (let first = this.#first; first < end; first += blockSize) {
      this.#saveColumns(first);
      if ((first + blockSize) % rangeSize === 0) this.#merge(first + blockSize - rangeSize);
    }
    this.#prepare("DELETE FROM fresh WHERE id < ?").run(end);
    this.#load().clear();
    this.#names = [];
    this.#first = end;
  }

  /** Of each token, its lists in a range become one. */
  #merge(first: number): void {
    const sql = `SELECT token FROM posting WHERE first >= ? AND first < ? GROUP BY token HAVING count(*) > 1`;
    const tokens = this.#prepare(sql).all(first, first + rangeSize);
    const own = "token = ? AND first >= ? AND first < ?";
    const list = this.#prepare(`SELECT first, ids FROM posting WHERE ${own} ORDER BY first`);
    const remove = this.#prepare(`DELETE FROM posting WHERE ${own}`);
    const add = this.#prepare("INSERT INTO posting VALUES (?, ?, ?)");
    for (const { token = null } of tokens) {
      const rows = list.all(token, first, first + rangeSize) as Array<{ first: number; ids: Uint8Array }>;
      const ids = rows.flatMap((row) =>
        Array.from(toOffsets(row.ids), (offset) => row.first - first + offset),
      );
      remove.run(token, first, first + rangeSize);
      add.run(token, first, toBytes(ids));
    }
  }

  #saveColumns(first: number): void {
    const sql = "SELECT id, source, at, length, flags, speaker FROM entry WHERE id >= ? AND id < ?";
    const rows = this.#prepare(sql).all(first, first + blockSize) as unknown as CandidateRow[];
    const bytes = new Uint8Array(rowBytes * blockSize);
    const columns = toColumns(bytes);
    const names = [...new Set(["", ...rows.map(({ speaker }) => speaker)])];
    for (const { id, source, at, length, flags, speaker } of rows) {
      const offset = id % blockSize;
      columns.source[offset] = source;
      columns.at[offset] = at;
      columns.length[offset] = length;
      columns.speaker[offset] = names.indexOf(speaker);
      columns.flags[offset] = flags;
    }
    const add = this.#prepare("INSERT INTO block VALUES (?, ?, ?)");
    add.run(first >> blockBits, bytes, JSON.stringify(names));
  }

  #removeColumns(block: number, gone: ReadonlySet<number>): void {
    const [row] = this.#prepare("SELECT columns FROM block WHERE number = ?").all(block);
    if (row === undefined) return;
    const bytes = Uint8Array.from(row.columns as Uint8Array);
    for (const id of gone) if (id >> blockBits === block) toColumns(bytes).source[id % blockSize] = 0;
    this.#prepare("UPDATE block SET columns = ? WHERE number = ?").run(bytes, block);
  }

  #removeIds(range: number, gone: ReadonlySet<number>): void {
    const sql = "SELECT token, first, ids FROM posting WHERE first >= ? AND first < ?";
    const held = this.#prepare(sql).all(range, range + rangeSize);
    for (const row of held as Array<{ token: string; first: number; ids: Uint8Array }>) {
      const offsets = [...toOffsets(row.ids)];
      const kept = offsets.filter((offset) => !gone.has(row.first + offset));
      if (kept.length === offsets.length) continue;
      const change =
        kept.length === 0
          ? "DELETE FROM posting WHERE token = ? AND first = ?"
          : "UPDATE posting SET ids = ?3 WHERE token = ?1 AND first = ?2";
      this.#prepare(change).run(row.token, row.first, ...(kept.length === 0 ? [] : [toBytes(kept)]));
    }
  }
}

/** No token holds the sign that ends it, and no token or scope a blank, which separates keys. */
function toPrefix(scope: string): string {
  return `${scope === ownerScope ? "" : encodeURIComponent(scope)}\u0001`;
}

/** Whether the token is new. */
function addTo(lists: Map<string, number[]>, token: string, id: number): boolean {
  const list = lists.get(token);
  if (list === undefined) lists.set(token, [id]);
  else list.push(id);
  return list === undefined;
}

/** The place of the first that comes after a name. */
function findAfter(names: readonly string[], name: string): number {
  let [from, to] = [0, names.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((names[middle] ?? "") > name) to = middle;
    else from = middle + 1;
  }
  return from;
}

function toBytes(offsets: readonly number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(offsets).buffer);
}

function toOffsets(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
}

/** The widest first, so that each begins where its numbers may. */
function toColumns({ buffer, byteOffset: start }: Uint8Array) {
  const { at, source, length, speaker } = columnBytes;
  const sources = start + at * blockSize;
  const lengths = sources + source * blockSize;
  const speakers = lengths + length * blockSize;
  return {
    at: new Float64Array(buffer, start, blockSize),
    source: new Uint32Array(buffer, sources, blockSize),
    length: new Uint32Array(buffer, lengths, blockSize),
    speaker: new Uint32Array(buffer, speakers, blockSize),
    flags: new Uint8Array(buffer, speakers + speaker * blockSize, blockSize),
  };
}
