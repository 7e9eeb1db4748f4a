// Finds the text that an edit is about: exactly, else ignoring whitespace around lines, else ignoring quote style too.
// Works on text with plain line feeds and knows no file.
import { foldQuotes, keepQuoteStyle } from "./quote-style.ts";
import { reindent } from "./reindent.ts";

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
