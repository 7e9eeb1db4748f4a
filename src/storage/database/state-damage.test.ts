import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { StateRepair } from "./repair-state.ts";
import { StateDatabase } from "./state-database.ts";

const rows = 60;
const pageSize = 4096;

/** Long enough that rows of each table stand on several pages, and some go on in others. */
const textOf = (index: number) => JSON.stringify({ id: `m${index}`, text: "喝水 ".repeat(index * 11) });

async function createState() {
  const folder = await createTemporaryFolder();
  const path = join(folder, "state.db");
  const state = await StateDatabase.open({ path });
  await state.write(() => {
    for (let index = 0; index < rows; index++) {
      const message = textOf(index);
      state.run(
        "INSERT INTO inbox (id, source_key, message, received_at) VALUES (?, ?, ?, ?)",
        `m${index}`,
        `k${index}`,
        message,
        index,
      );
      state.run(
        "INSERT INTO outbox (id, channel, chat_id, part) VALUES (?, 'telegram', '42', ?)",
        `p${index}`,
        message,
      );
      state.run("INSERT INTO draft (turn_id, platform_id) VALUES (?, ?)", `m${index}`, `${index}`);
      state.run("INSERT INTO ledger (at, model, cost) VALUES (?, 'm', ?)", index, index / 7);
    }
  });
  return { folder, path, state };
}

async function reopen(path: string) {
  const repairs: StateRepair[] = [];
  const state = await StateDatabase.open({ path, onDamaged: (repair) => repairs.push(repair) });
  const inbox = state.all<{ id: string; message: string }>("SELECT id, message FROM inbox ORDER BY seq");
  return { state, repairs, inbox };
}

describe("a damaged state.db", () => {
  it("opens whatever happened to one page, and keeps every row of the other pages", async () => {
    const { folder, path, state } = await createState();
    state.close();
    const whole = await readFile(path);
    const pages = whole.length / pageSize;
    const damage = fc.record({
      page: fc.nat(pages - 1),
      at: fc.nat(pageSize - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ page, at, bytes }) => {
        const damaged = Buffer.from(whole);
        damaged.set(bytes.subarray(0, pageSize - at), page * pageSize + at);
        await writeFile(path, damaged);
        const { state: again, repairs, inbox } = await reopen(path);
        await again.write(() => again.run("INSERT INTO inbox (id, source_key) VALUES ('new', 'new')"));
        again.close();
        // A page holds a few rows; the others are as they were.
        const same = inbox.filter(({ id, message }) => message === textOf(Number(id.slice(1)))).length;
        expect(same).toBeGreaterThanOrEqual(repairs.length > 0 ? rows - 30 : rows - 1);
        expect((await readdir(folder)).filter((name) => /\.(new|repair)/.test(name))).toEqual([]);
      }),
      { numRuns: cases(25) },
    );
    expect((await readdir(folder)).filter((name) => /damaged-\d$/.test(name)).length).toBeLessThanOrEqual(5);
  });

  it("whose first page is gone keeps the queued messages of all others, and its log next to it", async () => {
    const { path, state } = await createState();
    const folder = await createTemporaryFolder();
    const copy = join(folder, "state.db");
    // Without an orderly end: most of it is in the log.
    for (const end of ["", "-wal"]) await copyFile(path + end, copy + end);
    state.close();
    const bytes = await readFile(copy);
    bytes.fill(0xaa, 0, 100);
    await writeFile(copy, bytes);
    const log = await readFile(`${copy}-wal`);
    const { state: again, repairs, inbox } = await reopen(copy);
    expect(inbox.map(({ message }) => message)).toEqual(
      Array.from({ length: rows }, (_, index) => textOf(index)),
    );
    expect(repairs).toEqual([
      { aside: `${copy}.damaged-1`, carried: { inbox: rows, outbox: rows, draft: rows, ledger: rows } },
    ]);
    expect(await readFile(`${copy}.damaged-1-wal`)).toEqual(log);
    again.close();
    const { state: third, repairs: more } = await reopen(copy);
    third.close();
    expect(more).toEqual([]);
  });

  it.each([
    ["no version", 0],
    ["a version that is not there yet", 7],
  ])("with %s in its header is read as what it is", async (_, version) => {
    const { path, state } = await createState();
    state.close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    const { state: again, inbox } = await reopen(path);
    expect(inbox).toHaveLength(rows);
    again.close();
  });

  it("that shows while it is in use is repaired in place, and what was asked for is done", async () => {
    const { path, state } = await createState();
    state.close();
    const { state: again, repairs } = await reopen(path);
    const other = await StateDatabase.open({ path });
    const bytes = await readFile(path);
    for (let page = 1; page < bytes.length / pageSize; page += 1)
      // Every page of an index: the rows are whole.
      if ([2, 10].includes(bytes[page * pageSize] ?? 0))
        bytes.fill(0x77, page * pageSize, page * pageSize + 12);
    await writeFile(path, bytes);
    again.all("PRAGMA shrink_memory");
    await again.write(() => again.run("INSERT INTO inbox (id, source_key) VALUES ('new', 'new')"));
    expect(repairs).toHaveLength(1);
    expect(again.all("SELECT count(*) AS count FROM inbox")).toEqual([{ count: rows + 1 }]);
    // Another process that had it open goes on with the new one.
    await other.write(() => other.run("INSERT INTO inbox (id, source_key) VALUES ('late', 'late')"));
    expect(again.all("SELECT count(*) AS count FROM inbox")).toEqual([{ count: rows + 2 }]);
    again.close();
    other.close();
  });

  it("is found by the check of one table after the other", async () => {
    const { path, state } = await createState();
    state.close();
    const { state: again, repairs } = await reopen(path);
    const bytes = await readFile(path);
    for (let page = 1; page < bytes.length / pageSize; page += 1)
      if (bytes[page * pageSize] === 10) bytes.fill(0x77, page * pageSize, page * pageSize + 12);
    await writeFile(path, bytes);
    for (let index = 0; index < 4; index++) again.check();
    expect(repairs).toHaveLength(1);
    again.close();
  });

  it("is told apart from a disk that refuses: the sentence names the file, and nothing is set aside", async () => {
    const { folder, path, state } = await createState();
    state.close();
    await mkdir(`${path}-wal`);
    await expect(StateDatabase.open({ path })).rejects.toMatchObject({ name: "StateDatabaseError", path });
    expect((await readdir(folder)).filter((name) => name.includes("damaged"))).toEqual([]);
  });

  it("is repaired to the end after a death between its two steps", async () => {
    const { path, state } = await createState();
    state.close();
    await copyFile(path, `${path}.new`);
    await writeFile(`${path}-wal`, "of the old one");
    await rm(path);
    const { state: again, inbox } = await reopen(path);
    expect(inbox).toHaveLength(rows);
    expect(existsSync(`${path}.new`)).toBe(false);
    again.close();
  });
});
