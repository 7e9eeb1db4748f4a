// The state of a turn that a crash interrupted, when its message is delivered again: how far it got, and which calls are open.
import type { ToolCall } from "../llm/types.ts";
import { readEntry } from "../storage/sessions/format/entry-facts.ts";
import { readStep } from "../storage/sessions/format/entry-id.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import type { Session } from "../storage/sessions/session.ts";

export type BegunTurn =
  /** The answer is stored: it only has to be delivered. */
  | { kind: "answered"; text: string; joined: string[] }
  /** The message was taken along by another turn, which has answered it or never will. */
  | { kind: "joined"; isAnswered: boolean }
  /** To be continued, after the calls that have no result. */
  | { kind: "open"; openCalls: ToolCall[]; nextStep: number; joined: string[]; answers: string[] };

/** Undefined when nothing of the turn is stored. */
export async function findBegunTurn(session: Session, turnId: string): Promise<BegunTurn | undefined> {
  if (!session.has(turnId)) return undefined;
  const [own, ...later] = await session.read(await session.locate(turnId));
  if (own === undefined || own.turn !== turnId)
    return { kind: "joined", isAnswered: isOver(later, own?.turn) };
  const messages = [own, ...later.filter(({ turn }) => turn === turnId)];
  const joined = messages.filter((message) => isJoined(message, turnId)).map(({ id }) => id);
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last !== undefined && isAnswer(last)) {
    const earlier = findAnswers(messages.slice(0, messages.indexOf(last)), turnId);
    return { kind: "answered", text: [...earlier, toText(last)].join("\n\n"), joined };
  }
  return {
    kind: "open",
    openCalls: findOpenCalls(messages, last),
    nextStep: countSteps(messages, turnId),
    joined,
    answers: findAnswers(messages, turnId),
  };
}

/** Answers from before more was said in the same turn: they are not delivered yet. */
function findAnswers(messages: readonly StoredMessage[], turnId: string): string[] {
  const answers: string[] = [];
  let text = "";
  for (const message of messages) {
    // A reply that the output limit cut continues in the next one.
    if (message.role === "assistant")
      text = (message.tool_calls ?? []).length > 0 ? "" : text + toText(message);
    if (!isJoined(message, turnId)) continue;
    answers.push(text);
    text = "";
  }
  return [...answers, text].filter((each) => each.trim() !== "");
}

/** Said by someone while the turn ran. */
function isJoined(message: StoredMessage, turnId: string): boolean {
  return message.role === "user" && message.id !== turnId && readEntry(message).kind !== "prompt";
}

function isOver(messages: readonly StoredMessage[], turnId: string | undefined): boolean {
  return messages.some((message) => message.turn === turnId && readEntry(message).isFinal);
}

function isAnswer(message: StoredMessage): boolean {
  const { isFinal, kind } = readEntry(message);
  return isFinal || kind === "closed";
}

function toText({ content }: StoredMessage): string {
  return typeof content === "string" ? content : "";
}

function findOpenCalls(messages: readonly StoredMessage[], last: StoredMessage | undefined): ToolCall[] {
  if (last?.role !== "assistant") return [];
  const done = new Set(
    messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : [])),
  );
  return (last.tool_calls ?? []).filter(({ id }) => !done.has(id));
}

/** Replies are `T.1`, `T.2` ...; a number may be left out. */
function countSteps(messages: readonly StoredMessage[], turnId: string): number {
  const steps = messages.flatMap(({ id }) => readStep(turnId, id) ?? []);
  return Math.max(-1, ...steps) + 1;
}
