// A model for campaigns that count: it does what a message asks for (`do <tool> {...}`), names in its answer the marks
// (`#a1`) of what it answers, and in a summary those of the whole conversation.
import { textOf, type WireMessage } from "./chat-scene.ts";
import type { ReplyData } from "./model-wire.ts";

/** Behind what is asked for, or else the first one: what follows a message may quote others. */
const marks = [/\bdo \w+ \{.*?\} (#[a-z]\d+)\b/, /(#[a-z]\d+)\b/];

export function answerMarked(messages: readonly WireMessage[]): ReplyData {
  const isUser = ({ role }: WireMessage) => role === "user";
  const isSummary = textOf(messages.at(-1)?.content).includes("Call no tools.");
  if (isSummary) return { text: `Summary of ${marksIn(messages.filter(isUser)).join(", ")}.`, calls: [] };
  const isAnswer = ({ role, tool_calls: calls = [] }: WireMessage) =>
    role === "assistant" && calls.length === 0;
  const since = messages.slice(messages.findLastIndex(isAnswer) + 1);
  const text = textOf(since.findLast(isUser)?.content);
  const [, name, args = "{}"] = /\bdo (\w+) (\{.*?\}) #/.exec(text) ?? [];
  const hasCalled = since.some(({ role }) => role === "tool");
  if (name !== undefined && !hasCalled) return { text: "", calls: [{ name, arguments: JSON.parse(args) }] };
  return { text: `Answer to ${marksIn(since.filter(isUser)).join(", ")}.`, calls: [] };
}

/** Of each message its own. */
export function marksIn(messages: ReadonlyArray<Pick<WireMessage, "content">>): string[] {
  const texts = messages.map(({ content }) => textOf(content));
  return texts.flatMap((text) => marks.map((mark) => mark.exec(text)?.[1]).find(Boolean) ?? []);
}
