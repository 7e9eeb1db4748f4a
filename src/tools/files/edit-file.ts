// The tool edit_file: replaces a passage of a text file and leaves every other byte as it was.
import * as z from "zod";
import { toMissingError } from "../../guards/files/file-error.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { isBlank, takeHead, toWellFormed } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, ToolError } from "../../runner/tool.ts";
import { decodeText } from "./file-content.ts";
import { findMatches, lineAt, type Matches, selectMatches, type TextMatch } from "./match-text.ts";

const parameters = z.object({
  path: z.string(),
  old_text: z.string().describe('Without line numbers; "" fills a new or blank file'),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
  occurrence: z.int().min(1).optional().describe("Which match, from 1"),
  line_hint: z.int().min(1).optional(),
  expected_replacements: z.int().min(1).optional(),
});

type Arguments = z.output<typeof parameters>;

export function createEditFile(roots: FileRoots): Tool<Arguments> {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces text in a file. old_text must occur once, unless a selector is given; indentation and quote style may differ.",
    parameters,
    effects: ({ path, old_text, new_text }) => [
      { type: "write", path, text: new_text, ...(old_text !== "" && { replaces: old_text }) },
    ],
    async execute(args, { origin }) {
      let report = "";
      const written = await roots.updateInside(args.path, origin, async (current) => {
        if (args.old_text === "") return fillFile(current, args);
        if (current === undefined)
          throw await toMissingError(await roots.resolveRead(args.path, origin), args.path);
        const edited = await editBytes(current, args);
        report = edited.report;
        return edited.bytes;
      });
      const shown = roots.display(written, origin);
      return { content: report === "" ? `Created ${shown}.` : `Edited ${shown}: ${report}` };
    },
  });
}

function fillFile(current: Buffer | undefined, { path, new_text }: Arguments): string {
  if (current !== undefined && !isBlank(current.toString("utf8"))) {
    throw new ToolError(`${path} is not empty. Give the passage to replace as old_text, or use write_file.`);
  }
  if (new_text === "") throw new ToolError("old_text and new_text are both empty. Give the text to write.");
  return toWellFormed(new_text);
}

async function editBytes(bytes: Buffer, args: Arguments): Promise<{ bytes: Buffer; report: string }> {
  const decoded = decodeText(bytes);
  if (typeof decoded === "string") {
    throw new ToolError(`${args.path} ${decoded}, so it cannot be edited here. Convert it to UTF-8 first.`);
  }
  const plain = toPlainText(decoded.text);
  const oldText = toLineFeeds(args.old_text);
  const newText = toWellFormed(toLineFeeds(args.new_text));
  if (oldText === newText)
    throw new ToolError("old_text and new_text are the same. Give a different new_text.");
  const { how, matches } = findMatches(plain.text, oldText, newText);
  if (matches.length === 0) throw new ToolError(await describeAbsence(plain.text, oldText, args.path));
  const selected = selectMatches(plain.text, matches, args);
  const text = applyMatches(decoded.text, plain, selected);
  if (text === decoded.text) {
    throw new ToolError("The edit would change nothing: the file already reads like that. Go on without it.");
  }
  return { bytes: decoded.encode(text), report: describeChange(plain.text, selected, how) };
}

function applyMatches(original: string, plain: PlainText, matches: TextMatch[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, replacement } of matches) {
    const fitted = plain.lineEnd === "\n" ? replacement : replacement.replaceAll("\n", "\r\n");
    pieces.push(original.slice(done, plain.toOriginal(start)), fitted);
    done = plain.toOriginal(end);
  }
  return pieces.join("") + original.slice(done);
}

const shownChanges = 10;

const tolerance: Record<Matches["how"], string> = {
  exact: "",
  whitespace: " Matched without regard to indentation: check the result.",
  quotes: " Matched without regard to quote style: check the result.",
};

/** The lines that changed, numbered as they are now. */
function describeChange(text: string, matches: TextMatch[], how: Matches["how"]): string {
  let shift = 0;
  const changes = matches.slice(0, shownChanges).map(({ start, end, replacement }) => {
    const first = lineAt(text, start) + shift;
    const added = countLineEnds(replacement);
    shift += added - countLineEnds(text.slice(start, end));
    if (replacement === "") return `text removed at line ${first}`;
    const last = first + added - (replacement.endsWith("\n") ? 1 : 0);
    return last > first ? `lines ${first}-${last} changed` : `line ${first} changed`;
  });
  const more = matches.length > shownChanges ? ` and ${matches.length - shownChanges} more places` : "";
  return `${changes.join(", ")}${more}.${tolerance[how]}`;
}

function countLineEnds(text: string): number {
  return text.split("\n").length - 1;
}

async function describeAbsence(text: string, oldText: string, path: string): Promise<string> {
  const hint = /^\s*\d+\| /.test(oldText)
    ? "Leave out the line numbers that read_file adds."
    : "Copy the passage exactly as read_file shows it.";
  const region = findNearestRegion(text, oldText);
  if (region === undefined) return `old_text is not in ${path}, nor anything like it. ${hint}`;
  const { firstLine, lastLine, similarity } = region;
  const diff = await diffRegion(oldText, region.text);
  const share = Math.floor(similarity * 100);
  return `old_text is not in ${path}. Lines ${firstLine}-${lastLine} are ${share} % alike:\n${diff}\n${hint}`;
}

interface PlainText {
  text: string;
  /** The line end that most lines of the original have. */
  lineEnd: "\n" | "\r\n";
  /** Where a place of the plain text is in the original. */
  toOriginal(offset: number): number;
}

function toPlainText(original: string): PlainText {
  const removed: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    removed.push(at - removed.length);
  }
  const text = removed.length === 0 ? original : toLineFeeds(original);
  const lines = text.split("\n").length - 1;
  return {
    text,
    lineEnd: removed.length * 2 > lines ? "\r\n" : "\n",
    toOriginal: (offset) => offset + countBelow(removed, offset),
  };
}

function toLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function countBelow(sorted: number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Region {
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
function findNearestRegion(text: string, wanted: string): Region | undefined {
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
async function diffRegion(wanted: string, region: string): Promise<string> {
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
