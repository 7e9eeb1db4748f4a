// Where a file comes closest to a text that is not in it, shown as a diff, so that a model can correct its edit.
import { diffLines } from "../lib/line-diff.ts";
import { takeHead } from "../lib/text.ts";

export interface Region {
  /** Lines from 1. */
  firstLine: number;
  lastLine: number;
  text: string;
  /** Share of common words, or of common letter pairs, from 0 to 1. */
  similarity: number;
}

const largestSearched = 2_000_000;
const leastSimilarity = 0.5;
const longestDiff = 4000;

/** Undefined when nothing is alike. Linear in the size of the text. */
export function findNearestRegion(text: string, wanted: string): Region | undefined {
  if (text.length > largestSearched) return undefined;
  const lines = text.split("\n");
  const height = Math.min(lines.length, wanted.replace(/\n$/, "").split("\n").length);
  const byWords = findBestWindow(lines.map(toWords), height, toWords(wanted));
  // A slip inside of the only word leaves no word in common, but most of its letters.
  const isAlike = byWords[1] >= leastSimilarity;
  const best = isAlike ? byWords : findBestWindow(lines.map(toPairs), height, toPairs(wanted));
  const [firstLine, similarity] = best;
  if (similarity < leastSimilarity) return undefined;
  const region = lines.slice(firstLine, firstLine + height).join("\n");
  return { firstLine: firstLine + 1, lastLine: firstLine + height, text: region, similarity };
}

/** What would have to change in `wanted` to be the region. */
export async function diffRegion(wanted: string, region: string): Promise<string> {
  const diff = await diffLines(wanted.replace(/\n$/, ""), region, longestDiff);
  return diff === undefined ? takeHead(region, longestDiff) : `--- old_text\n+++ file\n${diff}`;
}

/** Slides over the lines, keeping count of the words that the window has in common with the wanted ones. */
function findBestWindow(
  lines: string[][],
  height: number,
  wanted: string[],
): [start: number, similarity: number] {
  const balance = new Map<string, number>();
  for (const word of wanted) balance.set(word, (balance.get(word) ?? 0) + 1);
  let common = 0;
  let size = 0;
  let best: [number, number] = [0, 0];
  function take(word: string): void {
    const left = balance.get(word) ?? 0;
    if (left > 0) common++;
    balance.set(word, left - 1);
    size++;
  }
  function giveBack(word: string): void {
    const left = balance.get(word) ?? 0;
    if (left >= 0) common--;
    balance.set(word, left + 1);
    size--;
  }
  for (const [index, words] of lines.entries()) {
    words.forEach(take);
    if (index >= height) lines[index - height]?.forEach(giveBack);
    const similarity = (2 * common) / Math.max(1, size + wanted.length);
    if (index >= height - 1 && similarity > best[1]) best = [index - height + 1, similarity];
  }
  return best;
}

/** Words, single Chinese characters and single signs, in lower case; whitespace does not count. */
function toWords(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[[\p{L}\p{N}_]--\p{Script=Han}]+|[^\s\p{L}\p{N}_]/gv) ?? [];
}

/** Neighbouring letters, for what is too short to be compared by words. */
function toPairs(text: string): string[] {
  const letters = text.toLowerCase().replaceAll(/\s+/g, "");
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) =>
    letters.slice(index, index + 2),
  );
}
