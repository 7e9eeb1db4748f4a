// How much one answer may hold, so that a model that never ends costs a bounded amount of memory and its answer can always
// be stored. Far more than any model is able to say.
import { isRecord } from "../lib/is-record.ts";

/** Of text, thoughts and arguments together, in bytes as they are stored: far below what a line of a session may hold. */
export const largestAnswer = 12 * 1024 * 1024;
/** Of everything that comes over the wire for one answer, frames and pings included. */
export const largestStream = 64 * 1024 * 1024;
/** Of one event, or of an answer that came in one piece. */
export const largestEvent = 16 * 1024 * 1024;
export const mostCalls = 256;

/** A host sent more than an answer may hold: megabytes, or calls of tools. */
export class AnswerTooLong extends Error {
  override name = "AnswerTooLong";
  readonly most: number;
  readonly unit: "MB" | "calls";

  constructor(most: number, unit: "MB" | "calls") {
    super(`more than ${most} ${unit}`);
    this.most = most;
    this.unit = unit;
  }
}

/** Adds up what a reply says, by the parts of its chunks that can say something. */
export function createAnswerMeter(most = largestAnswer) {
  let size = 0;
  return {
    add({ choices, delta, content_block, content }: Record<string, unknown>): void {
      for (const part of [choices, delta, content_block, content]) size += measure(part);
      if (size > most) throw new AnswerTooLong(Math.round(most / 1024 / 1024), "MB");
    },
  };
}

const deepest = 12;

function measure(value: unknown, depth = 0): number {
  if (typeof value === "string") return measureText(value);
  if (depth > deepest) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + measure(item, depth + 1), 0);
  if (!isRecord(value)) return 0;
  let sum = 0;
  for (const key in value) sum += measure(value[key], depth + 1);
  return sum;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const escaped = /[\u0000-\u001f]/g;

/** A control character takes six bytes where it is stored. */
function measureText(text: string): number {
  const controls = text.length < 8 ? 0 : (text.match(escaped)?.length ?? 0);
  return Buffer.byteLength(text) + 5 * controls;
}
