import { appendFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { systemClock } from "../../lib/clock.ts";
import { takeOverHistory } from "../python/history-md.ts";
import { HistoryLog, longestEntry, parseEntry } from "./history-log.ts";

let root: string;
let log: HistoryLog;
beforeEach(async () => {
  root = await createTemporaryFolder();
  log = new HistoryLog(root, systemClock);
});

const memory = (name: string) => join(root, "memory", name);
const contents = async (after = 0) => (await log.read({ after })).map(({ content }) => content);

describe("the history log", () => {
  it("gives every entry the next cursor, and keeps the last one in a file", async () => {
    await log.append({ content: "one" });
    const second = await log.append({ content: "two", session_key: "cli:direct", through: "t1.2" });
    expect(second).toMatchObject({ cursor: 2, session_key: "cli:direct", through: "t1.2" });
    expect(second?.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(await readFile(memory(".cursor"), "utf8")).toBe("2");
    expect((await stat(log.path)).mode & 0o777).toBe(0o600);
    expect(await contents(1)).toEqual(["two"]);
  });

  it("never gives a cursor twice, also when appends overlap", async () => {
    const entries = await Promise.all(
      Array.from({ length: 20 }, (_, index) => log.append({ content: `entry ${index}` })),
    );
    expect(new Set(entries.map((entry) => entry?.cursor)).size).toBe(20);
    expect(await log.read()).toHaveLength(20);
  });

  it.each([
    ["is lost", async () => rm(memory(".cursor"))],
    ["is behind", async () => writeFile(memory(".cursor"), "1")],
    ["is nonsense", async () => writeFile(memory(".cursor"), "-7\u0000")],
  ])("goes on from the file when the cursor file %s", async (_name, damage) => {
    for (const content of ["a", "b", "c"]) await log.append({ content });
    await damage();
    expect((await log.append({ content: "d" }))?.cursor).toBe(4);
  });

  it("goes on from the cursor file when the log is lost", async () => {
    for (const content of ["a", "b"]) await log.append({ content });
    await rm(log.path);
    expect((await log.append({ content: "c" }))?.cursor).toBe(3);
  });

  it("survives a torn last line and foreign ones", async () => {
    await log.append({ content: "whole" });
    await appendFile(log.path, '{"cursor":true,"content":"x"}\nnonsense\n[1]\nnull\n{"cursor":9,"conte');
    expect((await log.append({ content: "after" }))?.cursor).toBe(2);
    expect(await contents()).toEqual(["whole", "after"]);
  });

  it("stores no thoughts, no blanks, and nothing without end", async () => {
    expect(await log.append({ content: "<think>only thoughts</think>" })).toBeUndefined();
    expect(await log.append({ content: "  " })).toBeUndefined();
    expect((await log.append({ content: "x".repeat(longestEntry * 2) }))?.content).toHaveLength(longestEntry);
  });

  it("finds the newest entry that covers messages of a session", async () => {
    await log.append({ content: "a", session_key: "s", through: "t1" });
    await log.append({ content: "b", session_key: "s", through: "t2" });
    await log.append({ content: "c", session_key: "other", through: "t9" });
    expect((await log.findLast("s", () => true))?.through).toBe("t2");
    expect((await log.findLast("s", (id) => id === "t1"))?.through).toBe("t1");
    expect(await log.findLast("nobody", () => true)).toBeUndefined();
  });

  it("keeps a thousand entries, and all that Dream has not read", async () => {
    await mkdir(join(root, "memory"));
    const lines = Array.from({ length: 1_500 }, (_, index) =>
      JSON.stringify({ cursor: index + 1, content: "x" }),
    );
    await writeFile(log.path, `${lines.join("\n")}\n`);
    await log.compact();
    expect(await log.read()).toHaveLength(1_500);
    await log.writeDreamCursor(1_400);
    await log.compact();
    const kept = await log.read();
    expect([kept.length, kept[0]?.cursor]).toEqual([1_000, 501]);
  });

  it("keeps damaged and foreign lines byte for byte when it is compacted", async () => {
    await mkdir(join(root, "memory"));
    const entry = (cursor: number) => Buffer.from(`{"cursor":${cursor},"content":"x","mine":1}\n`);
    const foreign = [
      Buffer.from('{"cursor":3,"content":"half a li\n'),
      Buffer.from([0xff, 0xfe, 0, 0, 0x0a]),
      Buffer.from('{"note":"from a person"}\n'),
      Buffer.from(`${"long ".repeat(300_000)}\n`),
    ];
    const entries = Array.from({ length: 1_200 }, (_, index) => entry(index + 1));
    const tail = Buffer.from("torn");
    await writeFile(log.path, Buffer.concat([...foreign, ...entries, tail]));
    await log.writeDreamCursor(1_200);
    await log.compact();
    const expected = Buffer.concat([...foreign, ...entries.slice(-1_000), tail, Buffer.from("\n")]);
    expect((await readFile(log.path)).equals(expected)).toBe(true);
  });

  it("does not take for read what is still to come, whatever the cursor says", async () => {
    await log.append({ content: "one" });
    await log.writeDreamCursor(999);
    const { cursor = 0 } = (await log.append({ content: "two" })) ?? {};
    expect(await log.readDreamCursor()).toBeLessThanOrEqual(cursor);
  });

  it("passes over what was forgotten, gives its cursor to nobody, and loses it with the next compaction", async () => {
    for (const content of ["one", "two", "three"]) await log.append({ content });
    await log.forget([2]);
    await log.forget([]);
    expect(await contents()).toEqual(["one", "three"]);
    expect((await log.read({ most: 1, after: 1 })).map(({ content }) => content)).toEqual(["three"]);
    await log.forget([3]);
    expect((await log.append({ content: "four" }))?.cursor).toBe(4);
    await appendFile(log.path, '{"forgotten":[1]\n{"forgotten":7}\n{"forgotten":["1"]}\n');
    expect(await contents()).toEqual(["one", "four"]);
    await writeFile(
      log.path,
      `${await readFile(log.path, "utf8")}${`${JSON.stringify({ cursor: 9, content: "x" })}\n`.repeat(1_100)}`,
    );
    await log.writeDreamCursor(9);
    await log.compact();
    expect(await readFile(log.path, "utf8")).not.toContain("two");
  });

  it("takes over an older HISTORY.md once, as entries that are already read", async () => {
    await mkdir(join(root, "memory"));
    await writeFile(memory("HISTORY.md"), "# History\n\n[2026-01-01] met Ada\n\nplans a trip\nto Rome\n");
    expect(await takeOverHistory(root, systemClock)).toBe(2);
    expect(await contents()).toEqual(["[2026-01-01] met Ada", "plans a trip\nto Rome"]);
    expect(await log.readDreamCursor()).toBe(2);
    expect(await takeOverHistory(root, systemClock)).toBe(0);
    expect(await readFile(memory("HISTORY.md.bak"), "utf8")).toContain("Ada");
  });

  it("reads any line without throwing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const entry = parseEntry(line);
        if (entry !== undefined) expect(entry.cursor).toBeGreaterThan(0);
      }),
    );
  });
});
