// What happens in conversations at this moment, and how viewers learn of it: implemented by the gateway.
import type { InboundMessage, NewInbound, Origin, Receipt } from "../../bus/types.ts";
import type { Viewer } from "../operation.ts";
import type { KeptSaid } from "./shown-log.ts";
import type { OpenedSession, SessionCard } from "./wire.ts";

/** What is there of a session at the number of an event. */
export interface LiveState extends Pick<OpenedSession, "running" | "asks" | "subagents" | "seq"> {
  said: KeptSaid[];
}

export interface LiveConversations {
  /** A message is safe. */
  hear(message: InboundMessage): void;
  /** Stored messages were taken away. */
  rewrite(sessionKey: string): void;
  /** Everything of it was told by the event of its number, and nothing later. */
  stateOf(sessionKey: string): LiveState;
  isRunning(sessionKey: string): boolean;
  isAsking(sessionKey: string): boolean;
}

/** Told to owners, and to the guest whose it is. */
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
