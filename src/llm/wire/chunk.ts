// Chunks of a host's stream: values read from untrusted JSON, and limits on size, so that an answer that never ends costs
// a bounded amount of memory and can always be stored.
import { isRecord } from "../../lib/is-record.ts";

/** Text, thoughts and arguments together, in bytes as stored: far below the limit of a session line. */
export const largestAnswer = 12 * 1024 * 1024;
/** All bytes received for one answer, frames and pings included. */
export const largestStream = 64 * 1024 * 1024;
/** One event, or an answer that came in one piece. */
export const largestEvent = 16 * 1024 * 1024;
export const mostCalls = 256;

/** A host sent more megabytes or tool calls than an answer may hold. */
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

/** Adds up the size of a reply, from the fields of its chunks that carry content. */
export function createAnswerMeter(most = largestAnswer) {
  let size = 0;
  return {
    add({ choices, delta, content_block, content, output }: Record<string, unknown>): void {
      for (const part of [choices, delta, content_block, content, output]) size += measure(part);
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

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The records of a list; a single record counts as a list of one. */
export function toRecords(value: unknown): Array<Record<string, unknown>> {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

export function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
