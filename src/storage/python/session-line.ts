// A message line of the Python original, and the step that a crash interrupted: put where ours have it, in memory only.
import { isRecord } from "../../lib/is-record.ts";
import type { Message } from "../../llm/types.ts";
import { type toContent, toText } from "../sessions/format/content.ts";
import type { NewEntry, StoredMessage } from "../sessions/format/message.ts";
import type { SessionMetadata } from "../sessions/metadata.ts";

/** Every line of ours names its turn, also of 0.1.0. */
export function isPythonLine(record: Record<string, unknown>): boolean {
  return typeof record.turn !== "string";
}

/** Changes the record, whose content is right already. */
export function completePythonLine(record: Record<string, unknown>): void {
  if (record.role === "tool") addLabels(record);
  if (record.role === "user") addPictureLines(record);
}

/** The original does not say where a result came from: its tools do. */
function addLabels(record: Record<string, unknown>): void {
  const kind = /^(web|mcp)_/.exec(String(record.name))?.[1];
  if (kind !== undefined && record.labels === undefined) record.labels = [kind];
}

/** The original keeps attachments next to the text; the model gets a note about those whose picture is not sent again. */
function addPictureLines(record: Record<string, unknown>): void {
  if (!Array.isArray(record.media)) return;
  const content = record.content as ReturnType<typeof toContent>;
  if (typeof content !== "string" && content.some((part) => part.type === "image_url")) return;
  const text = toText(content);
  const lines = record.media
    .filter((path) => typeof path === "string" && path !== "")
    .map(toPictureLine)
    .filter((line) => !text.includes(line));
  record.content = [text, ...lines].filter((line) => line !== "").join("\n");
}

function toPictureLine(path: string): string {
  return `[image: ${path}]`;
}

/** Undefined for every other line of a text. */
export function readPictureLine(line: string): string | undefined {
  return /^\[image: (.+)\]$/.exec(line)?.[1];
}

/** Removed when the turn is closed. */
export const checkpointKeys = ["runtime_checkpoint", "pending_user_turn"] as const satisfies Array<
  keyof SessionMetadata
>;

/** The messages of a checkpoint that are not yet in the session. Calls without a result are left open. */
export function restoreCheckpoint(
  messages: readonly StoredMessage[],
  { runtime_checkpoint: checkpoint }: SessionMetadata,
): NewEntry[] {
  if (checkpoint === undefined || !isRecord(checkpoint.assistant_message)) return [];
  const results = Array.isArray(checkpoint.completed_tool_results) ? checkpoint.completed_tool_results : [];
  const tail = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const fresh = [checkpoint.assistant_message, ...results]
    .filter((record) => isRecord(record) && (record.role === "assistant" || record.role === "tool"))
    .filter((record) => !tail.some((message) => isSame(message, record)));
  const last = messages.at(-1);
  return fresh.map((record, index) => ({
    id: `${last?.id ?? "start"}.restored.${index}`,
    turn: last?.turn ?? "start",
    message: record as Message,
  }));
}

function isSame(message: StoredMessage, record: Record<string, unknown>): boolean {
  if (message.role === "tool") return message.tool_call_id === record.tool_call_id;
  if (message.role !== "assistant" || record.role !== "assistant") return false;
  const ids = (message.tool_calls ?? []).map(({ id }) => id);
  const others = Array.isArray(record.tool_calls) ? record.tool_calls : [];
  return ids.length > 0
    ? ids.join() === others.map((call) => (isRecord(call) ? call.id : "")).join()
    : others.length === 0 && message.content === record.content;
}
