// What a message of 0.1.0 says of itself: its line has no fields for that, so it is read from the text that 0.1.0 wrote.
// A line of the Python original has none either; of its text only the lines that name a picture mean something.
import { stripAddedBlocks, stripRuntimeContext } from "../../../lib/runtime-block.ts";
import { readPictureLine } from "../../python/session-line.ts";
import type { EntryFacts, EntryKind, RecalledReference } from "./entry-facts.ts";
import { isClosedId, isMadeIn } from "./entry-id.ts";
import type { StoredMessage } from "./message.ts";

const fileLine = /^\[Attachment: (.+) \([^)]*\)\]$/;
const recalledLine = /^- (\d{4}-\d\d-\d\d), [^:]+: (.*) \((\S+@\d+)\)$/;
const machineMarks: Array<[string, EntryKind]> = [
  ["[Scheduled task: ", "scheduled"],
  ["[Heartbeat]\n", "heartbeat"],
  ['[Subagent "', "subagent"],
];

/** `whole`: all of its text. The end of a turn is marked by `latency_ms`, by both. */
export function readUnmarkedEntry(message: StoredMessage, whole: string): EntryFacts {
  const { id, turn, role } = message;
  const isFinal = message.latency_ms !== undefined;
  const nothing = { attachments: [], recalled: [], isFinal };
  if (role === "assistant")
    return { ...nothing, kind: isClosedId(id) ? "closed" : "assistant", text: whole.trim() };
  if (role !== "user") return { ...nothing, kind: role === "tool" ? "tool" : "system", text: whole.trim() };
  const own = stripAddedBlocks(whole);
  const lines = own.split("\n").map((line) => ({ line, path: toFilePath(line) }));
  const text = lines
    .flatMap(({ line, path }) => (path === undefined ? [line] : []))
    .join("\n")
    .trim();
  const mark = machineMarks.find(([start]) => text.startsWith(start));
  return {
    kind: isMadeIn(turn, id) ? "prompt" : (mark?.[1] ?? "user"),
    text,
    attachments: lines.flatMap(({ path }) => path ?? []),
    recalled: whole.slice(stripRuntimeContext(whole).length).split("\n").flatMap(toReference),
    isFinal,
  };
}

function toFilePath(line: string): string | undefined {
  return fileLine.exec(line)?.[1] ?? readPictureLine(line);
}

function toReference(line: string): RecalledReference[] {
  const [, day, text, reference] = recalledLine.exec(line) ?? [];
  if (day === undefined || text === undefined || reference === undefined) return [];
  return [{ reference, at: Date.parse(`${day}T00:00:00`), text }];
}
