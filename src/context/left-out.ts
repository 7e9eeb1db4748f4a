// Results of a turn that outgrew its window: which of them are no longer sent, and what stands in their place.
import { offloadMark } from "../guards/offloaded-text.ts";
import { cutWithin } from "../lib/cut-within.ts";
import { cutMiddle } from "../lib/text.ts";
import type { Message, ToolMessage } from "../llm/types.ts";
import { estimateMessageTokens, sumTokens } from "../memory/fit.ts";

const note =
  "[This result was left out to save room. Make the call again if it is needed, for less at a time.]";
const longestPointer = 1_000;

/** The ids of their calls, oldest first, until no more than `most` tokens are left; never those of the last step. */
export function chooseLeftOut(messages: readonly Message[], most: number): string[] {
  let tokens = sumTokens(messages, 0);
  const lastStep = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(0, Math.max(0, lastStep)).flatMap((message) => {
    if (message.role !== "tool") return [];
    const spared = countSparedBy(message);
    if (spared <= 0 || tokens <= most) return [];
    tokens -= spared;
    return [message.tool_call_id];
  });
}

/** How long a message may be so that all of them fit; undefined when they do as they are. */
export function chooseLongest(messages: readonly Message[], most: number): number | undefined {
  if (sumTokens(messages, 0) <= most) return undefined;
  let longest = Math.max(leastOfMessage, Math.floor(most * 0.9));
  while (longest > leastOfMessage && sumTokens(cutLong(messages, longest), 0) > most)
    longest = Math.max(leastOfMessage, Math.floor(longest * 0.75));
  return longest;
}

/** Messages longer than that, in tokens, keep their beginning and their end. Calls and images stay as they are. */
export function cutLong(messages: readonly Message[], longest: number | undefined): Message[] {
  return longest === undefined ? [...messages] : messages.map((message) => cutMessage(message, longest));
}

const leastOfMessage = 64;

function cutMessage(message: Message, longest: number): Message {
  if (estimateMessageTokens(message) <= longest) return message;
  const cut = (text: string) => cutWithin(text, longest, (limit) => cutMiddle(text, limit));
  const { content } = message;
  if (typeof content === "string") return { ...message, content: cut(content) } as Message;
  if (content === null) return message;
  return {
    ...message,
    content: content.map((part) => (part.type === "text" ? { ...part, text: cut(part.text) } : part)),
  } as Message;
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
