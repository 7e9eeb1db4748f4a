// Conversations as clients get them: the list, one of them with what runs in it now, and what happens there.
import type { Question } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import type { DueTask, InboundMessage, NewInbound, Origin, Receipt } from "../../bus/types.ts";
import type { ReplyUsage, Usage } from "../../lib/usage.ts";
import type { Viewer } from "../operation.ts";
import type { KeptSaid, KeptTask } from "./shown-log.ts";

/** A conversation in a list. */
export interface SessionCard {
  key: string;
  /** Given by the person or the model, or the beginning of what was said first; "" where only commands were. Never the key. */
  title: string;
  /** Where the person put it; absent: in none. */
  folder?: string;
  updatedAt: number;
  isPinned: boolean;
  isArchived: boolean;
  isRunning: boolean;
  /** A question waits for the owner. */
  isAsking: boolean;
  /** When a person last saw it in a browser; absent: not since browsers say so. */
  seenAt?: number;
  /** By `/new`: nothing can be said here any more. */
  isClosed: boolean;
  /** Whose it is, if a guest's: only that guest can say something here. */
  guest?: string;
}

/** A file or image of a message, read at `url` with the viewer's cookie. */
export interface Attachment {
  name: string;
  url: string;
  isImage: boolean;
}

/** One stored message of a conversation, as a person may see it: without what was added for the model only. */
export interface Entry {
  /** `T` for a user's message, `T.n` for the reply of step n, `T.n.i` for the result of its call i. */
  id: string;
  turn: string;
  at: number;
  role: "user" | "assistant" | "tool";
  /** Of a user's: said by the machine, such as a schedule or a subagent that is done. */
  isSystem?: boolean;
  /** Of a reminder or task that was due. */
  task?: ShownTask;
  /** A turn of a goal; the text is the goal. */
  isGoal?: true;
  text: string;
  /** Of a reply: there is none, because the turn failed. The notice of it says why. */
  isFailed?: true;
  /** Long results are cut; `chat.entry` gives the whole. */
  isCut?: boolean;
  attachments?: Attachment[];
  reasoning?: string;
  calls?: Array<{ id: string; name: string; arguments: Record<string, unknown> }>;
  /** Of a result. */
  callId?: string;
  isError?: boolean;
  ms?: number;
  /** Of a reply: what asking for it took. */
  usage?: ReplyUsage;
  /** Of the last reply of a turn: what all of the turn took. */
  cost?: TurnCost;
  /** What was recalled for this message; `chat.find` says where it was said. */
  recalled?: Array<{ reference: string; at: number; text: string }>;
}

/** A job that was due, and what the person did about it. */
export interface ShownTask extends DueTask {
  state?: "done" | "snoozed";
  /** Until when it is snoozed. */
  until?: number;
}

export interface TurnCost {
  usage: Usage;
  ms: number;
  /** In the currency of the ledger; absent where no price is known. */
  money?: number;
}

/** Accepted and safe; `turnId` is the turn that it starts, and its entry's id. */
export interface Said {
  type: "said";
  turnId: string;
  at: number;
  text: string;
  isSystem?: boolean;
  task?: ShownTask;
  isGoal?: true;
  attachments?: Attachment[];
  channel: string;
}

/** Sent to the conversation, but no part of its history: the answer of a command, a notice, a tool's message. */
export interface Aside {
  type: "aside";
  id: string;
  turnId: string;
  at: number;
  kind: "command" | "notice" | "message";
  /** It tells why the turn failed. */
  isFailure?: boolean;
  text: string;
  attachments?: Attachment[];
}

/** Background work of the conversation. */
export interface SubagentCard {
  /** Of the call that asked for it. */
  id: string;
  label: string;
  task: string;
  state: "waiting" | "running" | "ended";
  step: number;
  toolCalls: number;
  lastCalls: string[];
  startedAt: number;
}

/** What happens in a conversation. Everything of one turn has its `turnId`; a step of it is the entry `T.n`. */
export type Shown =
  | Said
  /** The content of a long result is cut: it is the entry of that call's id. */
  | { type: "live"; turnId: string; body: LiveBody }
  /** A turn is over and stored, as far as one came of its message; what it took follows, if a model was asked. */
  | { type: "settled"; turnId: string; cost?: TurnCost }
  | Aside
  | { type: "subagent"; subagent: SubagentCard }
  | { type: "task"; turnId: string; state: NonNullable<ShownTask["state"]>; until?: number }
  /** Stored messages were taken away or changed: the conversation is to be opened again. */
  | { type: "rewritten" };

export interface OpenedSession {
  session: SessionCard;
  /** In order. Those of a turn that still runs are among them as far as they are stored. */
  entries: Entry[];
  /** Asides since the first of the entries. */
  asides: Aside[];
  /** Said since then and not among the entries: it waits for its turn, or was a command. */
  said: Said[];
  subagents: SubagentCard[];
  /** Older ones are asked for with `before` of the first entry. */
  hasMore: boolean;
  /** What happened in the running step so far, deltas joined; it may be among the entries already, by its ids. */
  running?: { turnId: string; bodies: LiveBody[] };
  /** Questions that wait for an answer. */
  asks: Array<{ askId: string; turnId: string; question: Question }>;
  /** Messages that were said or answered more than once, with the versions of what they began, oldest first; "" is this one. */
  versions?: Array<{ entryId: string; keys: string[] }>;
  /** Messages were withdrawn; the next message is another version of them. */
  isTakenBack?: true;
  /** The model that answers here. */
  model: string;
  /** Of the last event that is contained. */
  seq: number;
}

export interface FoundEntry {
  sessionKey: string;
  title: string;
  entryId: string;
  at: number;
  /** With what was found. */
  text: string;
}

/** The state of a session as of a numbered event. */
export interface LiveState extends Pick<OpenedSession, "running" | "asks" | "subagents" | "seq"> {
  said: KeptSaid[];
}

export interface LiveConversations {
  /** A message is safe. */
  hear(message: InboundMessage): void;
  /** A person has dealt with a reminder. */
  settleTask(sessionKey: string, settled: KeptTask): Promise<void>;
  /** Stored messages were taken away. */
  rewrite(sessionKey: string): void;
  /** The event with its number included everything in it, and nothing later. */
  stateOf(sessionKey: string): LiveState;
  isRunning(sessionKey: string): boolean;
  isAsking(sessionKey: string): boolean;
}

/** Sent to owners, and to the guest who owns it. */
export type ChatEvent =
  | { type: "session-changed"; session: SessionCard }
  | { type: "session-removed"; sessionKey: string };

export type ChatChannel = "web" | "cli";

/** What a person says in a session. */
export interface SpokenMessage extends Pick<NewInbound, "sessionKey" | "text" | "media" | "labels"> {
  /** The same one again is the same message, also after a restart. */
  requestId: string;
  viewer: Viewer;
  language?: Origin["language"];
  /** Of a session that belongs to a group. */
  group?: string;
}

/** Resolves when it is safe. */
export type Say = (channel: ChatChannel, message: SpokenMessage) => Promise<Receipt>;
