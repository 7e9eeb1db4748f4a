// Finds the text that an edit is about: exactly, else ignoring whitespace around lines, else ignoring quote style too.
// Works on text with plain line feeds and knows no file.
import { toOneLine } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";

export interface TextMatch {
  start: number;
  end: number;
  /** The new text, fitted to the indentation and quotes of this match. */
  replacement: string;
}

export interface Matches {
  how: "exact" | "whitespace" | "quotes";
  matches: TextMatch[];
}

/** The matches of the strictest way that finds any; none at all come as "exact". `oldText` is not empty. */
export function findMatches(text: string, oldText: string, newText: string): Matches {
  const ways: Array<[Matches["how"], () => Span[]]> = [
    ["exact", () => findExact(text, oldText)],
    ["whitespace", () => findByLines(text, oldText)],
    ["quotes", () => findExact(foldQuotes(text), foldQuotes(oldText))],
    ["quotes", () => findByLines(foldQuotes(text), foldQuotes(oldText))],
  ];
  for (const [how, find] of ways) {
    const spans = find();
    if (spans.length === 0) continue;
    return { how, matches: spans.map((span) => toMatch(span, { text, oldText, newText, how })) };
  }
  return { how: "exact", matches: [] };
}

interface Span {
  start: number;
  end: number;
  /** Found line by line: the indentation may differ from that of the old text. */
  isByLines: boolean;
}

interface Edit {
  text: string;
  oldText: string;
  newText: string;
  how: Matches["how"];
}

function toMatch({ start, end, isByLines }: Span, { text, oldText, newText, how }: Edit): TextMatch {
  const region = text.slice(start, end);
  const indented = isByLines ? reindent(newText, oldText, region) : newText;
  const replacement = how === "quotes" ? keepQuoteStyle(indented, region) : indented;
  const isWholeLines = (start === 0 || text[start - 1] === "\n") && text[end] === "\n";
  // Whole lines that go take their line end with them, or an empty line would stay.
  return { start, end: newText === "" && isWholeLines ? end + 1 : end, replacement };
}

function findExact(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length, isByLines: false });
  }
  return spans;
}

function findByLines(text: string, wanted: string): Span[] {
  if (wanted.trim() === "") return [];
  const endsLine = wanted.endsWith("\n");
  const wantedLines = (endsLine ? wanted.slice(0, -1) : wanted).split("\n").map((line) => line.trim());
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const places = findSequences(
    lines.map((line) => line.trim()),
    wantedLines,
  );
  return places.map((place) => {
    const next = starts[place + wantedLines.length] ?? 0;
    return {
      start: starts[place] ?? 0,
      end: Math.min(text.length, endsLine ? next : next - 1),
      isByLines: true,
    };
  });
}

/** Where the wanted lines stand one after the other, without overlap. Knuth, Morris and Pratt: never goes back. */
function findSequences(lines: string[], wanted: string[]): number[] {
  const fallback = [0];
  for (let index = 1, known = 0; index < wanted.length; index++) {
    while (known > 0 && wanted[index] !== wanted[known]) known = fallback[known - 1] ?? 0;
    if (wanted[index] === wanted[known]) known++;
    fallback.push(known);
  }
  const places: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && line !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (line === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    places.push(index - wanted.length + 1);
    matched = 0;
  }
  return places;
}

interface Selectors {
  replace_all?: boolean;
  occurrence?: number;
  line_hint?: number;
  expected_replacements?: number;
}

const shownMatches = 10;

/** `text` and `matches` are not empty. */
export function selectMatches(text: string, matches: TextMatch[], selectors: Selectors): TextMatch[] {
  refuseContradiction(selectors);
  const selected = pick(text, matches, selectors);
  const { expected_replacements: expected } = selectors;
  if (expected === undefined || expected === selected.length) return selected;
  throw new ToolError(
    `Expected ${expected} replacements, but there would be ${selected.length}; nothing was written. ${listMatches(text, matches)}`,
  );
}

function pick(text: string, matches: TextMatch[], selectors: Selectors): TextMatch[] {
  const { replace_all, occurrence, line_hint, expected_replacements = 1 } = selectors;
  if (replace_all === true) return matches;
  if (occurrence !== undefined) {
    const match = matches[occurrence - 1];
    if (match === undefined)
      throw new ToolError(`There is no occurrence ${occurrence}. ${listMatches(text, matches)}`);
    return [match];
  }
  if (line_hint !== undefined) return [pickByLine(text, matches, line_hint)];
  // A caller that expects exactly as many as there are means all of them.
  if (matches.length === 1 || expected_replacements === matches.length) return matches;
  throw new ToolError(
    `${listMatches(text, matches)} Add surrounding lines to old_text, or set occurrence, line_hint or replace_all.`,
  );
}

