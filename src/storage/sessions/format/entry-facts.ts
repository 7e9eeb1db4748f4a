// What a stored message says of itself, as fields of its line: who said it, what of its text a person wrote, which files
// came with it, what was recalled for it, whether it ends its turn. Nothing of it is ever sent to a model.
import { isRecord } from "../../../lib/is-record.ts";
import type { ReplyUsage } from "../../../lib/usage.ts";
import type { StoredMessage } from "./message.ts";
import { readUnmarkedEntry } from "./unmarked-entry.ts";

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
}

export interface EntryFacts {
  kind: EntryKind;
  /** What was said, without what was added for the model. */
  text: string;
  attachments: string[];
  recalled: RecalledReference[];
  /** The last message of a turn that came to its end. */
  isFinal: boolean;
  /** Of a reply: what asking for it took. */
  usage?: ReplyUsage;
}

export function readEntry(message: StoredMessage): EntryFacts {
  const { kind, said, attachments, recalled, final, usage } = message;
  const text = joinText(message);
  if (typeof kind !== "string") return readUnmarkedEntry(message, text);
  return {
    kind: kind as EntryKind,
    text: (typeof said === "number" ? text.slice(0, said) : text).trim(),
    attachments: Array.isArray(attachments) ? attachments.filter((path) => typeof path === "string") : [],
    recalled: Array.isArray(recalled) ? recalled.filter(isReference) : [],
    isFinal: final === true,
    ...(isUsage(usage) && { usage }),
  };
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
