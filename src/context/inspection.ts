// What the next request of a session would contain, row by row, and how it differs from the last one. Pure but for the
// library that compares texts: it is handed a plan and looks at it.
import { diffLines } from "../lib/line-diff.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import type { Message, ToolDefinition } from "../llm/types.ts";
import { estimateMessageTokens, inputBudget } from "../memory/fit.ts";
import type { StoredMessage } from "../session/message.ts";
import { closeOpenTail, replay } from "../session/replay.ts";
import type { Session } from "../session/session.ts";
import {
  compareNames,
  compareRequests,
  compareTools,
  findBreak,
  type NamedChange,
  nothingShared,
  type PrefixBreak,
  type SentRequest,
  type SharedStart,
} from "./comparison.ts";
import { type Epoch, type NewEpochReason, toolsKey } from "./epoch.ts";
import { estimatePrefix, hashPrefix, type Prefix, splitLayers } from "./prefix.ts";
import type { TurnInput, TurnPlan } from "./turn-plan.ts";

export interface ContextRow {
  /** A part is one of the layer before it and not counted again. */
  kind: "layer" | "part" | "tool" | "history" | "message";
  /** Of history `sent` or `unsent`, of the message `text` or `runtime`. */
  name: string;
  source: string;
  characters: number;
  tokens: number;
  /** Repeats the last request, so that a host that caches still has it. */
  cached: boolean;
  /** Only history: how many. */
  messages?: number;
}

export interface Inspection {
  session: string;
  model: string;
  /** Tokens of the window, and what of it a request may take. */
  window: number;
  budget: number;
  tokens: number;
  characters: number;
  /** Tokens that the host has counted for one that was estimated; 1 where it has not said. */
  correction: number;
  epoch: {
    hash: string;
    startedAt?: number;
    /** Why a new one begins with the next message; without a reason the present one goes on. */
    reason?: NewEpochReason;
  };
  rows: ContextRow[];
  diff: ContextDiff;
  /** Exactly what would be sent, but for the settings of the model. */
  request: { messages: Message[]; tools: ToolDefinition[] };
}

export interface ContextDiff {
  /** The last request; undefined when there was none, or nothing is left of it. */
  last?: { at: number; model: string; epoch: string };
  /** Since that request. */
  files: NamedChange[];
  tools: NamedChange[];
  /** What the model is told of it with the next message. */
  notes: string[];
  /** Why not all of the last request is repeated. */
  break?: PrefixBreak;
  /** Lines of the system text that are not what they were. */
  system?: string;
}

export interface InspectionInput {
  input: TurnInput;
  plan: TurnPlan;
  arrange(system: string, history: readonly Message[]): Message[];
}

const longestDiff = 8_000;

export async function inspectPlan({ input, plan, arrange }: InspectionInput): Promise<Inspection> {
  const { session, window, model } = input;
  const { last, reason, fresh } = plan;
  const prefix = last !== undefined && reason === undefined ? last.prefix : fresh;
  const messages = arrange(prefix.system, toNextHistory(session, plan));
  const next: SentRequest = { prefix, history: messages.slice(1) };
  const before = last && toLastRequest(session, last, arrange);
  const shared = before === undefined ? nothingShared : compareRequests(before, next);
  const correction = last?.record.model === model && before ? findCorrection(session, before) : 1;
  const isRemembered = reason !== "model-changed" && reason !== "idle";
  const rows = toRows(next, plan, isRemembered ? shared : nothingShared).map((row) => ({
    ...row,
    tokens: Math.round(row.tokens * correction),
  }));
  const counted = rows.filter(({ kind }) => kind !== "part");
  const isNew = last === undefined || reason !== undefined;
  return {
    session: session.key,
    model,
    window: window.contextWindow,
    budget: inputBudget(window),
    tokens: counted.reduce((sum, row) => sum + row.tokens, 0),
    characters: counted.reduce((sum, row) => sum + row.characters, 0),
    correction,
    epoch: isNew
      ? { hash: hashPrefix(fresh), reason: reason ?? "first-turn" }
      : { hash: last.record.hash, startedAt: last.record.startedAt },
    rows,
    diff: await toDiff(input, plan, { before, next, shared }),
    request: { messages, tools: prefix.tools },
  };
}

/** As a turn would find it: what a crash left open is closed first. */
function toNextHistory({ messages }: Session, { userMessage: message, from }: TurnPlan): Message[] {
  const closing = closeOpenTail(messages).map((entry) => entry.message);
  const added = [...closing, message].map((one) => one as StoredMessage);
  return replay([...messages, ...added], { from });
}

