// A damaged state.db: set aside whole with its journals, never deleted, and what can still be read of it carried over into
// the new one. Of several processes that find the damage, one repairs it.
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type SalvagedRow, salvageRows } from "./salvage-rows.ts";
import { type StateTable, stateTables } from "./state-schema.ts";

export interface StateRepair {
  /** Where the damaged file is now. */
  aside: string;
  /** Rows that were carried over. */
  carried: Record<StateTable, number>;
}

/** Damaged databases that are kept next to it; the first ones stay. */
const mostAside = 5;
/** Ends of the names of the files that a database consists of. */
export const journals = ["", "-wal", "-shm"];

/** Names of those next to it, oldest first. */
export function listAside(path: string): string[] {
  const start = `${basename(path)}.damaged-`;
  if (!existsSync(dirname(path))) return [];
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(start) && /\d$/.test(name));
  return names.sort((a, b) => numberOf(a) - numberOf(b));
}

/**
 * The new one is made first, next to it, so that a death at any moment loses nothing: what is there in the end is found by
 * `finishRepair`. `create` opens a new database of that name.
 */
export function repairState(path: string, create: (path: string) => DatabaseSync): StateRepair {
  const fresh = freshPath(path);
  for (const end of journals) rmSync(fresh + end, { force: true });
  const database = create(fresh);
  const carried = carryOver(path, database);
  // Its log is written back into it.
  database.close();
  const aside = findName(path);
  for (const end of journals.slice(1)) {
    rmSync(aside + end, { force: true });
    if (existsSync(path + end)) copyFileSync(path + end, aside + end);
  }
  renameSync(path, aside);
  finishRepair(path);
  return { aside, carried };
}

/** After a death in the middle of a repair. The log of the old one would be taken for that of the new one. */
export function finishRepair(path: string): void {
  if (existsSync(path) || !existsSync(freshPath(path))) return;
  for (const end of journals.slice(1)) rmSync(path + end, { force: true });
  renameSync(freshPath(path), path);
}

function findName(path: string): string {
  const kept = listAside(path);
  const last = numberOf(kept.at(-1) ?? "-0");
  return join(dirname(path), `${basename(path)}.damaged-${kept.length < mostAside ? last + 1 : last}`);
}

function freshPath(path: string): string {
  return `${path}.new`;
}

/** Into a database with empty tables. */
function carryOver(path: string, database: DatabaseSync): StateRepair["carried"] {
  const salvaged = sortRows(salvageRows(path), database);
  const carried = { inbox: 0, outbox: 0, draft: 0, ledger: 0 };
  database.exec("BEGIN IMMEDIATE");
  for (const table of stateTables) {
    for (const { id, values } of salvaged[table].values()) {
      const marks = values.map(() => "?").join(", ");
      const statement = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${marks})`);
      const [first = null, ...rest] = values;
      const { changes } = statement.run(table === "draft" ? first : id, ...rest);
      carried[table] += Number(changes);
    }
  }
  database.exec("COMMIT");
  return carried;
}

type Kind = "id" | "text" | "number";

/** By the number and the kinds of their values, in which no two of our tables are alike. */
function sortRows(
  rows: readonly SalvagedRow[],
  database: DatabaseSync,
): Record<StateTable, Map<number, SalvagedRow>> {
  const kinds = stateTables.map((table) => [table, readKinds(database, table)] as const);
  const rowsByTable = { inbox: new Map(), outbox: new Map(), draft: new Map(), ledger: new Map() };
  for (const row of rows) {
    const [table] = kinds.find(([, expected]) => isLike(row, expected)) ?? [];
    if (table === undefined) continue;
    const other: SalvagedRow | undefined = rowsByTable[table].get(row.id);
    // An older copy of a page may have been left: what is filled in further is newer.
    if (other === undefined || countFilled(row) >= countFilled(other)) rowsByTable[table].set(row.id, row);
  }
  return rowsByTable;
}

function readKinds(database: DatabaseSync, table: StateTable): Kind[] {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as Array<{ type: string }>;
  return columns.map(({ type }) => (type === "INTEGER" ? "id" : type === "TEXT" ? "text" : "number"));
}

function isLike({ id, values }: SalvagedRow, expected: readonly Kind[]): boolean {
  if (values.length !== expected.length || !Number.isSafeInteger(id) || id <= 0) return false;
  // The number of a row is before it, and its own column is empty.
  return expected.every((kind, index) => {
    const value = values[index];
    return value === null || (kind !== "id" && typeof value === (kind === "text" ? "string" : "number"));
  });
}

function countFilled({ values }: SalvagedRow): number {
  return values.filter((value) => value !== null).length;
}

function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
