// What the next request of a session would contain, row by row, and how it differs from the last one. Pure but for the
// library that compares texts: it is handed a plan and looks at it.

import { isDeepStrictEqual } from "node:util";
import { diffLines } from "../lib/formats/line-diff.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import { estimateToolTokens } from "../llm/message-tokens.ts";
import type { Message, ToolDefinition } from "../llm/types.ts";
import { estimateMessageTokens, inputBudget } from "../memory/fit.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import { closeOpenTail, replay } from "../storage/sessions/format/replay.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { ContextBuilder } from "./builder.ts";
import { type Epoch, hashPrefix, type NewEpochReason, type Prefix, splitLayers, toolsKey } from "./epoch.ts";
import { cutLong, leaveOut } from "./fit-prompt.ts";
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
  /** What the next message says about it. */
  notes: string[];
  /** Why not all of the last request is repeated. */
  break?: PrefixBreak;
  /** Lines of the system text that are not what they were. */
  system?: string;
}

const longestDiff = 8_000;

export async function inspectPlan(
  builder: ContextBuilder,
  input: TurnInput,
  plan: TurnPlan,
): Promise<Inspection> {
  const { session, window, model } = input;
  const { correction = 1 } = window;
  const { last, reason, fresh } = plan;
  const current = reason === undefined ? last : undefined;
  const prefix = current?.prefix ?? fresh;
  const arrange = (system: string, history: readonly Message[]) =>
    builder.arrange(system, history, { isPreview: true });
  const messages = arrange(prefix.system, toNextHistory(session, plan));
  const next: SentRequest = { prefix, history: messages.slice(1) };
  const before = last && {
    prefix: last.prefix,
    history: arrange(last.prefix.system, toLastHistory(session, last)).slice(1),
  };
  const shared = before ? compareRequests(before, next) : nothingShared;
  const rows = toRows(next, plan, shared);
  const counted = rows.filter(({ kind }) => kind !== "part");
  settleTokens(next, plan, counted);
  spread(counted, Math.round(sumOf(counted) * correction));
  for (const row of rows) if (row.kind === "part") row.tokens = Math.round(row.tokens * correction);
  const started = current && { hash: current.record.hash, startedAt: current.record.startedAt };
  return {
    session: session.key,
    model,
    window: window.contextWindow,
    budget: inputBudget(window),
    tokens: sumOf(counted),
    characters: counted.reduce((sum, row) => sum + row.characters, 0),
    correction,
    epoch: started ?? { hash: hashPrefix(fresh), reason },
    rows,
    diff: await toDiff(input, plan, next, before && findBreak(before, next, shared, reason)),
    request: { messages, tools: prefix.tools },
  };
}

/** As a turn would find it: what a crash left open is closed first. */
function toNextHistory(session: Session, { userMessage, from, reason, last }: TurnPlan): Message[] {
  const added = [...closeOpenTail(session.recent).map(({ message }) => message), userMessage];
  const { leftOut, longest } = (reason === undefined ? last?.record : undefined) ?? {};
  const messages = [...session.slice(from), ...(added as StoredMessage[])];
  return cutLong(leaveOut(replay(messages), leftOut), longest);
}

/** A reply at the end was not part of the request that it answers. */
function toLastHistory(session: Session, { record }: Epoch): Message[] {
  const messages = session.slice(record.from);
  const sent = messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;
  return cutLong(leaveOut(replay(sent), record.leftOut), record.longest);
}

function toRows({ prefix, history }: SentRequest, plan: TurnPlan, shared: SharedStart): ContextRow[] {
  const isRemembered = plan.reason !== "model-changed" && plan.reason !== "idle" && shared.tools;
  const [sent, unsent] = [history.slice(0, shared.history), history.slice(shared.history, -1)];
  const layers = splitLayers(prefix).flatMap(({ name, source, text, start, parts = [] }): ContextRow[] => {
    const cached = isRemembered && start + text.length <= shared.system;
    const rows = parts.map((part) => ({ kind: "part" as const, source, cached, ...part }));
    return [toRow({ kind: "layer", name, source, cached }, text), ...rows];
  });
  return [
    ...layers,
    ...prefix.tools.map((tool) => toToolRow(tool, isRemembered)),
    ...toHistoryRow("sent", sent, isRemembered && shared.isSameSystem),
    ...toHistoryRow("unsent", unsent, false),
    ...toMessageRows(plan),
  ];
}

/** The rows of one thing make up what a turn counts for it: separators, brackets and frames are shared out. */
function settleTokens({ prefix }: SentRequest, { userMessage }: TurnPlan, rows: readonly ContextRow[]): void {
  const ofKind = (wanted: ContextRow["kind"]) => rows.filter(({ kind }) => kind === wanted);
  spread(ofKind("layer"), estimateTokens(prefix.system));
  spread(ofKind("tool"), estimateToolTokens(prefix.tools));
  spread(ofKind("message"), estimateMessageTokens(userMessage));
}

/** By their shares, with what rounding leaves given to the next: the sum is exact. */
function spread(rows: readonly ContextRow[], total: number): void {
  const before = sumOf(rows);
  let given = 0;
  let passed = 0;
  for (const row of rows) {
    passed += row.tokens;
    const upTo = before === 0 ? 0 : Math.round((total * passed) / before);
    row.tokens = upTo - given;
    given = upTo;
  }
}

