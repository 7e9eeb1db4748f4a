// What is true only for one message: time, channel, format, changes since the prompt was built. It is appended to the
// user's text, stored with it and sent again as it was, so that it never disturbs the cached prefix.
import type { Format, Origin } from "../bus/types.ts";
import { toLocalIso } from "../lib/clock.ts";
import { runtimeContextEnd, runtimeContextTag } from "../lib/formats/runtime-block.ts";
import { readSystemTimeZone } from "../lib/process/time-zone.ts";

export { runtimeContextTag, stripRuntimeContext } from "../lib/formats/runtime-block.ts";

const formatHints: Record<Format, string> = {
  terminal: "terminal; light Markdown, short lines, no wide tables",
  markdown: "full Markdown",
  messaging: "messaging app; short paragraphs, no headings, no tables",
  plain: "plain text only, no markup",
  email: "email; clear sections, simple formatting",
};

interface RuntimeFacts {
  now: number;
  timeZone: string;
  origin: Origin;
  /** Further blocks, such as what changed within the epoch. */
  notes: string[];
}

export function renderRuntimeContext({ now, timeZone, origin, notes }: RuntimeFacts): string {
  return [
    runtimeContextTag,
    `Current Time: ${formatTime(now, timeZone)}`,
    `Channel: ${toLine(origin.channel)}`,
    `Chat ID: ${toLine(origin.chatId)}`,
    `Format: ${formatHints[origin.format]}`,
    ...notes.map(withoutMarks),
    runtimeContextEnd,
  ].join("\n");
}

/** A note may quote a message with its block: a mark in it would be taken for the beginning of this one. */
function withoutMarks(note: string): string {
  return note.replaceAll(runtimeContextTag, "").replaceAll(runtimeContextEnd, "");
}

/** `2026-11-15 09:30 (Sunday) (Asia/Shanghai)` */
function formatTime(now: number, timeZone: string): string {
  const { day, time, weekday } = toDateParts(now, timeZone);
  return `${day} ${time} (${weekday}) (${timeZone})`;
}

/** Names come from platforms: a line break in one must not write a line of ours. */
function toLine(value: string): string {
  return value.replaceAll(/[\r\n\u2028\u2029]+/g, " ").slice(0, 200);
}

interface DateParts {
  /** `2026-11-15` */
  day: string;
  /** `09:30` */
  time: string;
  weekday: string;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const formats = new Map<string, Intl.DateTimeFormat>();

export function toDay(ms: number, timeZone: string): string {
  return toDateParts(ms, timeZone).day;
}

function toDateParts(ms: number, timeZone: string): DateParts {
  return timeZone === readSystemTimeZone() ? toLocalParts(ms) : toForeignParts(ms, timeZone);
}

/** Without Intl, whose first use would be felt at every start. */
function toLocalParts(ms: number): DateParts {
  const iso = toLocalIso(ms);
  return { day: iso.slice(0, 10), time: iso.slice(11, 16), weekday: weekdays[new Date(ms).getDay()] ?? "" };
}

function toForeignParts(ms: number, timeZone: string): DateParts {
  const entries = formatFor(timeZone)
    .formatToParts(ms)
    .map(({ type, value }) => [type, value]);
  const parts = Object.fromEntries(entries) as Record<string, string>;
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
    weekday: parts.weekday ?? "",
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    weekday: "long",
    hourCycle: "h23",
  });
  formats.set(timeZone, format);
  return format;
}
