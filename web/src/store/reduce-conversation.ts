// How one conversation changes: opened, older messages loaded, messages sent, live events of a running turn.
import type { OpenedSession, Shown, SubagentCard, TurnCost } from "../../../src/api/chat/wire.ts";
import {
  type Call,
  type Conversation,
  type LiveBody,
  type Outgoing,
  type Part,
  type StepPart,
  toAsidePart,
  toParts,
  toUserPart,
} from "./conversation.ts";

export interface TimedEvent {
  seq: number;
  at: number;
  shown: Shown;
}

/** While it is being opened, events wait: only the answer says which of them it contains. */
export function take(conversation: Conversation, event: TimedEvent): Conversation {
  if (conversation.status === "opening")
    return { ...conversation, waiting: [...conversation.waiting, event] };
  if (event.seq <= conversation.seq) return conversation;
  return { ...applyShown(conversation, event), seq: event.seq };
}

export function open(conversation: Conversation, opened: OpenedSession): Conversation {
  const { entries, hasMore, running, asks, subagents, model, seq, versions = [] } = opened;
  const stored: Conversation = {
    key: conversation.key,
    status: "open",
    parts: toParts(opened),
    hasMore,
    asks: [],
    subagents,
    outgoing: withoutSaid(conversation.outgoing, entries),
    model,
    versions: new Map(versions.map(({ entryId, keys }) => [entryId, keys])),
    isTakenBack: opened.isTakenBack === true,
    seq,
    waiting: [],
    ...(running && { running: { turnId: running.turnId } }),
  };
  const at = opened.session.updatedAt;
  const replayed = (running?.bodies ?? []).reduce(
    (view, body) => applyLive(view, { turnId: opened.running?.turnId ?? "", at, body }),
    stored,
  );
  return conversation.waiting.reduce(take, { ...replayed, asks });
}

export function prepend(conversation: Conversation, opened: OpenedSession): Conversation {
  const known = new Set(conversation.parts.map(({ id }) => id));
  const older = toParts(opened).filter(({ id }) => !known.has(id));
  const versions = new Map(conversation.versions);
  for (const { entryId, keys } of opened.versions ?? []) versions.set(entryId, keys);
  return { ...conversation, versions, parts: [...older, ...conversation.parts], hasMore: opened.hasMore };
}

/** A sent message is shown at once, even if its event arrives later. */
export function settle(
  conversation: Conversation,
  { requestId, turnId }: { requestId: string; turnId: string },
): Conversation {
  const sent = conversation.outgoing.find((message) => message.requestId === requestId);
  const outgoing = conversation.outgoing.filter((message) => message !== sent);
  if (sent === undefined || sent.files.length > 0 || conversation.status !== "open")
    return { ...conversation, outgoing };
  const said = toUserPart({ turnId, at: sent.at, text: sent.text });
  return { ...conversation, outgoing, parts: upsert(conversation.parts, said) };
}

function applyShown(conversation: Conversation, { at, shown }: TimedEvent): Conversation {
  switch (shown.type) {
    case "said":
      return {
        ...conversation,
        outgoing: dropFirst(conversation.outgoing, shown.text),
        parts: upsert(conversation.parts, toUserPart(shown)),
      };
    case "aside": {
      // A command may have changed anything, such as the model.
      const status = shown.kind === "command" ? "stale" : conversation.status;
      return { ...conversation, status, parts: upsert(conversation.parts, toAsidePart(shown)) };
    }
    case "settled":
      return settleTurn(conversation, shown);
    case "subagent":
      return { ...conversation, subagents: withSubagent(conversation.subagents, shown.subagent) };
    case "task":
      return { ...conversation, parts: conversation.parts.map((part) => withTaskState(part, shown)) };
    case "rewritten":
      return { ...conversation, status: "stale" };
    case "live":
      return applyLive(conversation, { turnId: shown.turnId, at, body: shown.body });
  }
}

function withTaskState(part: Part, { turnId, state, until }: Extract<Shown, { type: "task" }>): Part {
  if (part.kind !== "user" || part.task === undefined || part.turn !== turnId) return part;
  return { ...part, task: { ...part.task, state, ...(until !== undefined && { until }) } };
}