function sumOf(rows: readonly ContextRow[]): number {
  return rows.reduce((sum, { tokens }) => sum + tokens, 0);
}

function toRow(row: Omit<ContextRow, "characters" | "tokens">, text: string): ContextRow {
  return { ...row, characters: text.length, tokens: estimateTokens(text) };
}

function toToolRow(tool: ToolDefinition, cached: boolean): ContextRow {
  const { name } = tool;
  const source = name.startsWith("mcp_") ? "mcp" : "built in";
  return {
    ...toRow({ kind: "tool", name, source, cached }, JSON.stringify(tool)),
    tokens: estimateJsonTokens(tool),
  };
}

function toHistoryRow(name: string, messages: readonly Message[], cached: boolean): ContextRow[] {
  if (messages.length === 0) return [];
  const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
  const figures = { characters, tokens: sumTokens(messages), messages: messages.length };
  return [{ kind: "history", name, source: "session", cached, ...figures }];
}

function toMessageRows({ userMessage, runtimeContext }: TurnPlan): ContextRow[] {
  const text = String(userMessage.content).replace(runtimeContext, "").trim();
  return [
    toRow({ kind: "message", name: "text", source: "message", cached: false }, text),
    toRow({ kind: "message", name: "runtime", source: "runtime", cached: false }, runtimeContext),
  ];
}

function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

async function toDiff(
  { session, tools }: TurnInput,
  { last, seen, notes }: TurnPlan,
  next: SentRequest,
  found: PrefixBreak | undefined,
): Promise<ContextDiff> {
  if (last === undefined) return { files: [], tools: [], notes };
  const { record, prefix } = last;
  const [before, after] = [prefix.system, next.prefix.system];
  const named = compareNames(record.seen, seen);
  const hasOtherTools = named.some(({ name }) => name === toolsKey);
  return {
    last: { at: session.recent.at(-1)?.at ?? record.startedAt, model: record.model, epoch: record.hash },
    files: named.filter(({ name }) => name !== toolsKey),
    tools: hasOtherTools ? compareNames(byName(prefix.tools), byName(tools)) : [],
    notes,
    break: found,
    system: before === after ? undefined : await diffLines(before, after, longestDiff),
  };
}

/** The last request, for comparison: hosts cache the bytes that are repeated. */
interface SentRequest {
  prefix: Prefix;
  /** Without the system message. */
  history: readonly Message[];
}

/** What both have in common, each counted from its own beginning: characters of system text, messages. */
interface SharedStart {
  tools: boolean;
  system: number;
  isSameSystem: boolean;
  history: number;
}

interface PrefixBreak {
  place: "start" | "tools" | "system" | "history" | "nowhere";
  why: NewEpochReason | "compressed";
  /** Position of the first difference in the new system text. */
  layer?: string;
  line?: number;
  /** How many messages of the conversation are still the same. */
  messages?: number;
}

interface NamedChange {
  name: string;
  change: "added" | "changed" | "removed";
}

const nothingShared: SharedStart = { tools: false, system: 0, isSameSystem: false, history: 0 };

function compareRequests(last: SentRequest, next: SentRequest): SharedStart {
  return {
    tools: isDeepStrictEqual(last.prefix.tools, next.prefix.tools),
    system: countShared(last.prefix.system, next.prefix.system),
    isSameSystem: last.prefix.system === next.prefix.system,
    history: countShared(last.history, next.history, isDeepStrictEqual),
  };
}

/** Undefined while the next request repeats all of the last one, in time for a host to remember it. */
function findBreak(
  last: SentRequest,
  next: SentRequest,
  { tools, system, isSameSystem, history }: SharedStart,
  reason: NewEpochReason | undefined,
): PrefixBreak | undefined {
  const why = reason ?? "compressed";
  if (why === "model-changed") return { place: "start", why };
  // On the wire tools come first, then the system text, then the conversation.
  if (!tools) return { place: "tools", why };
  if (!isSameSystem) return { place: "system", why, ...locate(next.prefix, system) };
  if (history < last.history.length) return { place: "history", why, messages: history };
  return reason && { place: "nowhere", why };
}

function locate(prefix: Prefix, position: number): Pick<PrefixBreak, "layer" | "line"> {
  const layer = splitLayers(prefix).findLast(({ start }) => start <= position);
  const before = prefix.system.slice(layer?.start ?? 0, position);
  return { layer: layer?.name ?? "", line: before.split("\n").length };
}

function compareNames(last: Record<string, unknown>, next: Record<string, unknown>): NamedChange[] {
  const names = [...new Set([...Object.keys(last), ...Object.keys(next)])].sort();
  return names.flatMap((name): NamedChange[] => {
    if (!(name in last)) return [{ name, change: "added" }];
    if (!(name in next)) return [{ name, change: "removed" }];
    return isDeepStrictEqual(last[name], next[name]) ? [] : [{ name, change: "changed" }];
  });
}

export function byName(tools: readonly ToolDefinition[]): Record<string, ToolDefinition> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

function countShared<T>(
  a: ArrayLike<T>,
  b: ArrayLike<T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean = Object.is,
): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && isSame(a[count], b[count])) count++;
  return count;
}
