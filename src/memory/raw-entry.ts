// A stretch of a conversation as plain text, for when no model can summarise it. Bounded, newest kept in full.
import { cutMiddle, isBlank } from "../lib/text.ts";
import type { ContentPart } from "../llm/types.ts";
import type { StoredMessage } from "../session/message.ts";

const longestEntry = 16_000;
const longestMessage = 1_000;

export function toRawEntry(messages: readonly StoredMessage[]): string {
  const lines = messages.map(toLine).filter((line) => line !== "");
  return cutMiddle([`[RAW] ${messages.length} messages`, ...lines].join("\n"), longestEntry);
}

function toLine(message: StoredMessage): string {
  const text = cutMiddle(toText(message.content), longestMessage);
  const calls =
    message.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.function.name) : [];
  if (isBlank(text) && calls.length === 0) return "";
  const tools = calls.length === 0 ? "" : ` [tools: ${calls.join(", ")}]`;
  return `[${message.timestamp.slice(0, 16)}] ${message.role.toUpperCase()}${tools}: ${text}`;
}

export function toText(content: string | ContentPart[] | null): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}
