// From stored messages to what a model is sent, and from an interrupted turn to one that is closed. Pure: the same
// lines always give the same history, and lines appended later only append to it.
import { isBlank } from "../../../lib/text.ts";
import type { Message, ToolCall } from "../../../llm/types.ts";
import type { EntryKind } from "./entry-facts.ts";
import { toClosedId, toClosedResultId } from "./entry-id.ts";
import { LegalHistory } from "./legal-history.ts";
import type { NewEntry, StoredMessage } from "./message.ts";

/**
 * The history from a position on, legal for every provider. Legal stretches come out as they are stored, without the
 * fields that are ours. Messages of the same role stay apart: a wire protocol that wants them merged merges them.
 * Calls at the very end that still lack a result are held back; `closeOpenTail` closes them.
 */
export function replay(messages: readonly StoredMessage[], { from = 0 }: { from?: number } = {}): Message[] {
  const history = new LegalHistory();
  for (const message of messages.slice(Math.max(0, from))) history.add(message);
  return history.messages;
}

const interruptedCall =
  "Interrupted before a result was stored. The call may have taken effect: check before repeating it.";
const interruptedTurn = "(This turn was interrupted before an answer was given.)";

/**
 * What must be appended so that an interrupted turn is closed: a result for each unanswered call, then an assistant
 * message. Ids follow from the messages, so that closing twice appends once.
 */
export function closeOpenTail(messages: readonly StoredMessage[]): NewEntry[] {
  const tail = findTail(messages);
  if (tail === undefined) return [];
  const { last, results } = tail;
  const calls = last.role === "assistant" ? (last.tool_calls ?? []) : [];
  if (last.role === "assistant" && calls.length === 0) return [];
  return [
    ...calls.flatMap((call, index) => (take(results, call.id) ? [] : [toInterrupted(last, call, index)])),
    {
      id: toClosedId(last.id),
      turn: last.turn,
      message: { role: "assistant", content: interruptedTurn },
      extra: { kind: "closed" satisfies EntryKind },
    },
  ];
}

interface Tail {
  /** The last message of the conversation; other entries are passed over. */
  last: StoredMessage;
  /** Ids of the calls that have results after it, with their number. */
  results: Map<string, number>;
}

function findTail(messages: readonly StoredMessage[]): Tail | undefined {
  const results = new Map<string, number>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined || isPassedOver(message)) continue;
    if (message.role !== "tool") return { last: message, results };
    results.set(message.tool_call_id, (results.get(message.tool_call_id) ?? 0) + 1);
  }
  return undefined;
}

function isPassedOver(message: StoredMessage): boolean {
  if (message._command === true) return true;
  if (message.role === "user" || message.role === "system" || message.role === "tool") return false;
  if (message.role !== "assistant") return true;
  const hasCalls = (message.tool_calls ?? []).length > 0;
  return !hasCalls && (message._channel_delivery === true || isBlank(message.content));
}

function take(results: Map<string, number>, id: string): boolean {
  const count = results.get(id) ?? 0;
  results.set(id, count - 1);
  return count > 0;
}

function toInterrupted({ id, turn }: StoredMessage, call: ToolCall, index: number): NewEntry {
  const { name } = call.function;
  const message: Message = { role: "tool", tool_call_id: call.id, name, content: interruptedCall };
  return { id: toClosedResultId(id, index), turn, message };
}
