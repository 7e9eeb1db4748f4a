// One conversation as it is shown. Stored entries and live events become the same parts, each with its stored id.
import type {
  Aside,
  Attachment,
  Entry,
  OpenedSession,
  Said,
  Shown,
  ShownTask,
  SubagentCard,
  TurnCost,
} from "../../../src/api/chat/wire.ts";
import type { Problem } from "../../../src/server/protocol.ts";

export type LiveBody = Extract<Shown, { type: "live" }>["body"];
export type Ask = OpenedSession["asks"][number];
export type Question = Ask["question"];
type Notice = Extract<LiveBody, { type: "notice" }>["notice"];

export interface UserPart {
  kind: "user";
  id: string;
  turn: string;
  at: number;
  text: string;
  /** Not written by a person: a schedule, a finished subagent. */
  isSystem: boolean;
  /** A reminder or task that was due. */
  task?: ShownTask;
  /** A turn of a goal; the text is the goal. */
  isGoal?: true;
  attachments: readonly Attachment[];
  recalled: NonNullable<Entry["recalled"]>;
}

/** One reply of the model with the calls that it made. */
export interface StepPart {
  kind: "step";
  id: string;
  turn: string;
  at: number;
  text: string;
  reasoning: string;
  calls: readonly Call[];
  attachments: readonly Attachment[];
  /** There is no reply, because the turn failed. */
  isFailed?: boolean;
  /** A stored step is complete; live text is ignored. */
  isStored: boolean;
  /** Of the whole turn, with its last reply. */
  cost?: TurnCost;
}

export interface Call {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  progress: string;
  startedAt?: number;
  result?: CallResult;
}

export interface CallResult {
  text: string;
  isError: boolean;
  ms?: number;
  /** The entry with the whole text, where this one is cut. */
  cutFrom?: string;
  attachments: readonly Attachment[];
}

export interface AsidePart {
  kind: "aside";
  id: string;
  turn: string;
  at: number;
  aside: Aside;
}

export type Part = UserPart | StepPart | AsidePart;

export interface RunningTurn {
  turnId: string;
  stepId?: string;
  /** When it began, or was first seen here, by the clock of the browser. */
  at?: number;
  /** `until`: when it is tried again. */
  notice?: Notice & { until?: number };
}

/** A message that is being sent. */
export interface Outgoing {
  requestId: string;
  at: number;
  text: string;
  files: ReadonlyArray<{ fileId: string; name: string }>;
  problem?: Problem;
}

export interface Conversation {
  key: string;
  /** `stale`: out of date, shown until it is opened again. */
  status: "opening" | "open" | "stale" | "failed" | "removed";
  problem?: Problem;
  parts: readonly Part[];
  hasMore: boolean;
  running?: RunningTurn;
  /** How the latest turn ended, if that was seen. */
  ending?: { turnId: string; stop: string };
  asks: readonly Ask[];
  subagents: readonly SubagentCard[];
  outgoing: readonly Outgoing[];
  model: string;
  /** Of messages that were said or answered more than once: the versions, "" for the one that is shown. */
  versions: ReadonlyMap<string, readonly string[]>;
  /** What is said next is another version of what was taken back. */
  isTakenBack: boolean;
  /** Events up to this number are included. */
  seq: number;
  /** Events since it was requested. */
  waiting: ReadonlyArray<{ seq: number; at: number; shown: Shown }>;
}

export function newConversation(key: string, status: Conversation["status"]): Conversation {
  return {
    key,
    status,
    parts: [],
    hasMore: false,
    asks: [],
    subagents: [],
    outgoing: [],
    model: "",
    versions: new Map(),
    isTakenBack: false,
    seq: 0,
    waiting: [],
  };
}

export function toParts({
  entries,
  asides,
  said,
}: Pick<OpenedSession, "entries" | "asides" | "said">): Part[] {
  const results = new Map(entries.flatMap((entry) => (entry.callId ? [[entry.callId, entry] as const] : [])));
  const parts = entries.flatMap((entry) => toPart(entry, results));
  const others = [...said.map(toUserPart), ...asides.map(toAsidePart)];
  return merge(
    parts,
    others.toSorted((a, b) => a.at - b.at),
  );
}

export function toUserPart({
  turnId,
  at,
  text,
  isSystem = false,
  task,
  isGoal,
  attachments = [],
}: Omit<Said, "type" | "channel">): UserPart {
  const part = { id: turnId, turn: turnId, at, text, isSystem, attachments };
  return { kind: "user", ...part, recalled: [], ...(task && { task }), ...(isGoal && { isGoal }) };
}

export function toAsidePart(aside: Aside): AsidePart {
  return { kind: "aside", id: aside.id, turn: aside.turnId, at: aside.at, aside };
}

function toPart(entry: Entry, results: ReadonlyMap<string, Entry>): Part[] {
  const { id, turn, recalled = [] } = entry;
  if (entry.role === "user") return [{ ...toUserPart({ ...entry, turnId: turn }), id, recalled }];
  if (entry.role === "tool") return [];
  return [toStep(entry, results)];
}

function toStep(entry: Entry, results: ReadonlyMap<string, Entry>): StepPart {
  const { id, turn, at, text, reasoning = "", attachments = [], calls = [] } = entry;
  const withResults = calls.map((call): Call => {
    const result = results.get(call.id);
    return { ...call, progress: "", ...(result && { result: toResult(result) }) };
  });
  return {
    kind: "step",
    id,
    turn,
    at,
    text,
    reasoning,
    calls: withResults,
    attachments,
    isStored: true,
    ...(entry.isFailed && { isFailed: true }),
    ...(entry.cost && { cost: entry.cost }),
  };
}

function toResult({ id, text, isError = false, isCut, ms, attachments = [] }: Entry): CallResult {
  return { text, isError, attachments, ...(ms !== undefined && { ms }), ...(isCut && { cutFrom: id }) };
}

/** Inserts `others` by their time. */
function merge(parts: readonly Part[], others: readonly Part[]): Part[] {
  const merged: Part[] = [];
  let next = 0;
  for (const part of parts) {
    for (let other = others[next]; other !== undefined && other.at < part.at; other = others[++next])
      merged.push(other);
    merged.push(part);
  }
  return [...merged, ...others.slice(next)];
}
