// What a line or a file says that is worth finding again, in the words in which it was said. Knows no index.
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { stripAddedBlocks } from "../../lib/formats/runtime-block.ts";
import { isRecord } from "../../lib/is-record.ts";
import { labelsOf } from "../../lib/labels.ts";
import { stripBom, takeHead } from "../../lib/text.ts";
import { parseEntry } from "../documents/history-log.ts";
import { toText } from "../sessions/format/content.ts";
import { parseLine } from "../sessions/format/line.ts";
import { toReference } from "../sessions/reference.ts";
import { placeOf } from "../sessions/transcript.ts";
import type { Entry, SourceKind } from "./recall-index.ts";

/** The beginning of a result says what it is. */
const longestResult = 4_000;
const longestMessage = 200_000;
const longestCall = 500;
const longestPart = 1_500;
const deepest = 8;

/** Of an entry in its file; none where that cannot be read. */
export function readBytes(path: string, { start, bytes }: Pick<Entry, "start" | "bytes">): Buffer {
  const buffer = Buffer.alloc(bytes);
  try {
    const file = openSync(path, "r");
    try {
      return buffer.subarray(0, readSync(file, buffer, 0, bytes, start));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return Buffer.alloc(0);
  }
}

/** From the bytes that it is in; "" when they hold nothing of the kind. */
export function readPassage(kind: SourceKind, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (kind === "history") return parseEntry(text)?.content ?? "";
  if (kind !== "session") return isUtf8(bytes) && !bytes.includes(0) ? stripBom(text) : "";
  const line = parseLine(text);
  return line?.type === "message" ? toWords(line.fields) : "";
}

/** A message by the reference under which it is found. */
export interface Spoken {
  key: string;
  at: number;
  role: string;
  speaker: string;
  text: string;
}

/** `name` is the key of its session, `at` the time of the message before it, for one that has none. */
export function toSpoken(
  fields: Record<string, unknown>,
  { name, id, at }: { name: string; id: string; at: number },
): Spoken {
  const { role, name: speaker } = fields;
  return {
    key: toReference(name, id),
    at: placeOf(fields, 0, { turn: "", at }).at,
    role: String(role),
    speaker: role === "user" && typeof speaker === "string" ? speaker : "",
    text: toWords(fields),
  };
}

/** Sources of untrusted content in a line. */
export function readPassageLabels(kind: SourceKind, bytes: Buffer): string[] {
  const text = bytes.toString("utf8");
  if (kind === "history") return labelsOf(parseEntry(text));
  const line = parseLine(text);
  return line?.type === "message" ? labelsOf(line.fields) : [];
}

/** What a message says, without what the program added to it. */
function toWords({ role, content, tool_calls: calls }: Record<string, unknown>): string {
  const text = takeHead(toText(content), role === "tool" ? longestResult : longestMessage);
  if (role === "user") return stripAddedBlocks(text);
  if (role !== "assistant") return role === "tool" ? withoutJson(text) : "";
  return [text, ...(Array.isArray(calls) ? calls.map(describeCall) : [])].filter(Boolean).join("\n");
}

function describeCall(call: unknown): string {
  const { name = "", arguments: given = "" } = isRecord(call) && isRecord(call.function) ? call.function : {};
  return takeHead(`${name} ${withoutJson(String(given))}`.trim(), longestCall);
}

/** What is JSON, in words: `{"path":"a.txt","lines":[1,2]}` is "path: a.txt, lines: 1, 2". Of a part of one, its words. */
function withoutJson(text: string): string {
  if (!/^\s*(?:\{\s*"|\[\s*[[{"\d])/.test(text)) return text;
  try {
    return toWordsOf(JSON.parse(text), deepest);
  } catch {
    return text.replaceAll(/[[\]{}"\\]+/g, " ").trim();
  }
}

function toWordsOf(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.map((one) => toWordsOf(one, depth - 1)).join(", ");
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${toWordsOf(one, depth - 1)}`)
    .join(", ");
}

/** A long text in parts, cut where a paragraph, a line or a sentence ends. */
export function splitPassage(text: string): Array<{ from: number; to: number }> {
  const parts: Array<{ from: number; to: number }> = [];
  for (let from = 0; from < text.length; ) {
    const to = from + findCut(text.slice(from, from + longestPart + 1));
    parts.push({ from, to });
    from = to;
  }
  return parts;
}

function findCut(stretch: string): number {
  if (stretch.length <= longestPart) return stretch.length;
  const ends = ["\n\n", "\n", "。", ". ", " "].map((mark) => stretch.lastIndexOf(mark) + mark.length);
  return ends.find((end) => end > longestPart / 3) ?? takeHead(stretch, longestPart).length;
}
