// What searches hold in memory: it grows with everything that was ever said, so it is little for each entry, and no search
// adds to it. How well they find is tested in recall.test.ts.
import { expect, it } from "vitest";
import { Candidates } from "../storage/search/candidates.ts";
import { rank } from "./rank.ts";

const entries = 50_000;

function fill(candidates = new Candidates()): Candidates {
  for (let id = 1; id <= entries; id++) {
    const speaker = id % 2 === 0 ? "Ada Lovelace" : "";
    candidates.add("owner", { id, source: 1 + (id % 400), at: id * 1_000, length: 12, flags: 0, speaker });
  }
  return candidates;
}

const view = {
  sources: new Uint8Array(401).fill(1, 1),
  totals: { entries, episodes: 400, words: 13 * entries },
};
const query = {
  view,
  isVisible: () => true,
  speakers: new Set<number>(),
  dates: [],
  mentions: new Set<number>(),
  similar: new Map<number, number>(),
  asksWhen: false,
  now: entries * 1_000,
  count: 8,
};
const every = Array.from({ length: entries }, (_, index) => index + 1);

it("an entry takes no more than fifty bytes", () => {
  const candidates = fill();
  const columns = Object.values(candidates).filter((value) => ArrayBuffer.isView(value));
  expect(columns.reduce((sum, { byteLength }) => sum + byteLength, 0) / entries).toBeLessThan(50);
});

it("is filled again in the same place, and finds the same", () => {
  const candidates = fill();
  const { at, end } = candidates;
  const search = () =>
    rank(candidates, { ...query, terms: [{ weight: 1, forms: [{ weight: 1, entries: [7, 8, 900] }] }] });
  const first = search();
  candidates.clear();
  expect([search().entries, candidates.end, candidates.speakersNamed("owner", "ada")]).toEqual([[], 0, []]);
  expect(fill(candidates)).toMatchObject({ end });
  expect(candidates.at).toBe(at);
  expect(search()).toEqual(first);
});

it("a search leaves nothing behind, however much there is to search", () => {
  const candidates = fill();
  const search = () =>
    rank(candidates, { ...query, terms: [{ weight: 1, forms: [{ weight: 1, entries: every }] }] });
  const first = search();
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0; number < 20; number++) expect(search()).toEqual(first);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(500_000);
});

it("a word is looked for only when the one before it was counted", () => {
  const held: string[] = [];
  function* terms() {
    for (const word of ["one", "two"]) {
      held.push(`${word} begins`);
      yield { weight: 1, forms: [{ weight: 1, entries: every }] };
      held.push(`${word} ends`);
    }
  }
  rank(fill(), { ...query, terms: terms() });
  expect(held).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});
