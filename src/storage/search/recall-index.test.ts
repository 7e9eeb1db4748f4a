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
      index.addEntry(
        "owner",
        { ...place, at: number, role: "user", speaker: "", length: 1, flags: 0 },
        new Set(words),
      );
    }
  });
  return index;
}

it("a word that most of many entries hold is common, and one of every second entry is not", async () => {
  const index = await fill(5_000);
  const words = ["weather", "even", "dentist", "never"];
  const counts = index.view("owner").count(words);
  expect([...counts]).toEqual([
    ["weather", 5_000],
    ["even", 2_500],
    ["dentist", 1],
    ["never", 0],
  ]);
  expect(words.filter((word) => (counts.get(word) ?? 0) > index.view("owner").mostCommon)).toEqual([
    "weather",
  ]);
});

it("in a small index no word is common", async () => {
  const index = await fill(100);
  expect(index.view("owner").mostCommon).toBeGreaterThan(100);
  expect(index.view("owner").find("weather")).toHaveLength(100);
});

it("finds words in full blocks and in the newest entries, and forgets entries of both", async () => {
  const index = await fill(9_000);
  const [first] = index.findByKeys(["k7"]);
  const [last] = index.findByKeys(["k8999"]);
  expect([...index.view("owner").find("dentist")]).toEqual([first?.id]);
  expect([...index.view("owner").find("weather")]).toEqual(
    Array.from({ length: 9_000 }, (_, number) => number + 1),
  );
  expect(index.view("owner").totals).toEqual({ entries: 9_000, episodes: 1, words: 18_000 });
  index.write(() => index.removeEntries(first?.source ?? 0, ["k7", "k8999"], []));
  expect([...index.view("owner").find("dentist")]).toEqual([]);
  const kept = [...index.view("owner").find("weather")];
  expect([kept.length, kept.includes(first?.id ?? 0), kept.includes(last?.id ?? 0)]).toEqual([
    8_998,
    false,
    false,
  ]);
  expect(index.view("owner").totals.entries).toBe(8_998);
});

it("what was not written to the end leaves nothing behind", async () => {
  const index = await fill(10);
  const [entry] = index.findByKeys(["k7"]);
  const addAndFail = () => {
    index.addEntry(
      "owner",
      { ...entry, source: 1, key: "late", role: "user", speaker: "", flags: 0 } as never,
      new Set(["late"]),
    );
    throw new Error("full");
  };
  expect(() => index.write(addAndFail)).toThrow("full");
  expect([index.view("owner").find("late").length, index.candidates.end]).toEqual([0, 11]);
});

it("finds and forgets words in lists that were merged, and after them", async () => {
  const index = await fill(66_000);
  const view = index.view("owner");
  expect(view.count(["weather", "even", "dentist"])).toEqual(
    new Map([
      ["weather", 66_000],
      ["even", 33_000],
      ["dentist", 1],
    ]),
  );
  expect(view.find("weather")).toEqual(Uint32Array.from({ length: 66_000 }, (_, number) => number + 1));
  const keys = ["k7", "k40000", "k65900"];
  const gone = index.findByKeys(keys).map(({ id }) => id);
  index.write(() => index.removeEntries(1, keys, []));
  const kept = new Set(index.view("owner").find("weather"));
  expect([kept.size, gone.some((id) => kept.has(id))]).toEqual([65_997, false]);
});
