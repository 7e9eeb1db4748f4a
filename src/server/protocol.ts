// The protocol between the gateway and its clients: the browser, the terminal, other programs. Types only, of JSON
// frames over one WebSocket. Reading and writing state are requests; what happens meanwhile are events with numbers.
import type { ChatEvent, Shown } from "../api/chat/wire.ts";
import type { OperationName, ParamsOf } from "../api/index.ts";
import type { Progress, Topic, Viewer } from "../api/operation.ts";
import type { Problem } from "../api/problem.ts";
import type { Asking } from "../bus/ask.ts";
import type { Language } from "../i18n/words.ts";

export const protocolVersion = 1;

export type { OperationName, ParamsOf, ResultOf } from "../api/index.ts";

/**
 * Asked by the client. The same id is asked again after a reconnect until it is answered, and is done once:
 * the gateway answers a known id from memory, and what outlives the gateway carries the id as its key.
 */
export interface RequestFrame<Name extends OperationName = OperationName> {
  type: "request";
  id: string;
  method: Name;
  params: ParamsOf<Name>;
  /** Of the page: what is said to the person comes in it. Absent: in the gateway's. */
  language?: Language;
}

/** The first frame of a client: what it has seen, so that it gets the rest. */
export interface HelloFrame {
  type: "hello";
  protocol: number;
  /** Of the last welcome, and the last event that was taken. */
  seen?: { life: string; seq: number };
}

/** Whether the gateway is still there. Answered by a pong; never asked again. */
export interface PingFrame {
  type: "ping";
  id: string;
}

/** The first frame of the gateway. `isResumed`: every event since `seen` follows; otherwise ask for everything again. */
export interface WelcomeFrame {
  type: "welcome";
  protocol: number;
  version: string;
  /** One life of the gateway; its numbers begin again with it. */
  life: string;
  seq: number;
  isResumed: boolean;
  viewer: Viewer;
}

export type { Problem } from "../api/problem.ts";

export type ResponseFrame =
  | { type: "response"; id: string; ok: true; result: unknown }
  | { type: "response"; id: string; ok: false; problem: Problem };

export interface EventFrame {
  type: "event";
  /** Grows, with gaps where an event was not for this viewer. One that was seen is dropped. */
  seq: number;
  at: number;
  event: GatewayEvent;
}

/** Of a ping with the same id. */
export interface PongFrame {
  type: "pong";
  id: string;
}

export type ServerFrame = WelcomeFrame | ResponseFrame | EventFrame | PongFrame;

export type { Topic, Viewer } from "../api/operation.ts";

export type GatewayEvent =
  /** Something of a conversation, in order: what was said, what happens in its turn, what was sent in addition. */
  | { type: "shown"; sessionKey: string; shown: Shown }
  | ChatEvent
  | { type: "changed"; topic: Topic }
  /** Of an operation that this person called by that request; `questions.answer` answers it. */
  | { type: "question"; requestId: string; questionId: string; question: Asking }
  /** How far that operation is. */
  | (Progress & { requestId: string })
  /** One JSON line of the log, redacted; only for an owner who follows the log. */
  | { type: "logged"; line: string };

/** Close codes of the socket beyond those of the standard. */
export const closeCodes = { notAdmitted: 4401, otherProtocol: 4406, tooSlow: 4408 } as const;
