// What Dream shows to a model: files and history as material, between lines with a code that nobody could know before.
import { cutMiddle, isBlank, toPlainLine } from "../lib/text.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";

export interface MaterialPart {
  name: string;
  text: string;
}

const longestEntry = 1_000;
const longestLabel = 60;
const dayMs = 24 * 60 * 60 * 1000;
const oldDays = 14;

/** Whatever stands in a part, it cannot end it: the code is made when the text is already there. */
export function frame(code: string, head: readonly string[], parts: readonly MaterialPart[]): string {
  const framed = parts.map(({ name, text }) => `=== ${code} ${name}\n${text}\n`);
  return [`Code: ${code}`, ...head, ...framed, `=== ${code} end`].join("\n");
}

export function showEntry({ cursor, timestamp, content, labels }: HistoryEntry): string {
  const sources = readLabels(labels);
  const from = sources.length === 0 ? "" : ` (source: ${sources.join(", ")})`;
  // Indented, so that no text looks like the next entry.
  const text = cutMiddle(content, longestEntry).replaceAll("\n", "\n  ");
  return `#${cursor} [${toPlainLine(timestamp, 20)}]${from} ${text}`;
}

/** As a file holds them, where others write too: what looks odd still counts as a source. */
export function readLabels(labels: unknown): string[] {
  const given = [labels ?? []].flat().map((label) => toPlainLine(String(label), longestLabel));
  return given.filter((label) => label !== "");
}

export interface LineDates {
  now: number;
  /** When a line was last written or confirmed. */
  dates: ReadonlyMap<string, number>;
  /** For lines that nothing is known of. */
  otherwise: number;
}

/** Without dates as it stands, so that passages of it can be replaced. */
export function showFile(text: string, limit: number, known?: LineDates): string {
  if (isBlank(text)) return "(empty)";
  const lines = text.trim().split("\n");
  const shown = known === undefined ? lines : lines.map((line) => line + showAge(line, known));
  return cutMiddle(shown.join("\n"), limit);
}

function showAge(line: string, { now, dates, otherwise }: LineDates): string {
  const days = Math.floor((now - (dates.get(line) ?? otherwise)) / dayMs);
  return days < oldDays || isBlank(line) || line.startsWith("#") ? "" : `  <- ${days} days old`;
}
