import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateDatabase } from "./state-database.ts";
import { NewerStateError } from "./state-schema.ts";

const insert = "INSERT INTO inbox (id, source_key) VALUES (?, ?)";

describe("state.db", () => {
  it("undoes alone what fails, and commits the rest of the tick", async () => {
    const path = join(await createTemporaryFolder(), "state.db");
    const state = await StateDatabase.open({ path });
    await state.write(() => state.run(insert, "a", "a"));
    const outcomes = await Promise.allSettled([
      state.write(() => state.run(insert, "b", "b")),
      state.write(() => state.run(insert, "c", "c") + state.run(insert, "a", "a")),
      state.write(() => state.run(insert, "d", "d")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    state.close();
    const again = await StateDatabase.open({ path });
    expect(again.all("SELECT id FROM inbox ORDER BY id")).toEqual([{ id: "a" }, { id: "b" }, { id: "d" }]);
    again.close();
  });

  it("leaves no file behind when it is kept in memory", async () => {
    const state = await StateDatabase.open({ path: ":memory:" });
    await state.write(() => state.run(insert, "a", "a"));
    state.close();
    expect(existsSync(":memory:")).toBe(false);
  });

  it("rejects everything of a commit that the disk refuses, and works again when there is room", async () => {
    const path = join(await createTemporaryFolder(), "state.db");
    const state = await StateDatabase.open({ path });
    await state.write(() => state.run(insert, "a", "a"));
    const [{ page_count: pages } = { page_count: 0 }] = state.all<{ page_count: number }>(
      "PRAGMA page_count",
    );
    state.all(`PRAGMA max_page_count = ${pages}`);
    const large = "x".repeat(100_000);
    const outcomes = await Promise.allSettled([
      state.write(() => state.run(insert, "b", large)),
      state.write(() => state.run(insert, "c", `${large}c`)),
      // It would fit, but shares their end.
      state.write(() => state.run("UPDATE inbox SET state = 'done' WHERE id = 'a'")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(state.all("SELECT id, state FROM inbox")).toEqual([{ id: "a", state: "waiting" }]);
    state.all("PRAGMA max_page_count = 1000000");
    await state.write(() => state.run(insert, "b", large));
    expect(state.all("SELECT count(*) AS count FROM inbox")).toEqual([{ count: 2 }]);
    state.close();
  });

  it("sets a file aside that is no database, and starts again", async () => {
    const home = await createTemporaryFolder({ "state.db": "garbage ".repeat(1000) });
    const aside: string[] = [];
    const state = await StateDatabase.open({
      path: join(home, "state.db"),
      onDamaged: (repair) => aside.push(repair.aside),
    });
    await state.write(() => state.run(insert, "a", "a"));
    state.close();
    expect(aside).toHaveLength(1);
    expect(await readdir(home)).toContain(aside[0]?.split("/").at(-1));
  });

  it("refuses a file of a newer version and leaves it as it is", async () => {
    const home = await createTemporaryFolder();
    const path = join(home, "state.db");
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    await expect(StateDatabase.open({ path })).rejects.toThrow(NewerStateError);
    expect(await readdir(home)).toEqual(["state.db"]);
  });

  it("commits what was asked for before it is closed", async () => {
    const path = join(await createTemporaryFolder(), "state.db");
    const state = await StateDatabase.open({ path });
    const written = state.write(() => state.run(insert, "a", "a"));
    state.close();
    expect(await written).toBe(1);
  });
});
