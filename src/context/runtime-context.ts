// What is true only for one message: time, channel, format, changes since the prompt was built. It is appended to the
// user's text, stored with it and sent again as it was, so that it never disturbs the cached prefix.
import type { Format, Origin } from "../bus/types.ts";
import { runtimeContextEnd, runtimeContextTag } from "../lib/runtime-block.ts";
import { toDateParts } from "./day.ts";

export { runtimeContextTag, stripRuntimeContext } from "../lib/runtime-block.ts";

const formatHints: Record<Format, string> = {
  terminal: "terminal; light Markdown, short lines, no wide tables",
  markdown: "full Markdown",
  messaging: "messaging app; short paragraphs, no headings, no tables",
  plain: "plain text only, no markup",
  email: "email; clear sections, simple formatting",
};

export interface RuntimeFacts {
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
