// What a stored message says of itself, as fields of its line: who said it, what of its text a person wrote, which files
// came with it, what was recalled for it, whether it ends its turn. Nothing of it is ever sent to a model.
import type { DueTask } from "../../../bus/types.ts";
import { readGoalLine, stripAddedBlocks, stripRuntimeContext } from "../../../lib/formats/runtime-block.ts";
import { isRecord } from "../../../lib/is-record.ts";
import type { ReplyUsage } from "../../../lib/usage.ts";
import { readPictureLine } from "../../python/session-line.ts";
import { isClosedId, isMadeIn } from "./entry-id.ts";
import type { StoredMessage } from "./message.ts";

/**
 * Of the role `user`: a person, a job that is due, the heartbeat, a subagent that is done, or a prompt of the runner.
 * Of `assistant`: a reply, or what closes a turn that was interrupted.
 */
export type EntryKind =
  | "user"
  | "scheduled"
  | "heartbeat"
  | "subagent"
  | "prompt"
  | "assistant"
  | "closed"
  | "tool"
  | "system";

export interface RecalledReference {
  reference: string;
  at: number;
  text: string;
}

/** Fields of a line that a user's message brings along. */
export interface SaidFields {
  /** Characters of its text that were said; the rest was added for the model. */
  said: number;
  /** Paths of the files that came with it and are no parts of its content. */
  attachments?: string[];
  recalled?: RecalledReference[];
  task?: DueTask;
}

export interface EntryFacts {
  kind: EntryKind;
  /** What was said, without what was added for the model. */
  text: string;
  attachments: string[];
  recalled: RecalledReference[];
  /** Of a scheduled one. Its text is the name: what the model reads is not for people. */
  task?: DueTask;
  /** A turn of a goal. Its text is the goal. */
  isGoal?: true;
  /** The last message of a turn that came to its end. */
  isFinal: boolean;
  /** Of a reply: what asking for it took. */
  usage?: ReplyUsage;
}

export function readEntry(message: StoredMessage): EntryFacts {
  const { kind, said, attachments, recalled, final, usage } = message;
  const whole = joinText(message);
  if (typeof kind !== "string") return readUnmarkedEntry(message, whole);
  const text = (typeof said === "number" ? whole.slice(0, said) : whole).trim();
  const task = kind === "scheduled" ? readTask(message.task, text) : undefined;
  const goal = kind === "scheduled" ? readGoalLine(text) : undefined;
  return {
    kind: kind as EntryKind,
    text: task?.name ?? goal ?? text,
    ...(task && { task }),
    ...(goal !== undefined && { isGoal: true }),
    attachments: Array.isArray(attachments) ? attachments.filter((path) => typeof path === "string") : [],
    recalled: Array.isArray(recalled) ? recalled.filter(isReference) : [],
    isFinal: final === true,
    ...(isUsage(usage) && { usage }),
  };
}

/** Lines that were written before tasks were named have the name only in their first line. */
function readTask(value: unknown, text: string): DueTask | undefined {
  if (isRecord(value) && typeof value.name === "string")
    return { name: value.name, isOnce: value.isOnce === true };
  const [, name] = /^\[Scheduled task: ([^\n]+)\]\n/.exec(text) ?? [];
  return name === undefined ? undefined : { name, isOnce: false };
}

function isUsage(value: unknown): value is ReplyUsage {
  if (!isRecord(value)) return false;
  const { input, cached, output, cost = 0 } = value;
  return [input, cached, output, cost].every((count) => typeof count === "number" && Number.isFinite(count));
}

/** All of its text, without its pictures. */
export function joinText({ content }: Pick<StoredMessage, "content">): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function isReference(value: unknown): value is RecalledReference {
  if (!isRecord(value)) return false;
  const { reference, at, text } = value;
  return typeof reference === "string" && typeof at === "number" && typeof text === "string";
}

const fileLine = /^\[Attachment: (.+) \([^)]*\)\]$/;
const recalledLine = /^- (\d{4}-\d\d-\d\d), [^:]+: (.*) \((\S+@\d+)\)$/;
const machineMarks: Array<[string, EntryKind]> = [
  ["[Scheduled task: ", "scheduled"],
  ["[Heartbeat]\n", "heartbeat"],
  ['[Subagent "', "subagent"],
];

/**
 * What a message of 0.1.0 says of itself: its line has no fields for that, so it is read from the text that 0.1.0 wrote.
 * A line of the Python original has none either; of its text only the lines that name a picture mean something.
 * `whole`: all of its text. The end of a turn is marked by `latency_ms`, by both.
 */
function readUnmarkedEntry(message: StoredMessage, whole: string): EntryFacts {
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
  const kind = isMadeIn(turn, id) ? "prompt" : (mark?.[1] ?? "user");
  const task = kind === "scheduled" ? readTask(undefined, text) : undefined;
  return {
    kind,
    text: task?.name ?? text,
    ...(task && { task }),
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
