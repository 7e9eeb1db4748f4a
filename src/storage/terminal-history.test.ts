import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cases } from "../../test/support/long-form.ts";
import { systemClock } from "../lib/clock.ts";
import { neutralise } from "../lib/visible-text.ts";
import { TerminalHistory } from "./terminal-history.ts";

describe("TerminalHistory", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "nanobot-history-"));
    path = join(folder, "history", "cli_history");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => new TerminalHistory({ terminalHistory: path }, systemClock);

  it("is empty at first, and private once something was typed", async () => {
    expect(await open().load()).toEqual([]);
    await open().append("hello");
    expect(await open().load()).toEqual(["hello"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "history"))).mode & 0o777).toBe(0o700);
  });

  it("reads what the Python original wrote", async () => {
    await open().append("first");
    await writeFile(path, "\n# 2026-01-02 10:00:00.123456\n+one\n\n# 2026-01-02 10:01:00.1\n+two\n+lines\n");
    expect(await open().load()).toEqual(["two\nlines", "one"]);
  });

  /** What ends a line for some, but not here. */
  const lines = fc
    .array(fc.constantFrom("a", "+", "#", "\n", "\r", "\u2028", " "))
    .map((parts) => parts.join(""));

  it("keeps every entry of any text, newest first and each once, with nothing in it that a terminal obeys", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string({ unit: "grapheme" }), lines)), async (entries) => {
        await rm(path, { force: true });
        const history = open();
        for (const entry of entries) await history.append(entry);
        const kept = entries.filter((entry) => entry.trim() !== "").reverse();
        expect(await history.load()).toEqual([...new Set(kept.map(neutralise))]);
      }),
      { numRuns: cases(50) },
    );
  });

  it("loses nothing when several write at once", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `entry ${index}`);
    await Promise.all(names.map((name) => open().append(name)));
    expect((await open().load()).sort()).toEqual(names.sort());
  });

  it("cuts a file that has grown too large to its newest part", async () => {
    const history = open();
    await history.append("old");
    await writeFile(path, `\n# x\n+${"y".repeat(50)}\n`.repeat(20_000));
    await history.append("newest");
    expect((await history.load())[0]).toBe("newest");
    expect((await stat(path)).size).toBeLessThan(200_000);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("+newest\n");
  });
});
