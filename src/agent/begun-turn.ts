// What a crash left of a turn whose message is handed out again: how far it came, and what is still open of it.
import type { ToolCall } from "../llm/types.ts";
import type { StoredMessage } from "../session/message.ts";
import type { Session } from "../session/session.ts";

export type BegunTurn =
  /** The answer is stored: it only has to be delivered. */
  | { kind: "answered"; text: string; joined: string[] }
  /** The message was taken along by another turn, which has answered it or never will. */
  | { kind: "joined"; isAnswered: boolean }
  /** To be gone on with, after the calls that have no result. */
  | { kind: "open"; openCalls: ToolCall[]; nextStep: number; joined: string[]; answers: string[] };

/** Undefined when nothing of the turn is stored. */
export async function findBegunTurn(session: Session, turnId: string): Promise<BegunTurn | undefined> {
  if (!session.has(turnId)) return undefined;
  const [own, ...later] = await session.read(await session.locate(turnId));
  if (own === undefined || own.turn !== turnId)
    return { kind: "joined", isAnswered: isOver(later, own?.turn) };
  const messages = [own, ...later.filter(({ turn }) => turn === turnId)];
  const joined = messages
    .filter(({ role, id }) => role === "user" && !id.startsWith(turnId))
    .map(({ id }) => id);
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

/** What was answered before more was said in the same turn: nobody has been told it yet. */
function findAnswers(messages: readonly StoredMessage[], turnId: string): string[] {
  const answers: string[] = [];
  let text = "";
  for (const message of messages) {
    // What was cut by the output limit goes on in the next reply.
    if (message.role === "assistant")
      text = (message.tool_calls ?? []).length > 0 ? "" : text + toText(message);
    if (message.role !== "user" || message.id.startsWith(turnId)) continue;
    answers.push(text);
    text = "";
  }
  return [...answers, text].filter((each) => each.trim() !== "");
}

function isOver(messages: readonly StoredMessage[], turnId: string | undefined): boolean {
  return messages.some(({ turn, latency_ms: latency }) => turn === turnId && latency !== undefined);
}

/** Only the last message of a turn says how long it took; a turn that was closed for it has the end of its id. */
function isAnswer({ latency_ms: latency, id }: StoredMessage): boolean {
  return latency !== undefined || id.endsWith(".closed");
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
  const steps = messages.flatMap(({ id }) => {
    const step = id.startsWith(`${turnId}.`) ? Number.parseInt(id.slice(turnId.length + 1), 10) : Number.NaN;
    return Number.isNaN(step) ? [] : [step];
  });
  return Math.max(-1, ...steps) + 1;
}
