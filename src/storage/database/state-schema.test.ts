import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { fixtureHomes } from "../../../test/support/fixture-home.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateDatabase } from "./state-database.ts";

/**
 * What would be missing, silently, where a database is kept elsewhere by its changesets: tables without a primary key that
 * cannot be null, virtual tables, triggers. Counters of AUTOINCREMENT go back there, so nothing may depend on them.
 */
function findUnrecordable(database: DatabaseSync): string[] {
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
  const entries = database.prepare(sql).all() as Array<{ type: string; name: string; sql: string }>;
  return entries.flatMap((entry) => {
    if (entry.type === "trigger") return [`${entry.name} is a trigger`];
    if (entry.type !== "table") return [];
    if (/^CREATE\s+VIRTUAL/i.test(entry.sql)) return [`${entry.name} is a virtual table`];
    return hasKey(database, entry.name) ? [] : [`${entry.name} has no primary key that cannot be null`];
  });
}

function hasKey(database: DatabaseSync, table: string): boolean {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as unknown as Column[];
  const keys = columns.filter(({ pk }) => pk > 0);
  // An INTEGER PRIMARY KEY is the number of the row itself.
  const isRowNumber = keys.length === 1 && keys[0]?.type === "INTEGER";
  return keys.length > 0 && (isRowNumber || keys.every(({ notnull }) => notnull === 1));
}

interface Column {
  type: string;
  notnull: number;
  pk: number;
}

function inspect(path: string): { faults: string[]; version: unknown } {
  const database = new DatabaseSync(path, { readOnly: true });
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  const faults = findUnrecordable(database);
  database.close();
  return { faults, version };
}

describe("state.db", () => {
  it("holds nothing that changesets would leave out", async () => {
    const path = join(await createTemporaryFolder(), "state.db");
    (await StateDatabase.open({ path })).close();
    expect(inspect(path)).toEqual({ faults: [], version: 2 });
  });

  it("of every home of 0.1.0 is brought to that, with a copy of what it was", async () => {
    const names = await readdir(fixtureHomes);
    expect(names).not.toEqual([]);
    for (const name of names) {
      const path = join(await createTemporaryFolder(), "state.db");
      const old = new DatabaseSync(path);
      old.exec(await readFile(join(fixtureHomes, name, "state.sql"), "utf8"));
      old.close();
      expect(inspect(path).faults, name).toEqual(["draft has no primary key that cannot be null"]);
      const state = await StateDatabase.open({ path });
      const count = state.all("SELECT * FROM draft").length;
      state.close();
      expect(inspect(path), name).toEqual({ faults: [], version: 2 });
      const before = new DatabaseSync(`${path}.v1`);
      expect(before.prepare("SELECT * FROM draft").all()).toHaveLength(count);
      before.close();
    }
  });

  it("is said to leave out what has no key, is virtual, or is changed by a trigger", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(
      `CREATE TABLE plain (a TEXT); CREATE TABLE loose (a TEXT PRIMARY KEY); CREATE TABLE good (a INTEGER PRIMARY KEY);
       CREATE TABLE pair (a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (a, b));
       CREATE TRIGGER t AFTER INSERT ON good BEGIN DELETE FROM plain; END;`,
    );
    expect(findUnrecordable(database)).toEqual([
      "loose has no primary key that cannot be null",
      "plain has no primary key that cannot be null",
      "t is a trigger",
    ]);
    database.close();
  });
});
