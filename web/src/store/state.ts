// What the page knows of the gateway: the link, who looks, the list of conversations and those that are open.

import type { OpenedSession, SessionCard } from "../../../src/api/chat/wire.ts";
import type { GatewayEvent, Problem, Topic, Viewer } from "../../../src/server/protocol.ts";
import type { Conversation, Outgoing } from "./conversation.ts";

/** `signed-out`: the gateway does not know who this is. `outdated`: it speaks another protocol. */
export type Link = "connecting" | "online" | "offline" | "signed-out" | "outdated";

/** Why a link or key did not sign in. `other`: it is another person's, and this browser is signed in. */
export type Refusal = "wrong" | "often" | "other" | "unreachable";

export interface State {
  link: Link;
  viewer?: Viewer;
  /** Why the link by which the page was opened did not sign it in. */
  refusal?: Refusal;
  version?: string;
  /** By which the program is called in a terminal of the gateway's machine. */
  command: string;
  /** Grows when events were missed: whoever holds a copy of something asks anew. */
  generation: number;
  /** Grows with every change of a topic. */
  topics: Partial<Record<Topic, number>>;
  /** Absent until they were asked for. */
  sessions?: ReadonlyMap<string, SessionCard>;
  conversations: ReadonlyMap<string, Conversation>;
  /** Of operations that this page has called, oldest first. */
  questions: readonly PendingQuestion[];
  /** How far operations are that this page has called, by request. */
  progress: ReadonlyMap<string, Progress>;
  /** The latest lines of the log, while it is followed. */
  logs: readonly string[];
}

export type Progress = Extract<GatewayEvent, { type: "progress" }>;
export type PendingQuestion = Extract<GatewayEvent, { type: "question" }>;

export type Action =
  | { type: "link"; link: Link }
  | { type: "refused"; refusal: Refusal }
  | { type: "named"; command: string }
  | { type: "welcome"; viewer: Viewer; version: string; isResumed: boolean }
  | { type: "event"; seq: number; at: number; event: GatewayEvent }
  /** The question of that request is over, or the request itself. */
  | { type: "answered"; requestId: string }
  | { type: "sessions-listed"; sessions: SessionCard[] }
  | { type: "session-labelled"; session: SessionCard }
  /** Asked for: what happens meanwhile is kept until it is there. */
  | { type: "open-started"; sessionKey: string }
  | { type: "opened"; opened: OpenedSession }
  | { type: "open-failed"; sessionKey: string; problem: Problem }
  | { type: "older-loaded"; opened: OpenedSession }
  | { type: "sending"; sessionKey: string; message: Outgoing }
  | { type: "sent"; sessionKey: string; requestId: string; turnId: string }
  | { type: "send-failed"; sessionKey: string; requestId: string; problem: Problem }
  | { type: "send-dropped"; sessionKey: string; requestId: string };

export const initialState: State = {
  link: "connecting",
  command: "nanobot",
  generation: 0,
  topics: {},
  conversations: new Map(),
  questions: [],
  progress: new Map(),
  logs: [],
};
