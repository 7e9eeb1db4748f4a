// A model that does what messages ask for by kind and number, each once, and names in its answer what it answers: so
// that a campaign can tell what was lost and what was done twice.
import { textOf, toEffect, type WireMessage } from "./chat-scene.ts";
import { words } from "./english.ts";
import type { ReplyData } from "./model-wire.ts";

/** What a message asks for: only words, a command whose effect is counted, or a message to another chat. */
export const kinds = ["plain", "write", "tell"] as const;

export interface Task {
  kind: (typeof kinds)[number];
  number: number;
}

export const tellChat = "999";

const task = /\b(plain|write|tell) (\d+)\b/g;
const answer = /^This is the whole answer to (\d+(?:, \d+)*)\.$/;

/** The tools that are wanted first, then one answer to everything that was said since the last one. Without tools: a summary. */
export function doTasks(
  messages: readonly WireMessage[],
  { hasTools = true, effects }: { hasTools?: boolean; effects?: string } = {},
): ReplyData {
  if (!hasTools) return { text: "- they talked", calls: [] };
  const isAnswer = ({ role, tool_calls: calls = [] }: WireMessage) =>
    role === "assistant" && calls.length === 0;
  const since = messages.slice(messages.findLastIndex(isAnswer) + 1);
  const open = findTasks(since);
  const asked = since.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.arguments));
  const calls = open.filter(({ kind }) => kind !== "plain").map((each) => toCall(each, effects));
  const isAsked = (call: ReplyData["calls"][number]) => asked.includes(JSON.stringify(call.arguments));
  const missing = calls.filter((call) => !isAsked(call));
  if (missing.length > 0) return { text: "", calls: missing };
  return { text: `This is the whole answer to ${open.map(({ number }) => number).join(", ")}.`, calls: [] };
}

/** The numbers of what a text answers; none if it is no whole answer. What came during an answer is answered below it. */
export function answeredIn(text: string): number[] {
  const answers = text.split("\n\n").map((part) => answer.exec(part)?.[1]);
  if (answers.includes(undefined)) return [];
  return answers.flatMap((numbers = "") => numbers.split(", ").map(Number));
}

export function isApology(text: string): boolean {
  return text.startsWith(words.gateway.apology) || text.startsWith(words.gateway.apologyForSeveral);
}

function findTasks(messages: readonly WireMessage[]): Task[] {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const found = said.flatMap((text) => [...text.matchAll(task)]);
  const byNumber = found.map(([, kind, number]) => [Number(number), kind as Task["kind"]] as const);
  return [...new Map(byNumber)].map(([number, kind]) => ({ kind, number }));
}

function toCall({ kind, number }: Task, effects?: string): ReplyData["calls"][number] {
  if (kind === "write") return toEffect(String(number), effects);
  const content = `told ${number}`;
  return { name: "message", arguments: { content, channel: "telegram", chat_id: tellChat } };
}
