import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { fixtureHomes } from "../../../test/support/fixture-home.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateDatabase } from "./state-database.ts";
import { findUnrecordable } from "./state-schema.ts";

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
