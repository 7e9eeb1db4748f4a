// Results of a turn that outgrew its window: which of them are no longer sent, and what stands in their place.
import { offloadMark } from "../guards/offloaded-text.ts";
import type { Message, ToolMessage } from "../llm/types.ts";
import { estimateMessageTokens, sumTokens } from "../memory/fit.ts";

const note =
  "[This result was left out to save room. Make the call again if it is needed, for less at a time.]";
const longestPointer = 1_000;

/** The ids of their calls, oldest first. `room` is in tokens: more while only the results of the last step are left. */
export function chooseLeftOut(
  messages: readonly Message[],
  room: { most: number; mostWithNewest: number },
): string[] {
  let tokens = sumTokens(messages, 0);
  const lastStep = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.flatMap((message, index) => {
    if (message.role !== "tool") return [];
    const spared = countSparedBy(message);
    if (spared <= 0 || tokens <= (index > lastStep ? room.mostWithNewest : room.most)) return [];
    tokens -= spared;
    return [message.tool_call_id];
  });
}

export function leaveOut(history: Message[], leftOut: readonly string[] = []): Message[] {
  if (leftOut.length === 0) return history;
  const ids = new Set(leftOut);
  return history.map((message) => (isOneOf(ids, message) ? toPointer(message) : message));
}

/** Tokens that the messages would take if nothing were left out. */
export function countSpared(messages: readonly Message[], leftOut: readonly string[] = []): number {
  if (leftOut.length === 0) return 0;
  const ids = new Set(leftOut);
  return messages.reduce((sum, message) => sum + (isOneOf(ids, message) ? countSparedBy(message) : 0), 0);
}

function isOneOf(ids: ReadonlySet<string>, message: Message): message is ToolMessage {
  return message.role === "tool" && ids.has(message.tool_call_id);
}

function countSparedBy(message: ToolMessage): number {
  return estimateMessageTokens(message) - estimateMessageTokens(toPointer(message));
}

/** A result that was stored for its length keeps the line that says where. */
function toPointer(message: ToolMessage): ToolMessage {
  const { content } = message;
  const last = typeof content === "string" ? content.slice(content.lastIndexOf("\n") + 1) : "";
  const isPlace = last.includes(offloadMark) && last.length <= longestPointer;
  return { ...message, content: isPlace ? `${note}\n${last}` : note };
}
