import { expect, it, onTestFinished } from "vitest";
import { loadSqlite } from "../database/sqlite.ts";
import { RecallIndex } from "./recall-index.ts";

async function fill(count: number): Promise<RecallIndex> {
  const { DatabaseSync } = await loadSqlite();
  const index = new RecallIndex(new DatabaseSync(":memory:"), "here");
  onTestFinished(() => index.close());
  const file = { path: "a", kind: "session", scope: "owner", name: "a", inode: 1, size: 1 } as const;
  index.write(() => {
    const source = index.saveSource({ ...file, id: 0, changedAt: 0, end: 0, tail: "", at: 0 });
    for (let number = 0; number < count; number += 1) {
      const place = { source, key: `k${number}`, start: 0, bytes: 0, from: 0, to: 0 };
      const words = ["weather", ...(number % 2 === 0 ? ["even"] : []), ...(number === 7 ? ["dentist"] : [])];
      index.addEntry({ ...place, at: number, role: "user", speaker: "", length: 1 }, new Set(words));
    }
  });
  return index;
}

it("a word that most of many entries hold is common, and one of every second entry is not", async () => {
  const index = await fill(5_000);
  expect(["weather", "even", "dentist", "never"].map((word) => index.isCommon(word))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("in a small index no word is common", async () => {
  const index = await fill(100);
  expect(index.isCommon("weather")).toBe(false);
  expect(index.find("weather")).toHaveLength(100);
});
