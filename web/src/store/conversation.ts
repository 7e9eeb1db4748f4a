// One conversation as it is shown: parts in their order, each with the id under which it is stored. What is stored and
// what happens live come to the same parts, so that it does not matter when one began to look.
import type {
  Aside,
  Attachment,
  Entry,
  OpenedSession,
  Shown,
  SubagentCard,
  TurnCost,
} from "../../../src/api/chat/wire.ts";
import type { Problem } from "../../../src/server/protocol.ts";

export type LiveBody = Extract<Shown, { type: "live" }>["body"];
export type Ask = OpenedSession["asks"][number];
export type Question = Ask["question"];
export type Notice = Extract<LiveBody, { type: "notice" }>["notice"];

export interface UserPart {
  kind: "user";
  id: string;
  turn: string;
  at: number;
  text: string;
  /** Said by the machine: a schedule, a subagent that is done. */
  isSystem: boolean;
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
  /** What is stored is complete; what streams beside it adds nothing. */
  isStored: boolean;
  /** What asking for this reply took. */
  usage?: Entry["usage"];
  /** Of the last of a turn: what all of the turn took. */
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
  /** The entry with the whole of it, where this is not. */
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
  notice?: Notice;
}

/** A message on its way. */
export interface Outgoing {
  requestId: string;
  at: number;
  text: string;
  files: ReadonlyArray<{ fileId: string; name: string }>;
  problem?: Problem;
}

export interface Conversation {
  key: string;
  /** `stale`: to be asked for anew, and shown as it is until then. */
  status: "opening" | "open" | "stale" | "failed" | "removed";
  problem?: Problem;
  parts: readonly Part[];
  hasMore: boolean;
  running?: RunningTurn;
  /** How the latest turn ended, where it was seen to end. */
  ending?: { turnId: string; stop: string };
  asks: readonly Ask[];
  subagents: readonly SubagentCard[];
  outgoing: readonly Outgoing[];
  model: string;
  /** Events up to here are contained. */
  seq: number;
  /** What happened since it was asked for. */
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
    seq: 0,
    waiting: [],
  };
}
