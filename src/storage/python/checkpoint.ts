// A turn of the Python original that a crash interrupted: it keeps the newest step in the metadata until the turn is over.
import { isRecord } from "../../lib/is-record.ts";
import type { Message } from "../../llm/types.ts";
import type { NewEntry, StoredMessage } from "../sessions/format/message.ts";
import type { SessionMetadata } from "../sessions/metadata.ts";

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