function refuseContradiction({ replace_all, occurrence, line_hint }: Selectors): void {
  const given = [replace_all === true, occurrence !== undefined, line_hint !== undefined];
  if (given.filter(Boolean).length > 1) {
    throw new ToolError("Give only one of replace_all, occurrence and line_hint.");
  }
}

function pickByLine(text: string, matches: TextMatch[], line: number): TextMatch {
  const [from, to] = spanOfLine(text, line);
  const covering = matches.filter(({ start, end }) => start <= to && end > from);
  const [match] = covering;
  if (match !== undefined && covering.length === 1) return match;
  const problem =
    match === undefined ? `No match covers line ${line}.` : `Line ${line} has ${covering.length} matches.`;
  throw new ToolError(`${problem} ${listMatches(text, matches)}`);
}

/** Its first character and its line end; beyond the text for a line that is not there. */
function spanOfLine(text: string, line: number): [from: number, to: number] {
  let from = 0;
  for (let current = 1; current < line; current++) {
    const end = text.indexOf("\n", from);
    if (end === -1) return [text.length, text.length];
    from = end + 1;
  }
  const end = text.indexOf("\n", from);
  return [from, end === -1 ? text.length : end];
}

function listMatches(text: string, matches: TextMatch[]): string {
  const shown = matches.slice(0, shownMatches).map(({ start }) => {
    const line = lineAt(text, start);
    const [from, to] = spanOfLine(text, line);
    return `line ${line}: ${toOneLine(text.slice(from, to), 80)}`;
  });
  const more = matches.length > shown.length ? `\n... and ${matches.length - shown.length} more` : "";
  return `old_text appears ${matches.length} times:\n${shown.join("\n")}${more}\n`;
}

/** From 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Every character stays one character, so that places in the text stay the same. Odd spaces are folded too. */
function foldQuotes(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ");
}

/** Plain quotes of the new text become curly ones where the replaced passage has curly ones and the new text none. */
function keepQuoteStyle(newText: string, replaced: string): string {
  const isDouble = /[\u201c\u201d]/.test(replaced) && !/[\u201c\u201d]/.test(newText);
  const isSingle = /[\u2018\u2019]/.test(replaced) && !/[\u2018\u2019]/.test(newText);
  const withDoubles = isDouble ? curlDoubles(newText) : newText;
  return isSingle ? curlSingles(withDoubles) : withDoubles;
}

/** In pairs: Chinese has no space before an opening quote. */
function curlDoubles(text: string): string {
  let isOpen = false;
  return text.replaceAll('"', () => {
    isOpen = !isOpen;
    return isOpen ? "\u201c" : "\u201d";
  });
}

/** By what is before: most of them are apostrophes. */
function curlSingles(text: string): string {
  return text.replaceAll(/(^|[\s([{\u201c])'/g, "$1\u2018").replaceAll("'", "\u2019");
}

function reindent(newText: string, oldText: string, replaced: string): string {
  const pairs = pairIndents(oldText, replaced);
  const [first] = pairs;
  if (first === undefined) return newText;
  const known = new Map(pairs.toReversed());
  return newText
    .split("\n")
    .map((line) => (line.trim() === "" ? line : toIndent(line, known, first) + line.trimStart()))
    .join("\n");
}

/** The indentation of each line as the model wrote it, and as the file has it. */
function pairIndents(oldText: string, replaced: string): Array<[written: string, actual: string]> {
  const actual = replaced.split("\n");
  return oldText
    .split("\n")
    .map((line, index): [string, string, string] => [line, indentOf(line), indentOf(actual[index] ?? "")])
    .filter(([line]) => line.trim() !== "")
    .map(([, written, found]) => [written, found]);
}

/** A depth that the old text shows is taken from the file; any other counts from the first line. */
function toIndent(line: string, known: Map<string, string>, [written, actual]: [string, string]): string {
  const own = indentOf(line);
  const seen = known.get(own);
  if (seen !== undefined) return seen;
  if (own.startsWith(written)) return actual + own.slice(written.length);
  return actual.slice(0, Math.max(0, actual.length - (written.length - own.length)));
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