/** A reply at the end was not part of the request that it answers. */
function toLastRequest(
  { messages }: Session,
  { record, prefix }: Epoch,
  arrange: InspectionInput["arrange"],
): SentRequest {
  const sent = messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;
  return { prefix, history: arrange(prefix.system, replay(sent, { from: record.from })).slice(1) };
}

/** How far the estimate of the last request was from what its host counted. */
function findCorrection({ metadata }: Session, { prefix, history }: SentRequest): number {
  const usage = metadata._last_usage as Partial<Record<string, unknown>> | undefined;
  const isExact = typeof usage?.prompt_tokens === "number" && usage.prompt_tokens > 0;
  const exact = isExact && typeof usage.context_tokens === "number" ? usage.context_tokens : 0;
  const estimate = estimatePrefix(prefix) + sumTokens(history);
  // A figure far off belongs to another request: a turn may be running.
  return exact > 0 ? Math.min(2, Math.max(0.5, exact / estimate)) : 1;
}

function toRows({ prefix, history }: SentRequest, plan: TurnPlan, shared: SharedStart): ContextRow[] {
  return [
    ...toLayerRows(prefix, shared),
    ...prefix.tools.map((tool) => toToolRow(tool, shared.tools)),
    ...toHistoryRows(history.slice(0, -1), shared.history),
    ...toMessageRows(plan),
  ];
}

function toLayerRows(prefix: Prefix, shared: SharedStart): ContextRow[] {
  return splitLayers(prefix).flatMap(({ name, source, text, start, parts = [] }) => {
    const cached = shared.tools && start + text.length <= shared.system;
    return [
      toRow({ kind: "layer", name, source, cached }, text),
      ...parts.map((part): ContextRow => ({ kind: "part", source, cached, ...part })),
    ];
  });
}

function toRow(row: Omit<ContextRow, "characters" | "tokens">, text: string): ContextRow {
  return { ...row, characters: text.length, tokens: estimateTokens(text) };
}

function toToolRow(tool: ToolDefinition, cached: boolean): ContextRow {
  const source = tool.name.startsWith("mcp_") ? "mcp" : "built in";
  const row = toRow({ kind: "tool", name: tool.name, source, cached }, JSON.stringify(tool));
  return { ...row, tokens: estimateJsonTokens(tool) };
}

function toHistoryRows(history: readonly Message[], shared: number): ContextRow[] {
  const parts = [
    { name: "sent", cached: true, part: history.slice(0, shared) },
    { name: "unsent", cached: false, part: history.slice(shared) },
  ];
  return parts
    .filter(({ part }) => part.length > 0)
    .map(({ name, cached, part }) => ({
      kind: "history",
      name,
      source: "session",
      characters: part.reduce((sum, message) => sum + JSON.stringify(message.content).length, 0),
      tokens: sumTokens(part),
      cached,
      messages: part.length,
    }));
}

function toMessageRows({ userMessage, runtimeContext }: TurnPlan): ContextRow[] {
  const { content } = userMessage;
  const whole = typeof content === "string" ? content : JSON.stringify(content);
  const text = whole.replace(runtimeContext, "").trim();
  return [
    toRow({ kind: "message", name: "text", source: "message", cached: false }, text),
    toRow({ kind: "message", name: "runtime", source: "runtime", cached: false }, runtimeContext),
  ];
}

function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

interface Compared {
  before: SentRequest | undefined;
  next: SentRequest;
  shared: SharedStart;
}

async function toDiff(
  { session, tools }: TurnInput,
  { last, reason, seen, notes }: TurnPlan,
  { before, next, shared }: Compared,
): Promise<ContextDiff> {
  if (last === undefined || before === undefined) return { files: [], tools: [], notes };
  const { record } = last;
  const named = compareNames(record.seen, seen);
  const found = findBreak(before, next, shared, reason);
  const isSame = before.prefix.system === next.prefix.system;
  const system = isSame ? undefined : await diffLines(before.prefix.system, next.prefix.system, longestDiff);
  return {
    last: { at: session.messages.at(-1)?.at ?? record.startedAt, model: record.model, epoch: record.hash },
    files: named.filter(({ name }) => name !== toolsKey),
    tools: named.some(({ name }) => name === toolsKey) ? compareTools(last.prefix.tools, tools) : [],
    notes,
    ...(found && { break: found }),
    ...(system !== undefined && { system }),
  };
}