/** The cost of a turn is shown with its last reply. */
function settleTurn(
  conversation: Conversation,
  { turnId, cost }: { turnId: string; cost?: TurnCost },
): Conversation {
  const running = conversation.running?.turnId === turnId ? undefined : conversation.running;
  const index = conversation.parts.findLastIndex(({ kind, turn }) => kind === "step" && turn === turnId);
  const last = conversation.parts[index];
  // Opened again, it has the versions of what was said.
  const isVersion = conversation.isTakenBack && conversation.status === "open";
  const settled = { ...conversation, running, ...(isVersion && { status: "stale" as const }) };
  if (last?.kind !== "step" || cost === undefined) return settled;
  return { ...settled, parts: conversation.parts.with(index, { ...last, cost }) };
}

function withSubagent(known: readonly SubagentCard[], subagent: SubagentCard): readonly SubagentCard[] {
  const index = known.findIndex(({ id }) => id === subagent.id);
  return index < 0 ? [...known, subagent] : known.with(index, subagent);
}

/** A known part keeps its place and its other fields. */
function upsert(parts: readonly Part[], part: Part): readonly Part[] {
  const index = parts.findLastIndex(({ id }) => id === part.id);
  const known = parts[index];
  if (known === undefined) return [...parts, part];
  if (known.kind !== "user" || part.kind !== "user") return parts;
  return parts.with(index, { ...known, attachments: part.attachments });
}

function dropFirst(outgoing: readonly Outgoing[], text: string): readonly Outgoing[] {
  const index = outgoing.findIndex((message) => message.text === text && message.problem === undefined);
  return index < 0 ? outgoing : outgoing.toSpliced(index, 1);
}

function withoutSaid(outgoing: readonly Outgoing[], entries: OpenedSession["entries"]): readonly Outgoing[] {
  return outgoing.filter(
    ({ text, at }) =>
      !entries.some((entry) => entry.role === "user" && entry.text === text && entry.at >= at),
  );
}

interface Live {
  turnId: string;
  at: number;
  body: LiveBody;
}

function applyLive(conversation: Conversation, live: Live): Conversation {
  const { turnId, body } = live;
  switch (body.type) {
    case "turn-start":
      return { ...conversation, running: { turnId, at: live.at }, ending: undefined };
    case "turn-end":
      return {
        ...conversation,
        running: undefined,
        asks: asksOfOthers(conversation, turnId),
        ending: { turnId, stop: body.stop },
      };
    case "notice":
      return {
        ...conversation,
        running: { ...conversation.running, turnId, notice: toTimed(body.notice, live.at) },
      };
    case "ask-start":
      return withAsk(conversation, { askId: body.askId, turnId, question: body.question });
    case "ask-end":
      return { ...conversation, asks: conversation.asks.filter(({ askId }) => askId !== body.askId) };
    case "step-start":
      return startStep(conversation, live, body.id);
    case "step-end":
      return endStep(conversation);
    case "tool-start":
    case "tool-progress":
    case "tool-end":
      return changeCall(conversation, body, live.at);
    default:
      return changeStep(conversation, conversation.running?.stepId, (step) => grow(step, body));
  }
}

function toTimed(
  notice: Extract<LiveBody, { type: "notice" }>["notice"],
  at: number,
): NonNullable<Conversation["running"]>["notice"] {
  return notice.kind === "retry" ? { ...notice, until: at + notice.waitMs } : notice;
}

/** The retry that was announced has succeeded. */
function endStep(conversation: Conversation): Conversation {
  const { running } = conversation;
  return running?.notice === undefined
    ? conversation
    : { ...conversation, running: { ...running, notice: undefined } };
}

/** Questions of other turns, such as a command sent meanwhile. */
function asksOfOthers({ asks }: Conversation, turnId: string): Conversation["asks"] {
  return asks.filter((ask) => ask.turnId !== turnId);
}

function withAsk(conversation: Conversation, ask: Conversation["asks"][number]): Conversation {
  const isKnown = conversation.asks.some(({ askId }) => askId === ask.askId);
  return isKnown ? conversation : { ...conversation, asks: [...conversation.asks, ask] };
}

function startStep(conversation: Conversation, { turnId, at }: Live, id: string): Conversation {
  const running = { turnId, stepId: id, at: conversation.running?.at ?? at };
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
  // The stored result has more: its files, and where the whole text is.
  if (call.result !== undefined) return { ...call, result: { ms: body.ms, ...call.result } };
  const result = { text: body.content, isError: body.isError, ms: body.ms, attachments: [] };
  return { ...call, result };
}

const mostProgress = 20_000;

function joinProgress(before: string, text: string): string {
  const joined = before === "" ? text : `${before}\n${text}`;
  return joined.length > mostProgress ? joined.slice(-mostProgress) : joined;
}
