// One record as a line of JSON. What is long in it is set apart: neither is the whole line ever in memory together with its
// text, nor is that text there twice once the line is read back.
import { randomUUID } from "node:crypto";
import { cutPieces } from "../../../lib/text.ts";

export interface JsonLine {
  /** Of the line in UTF-8, without its newline. */
  bytes: number;
  /** The line from its beginning to its end, in pieces of at most 400 kB. */
  pieces(): Iterable<string>;
  /** What reading the line gives, with the very texts that were long. */
  read(): unknown;
}

const longText = 64 * 1024;
/** Nobody else can say it. */
const mark = `long:${randomUUID()}:`;

export function toJsonLine(record: object): JsonLine {
  const texts: string[] = [];
  const json = hasLong(record)
    ? JSON.stringify(record, (_, value) => setApart(value, texts))
    : JSON.stringify(record);
  const line = { pieces: () => writePieces(json, texts), read: () => readBack(json, texts) };
  let bytes = 0;
  for (const piece of line.pieces()) bytes += Buffer.byteLength(piece);
  return { ...line, bytes };
}

/** Asked first, because almost nothing is long and a look at each value takes its time. */
function hasLong(value: unknown): boolean {
  if (typeof value === "string") return value.length > longText;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLong);
}

function setApart(value: unknown, texts: string[]): unknown {
  return typeof value === "string" && value.length > longText ? `${mark}${texts.push(value) - 1}` : value;
}

function readBack(json: string, texts: readonly string[]): unknown {
  if (texts.length === 0) return JSON.parse(json);
  return JSON.parse(json, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value,
  );
}

function* writePieces(json: string, texts: readonly string[]): Generator<string> {
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const place = `${mark}${index}`;
    const start = json.indexOf(place, at);
    yield* cutPieces(json.slice(at, start), longText);
    // Without its quotation marks, which are around its place.
    for (const piece of cutPieces(text, longText)) yield JSON.stringify(piece).slice(1, -1);
    at = start + place.length;
  }
  yield* cutPieces(json.slice(at), longText);
}
