// What happens in a running turn, applied to a conversation: text grows, calls begin and end, questions come and go.
import type { Call, Conversation, LiveBody, StepPart } from "./conversation.ts";

export interface Live {
  turnId: string;
  at: number;
  body: LiveBody;
}

export function applyLive(conversation: Conversation, live: Live): Conversation {
  const { turnId, body } = live;
  switch (body.type) {
    case "turn-start":
      return { ...conversation, running: { turnId }, ending: undefined };
    case "turn-end":
      return {
        ...conversation,
        running: undefined,
        asks: asksBeside(conversation, turnId),
        ending: { turnId, stop: body.stop },
      };
    case "notice":
      return { ...conversation, running: { ...conversation.running, turnId, notice: body.notice } };
    case "ask-start":
      return withAsk(conversation, { askId: body.askId, turnId, question: body.question });
    case "ask-end":
      return { ...conversation, asks: conversation.asks.filter(({ askId }) => askId !== body.askId) };
    case "step-start":
      return startStep(conversation, live, body.id);
    case "step-end":
      return endStep(conversation, body);
    case "tool-start":
    case "tool-progress":
    case "tool-end":
      return changeCall(conversation, body, live.at);
    default:
      return changeStep(conversation, conversation.running?.stepId, (step) => grow(step, body));
  }
}

function endStep(
  conversation: Conversation,
  { id, usage }: Extract<LiveBody, { type: "step-end" }>,
): Conversation {
  // What the host had to be asked for again is there.
  const ended =
    conversation.running?.notice === undefined
      ? conversation
      : { ...conversation, running: { ...conversation.running, notice: undefined } };
  // What is stored says it, too, with its price.
  return changeStep(ended, id, (step) => (usage === undefined || step.usage ? step : { ...step, usage }));
}

/** Questions of others, such as a command that was given meanwhile. */
function asksBeside({ asks }: Conversation, turnId: string): Conversation["asks"] {
  return asks.filter((ask) => ask.turnId !== turnId);
}

function withAsk(conversation: Conversation, ask: Conversation["asks"][number]): Conversation {
  const isKnown = conversation.asks.some(({ askId }) => askId === ask.askId);
  return isKnown ? conversation : { ...conversation, asks: [...conversation.asks, ask] };
}

function startStep(conversation: Conversation, { turnId, at }: Live, id: string): Conversation {
  const running = { turnId, stepId: id };
  const isKnown = conversation.parts.findLastIndex((part) => part.id === id) >= 0;
  if (isKnown) return { ...conversation, running };
  const step: StepPart = {
    kind: "step",
    id,
    turn: turnId,
    at,
    text: "",
    reasoning: "",
    calls: [],
    attachments: [],
    isStored: false,
  };
  return { ...conversation, running, parts: [...conversation.parts, step] };
}

function changeStep(
  conversation: Conversation,
  id: string | undefined,
  change: (step: StepPart) => StepPart,
): Conversation {
  const index = id === undefined ? -1 : conversation.parts.findLastIndex((part) => part.id === id);
  const step = conversation.parts[index];
  if (step?.kind !== "step") return conversation;
  const changed = change(step);
  return changed === step
    ? conversation
    : { ...conversation, parts: conversation.parts.with(index, changed) };
}

function grow(step: StepPart, body: LiveBody): StepPart {
  if (step.isStored) return step;
  if (body.type === "text-delta") return { ...step, text: step.text + body.text };
  if (body.type === "reasoning-delta") return { ...step, reasoning: step.reasoning + body.text };
  return body.type === "text-reset" ? { ...step, text: "", reasoning: "" } : step;
}

type CallBody = Extract<LiveBody, { callId: string }>;

function changeCall(conversation: Conversation, body: CallBody, at: number): Conversation {
  const isOwner = (step: StepPart) => step.calls.some(({ id }) => id === body.callId);
  const owner = conversation.parts.findLast((part) => part.kind === "step" && isOwner(part));
  return changeStep(conversation, owner?.id ?? conversation.running?.stepId, (step) => {
    const call = step.calls.find(({ id }) => id === body.callId);
    if (call !== undefined)
      return {
        ...step,
        calls: step.calls.map((other) => (other === call ? nextCall(call, body, at) : other)),
      };
    if (body.type === "tool-progress") return step;
    const known = body.type === "tool-start" ? body.arguments : {};
    const fresh: Call = { id: body.callId, name: body.name, arguments: known, progress: "" };
    return { ...step, calls: [...step.calls, nextCall(fresh, body, at)] };
  });
}

function nextCall(call: Call, body: CallBody, at: number): Call {
  if (body.type === "tool-start") return call.result ? call : { ...call, startedAt: at };
  if (body.type === "tool-progress") return { ...call, progress: joinProgress(call.progress, body.text) };
  // What is stored has more: where the whole of it is, and its files.
  if (call.result !== undefined) return { ...call, result: { ms: body.ms, ...call.result } };
  const result = { text: body.content, isError: body.isError, ms: body.ms, attachments: [] };
  return { ...call, result };
}

const mostProgress = 20_000;

function joinProgress(before: string, text: string): string {
  const joined = before === "" ? text : `${before}\n${text}`;
  return joined.length > mostProgress ? joined.slice(-mostProgress) : joined;
}
