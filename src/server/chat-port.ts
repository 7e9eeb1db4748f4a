// What a chat in the terminal needs of the assistant, whether it runs in this process or in the gateway of the home.

import type { Shown } from "../api/chat/wire.ts";
import type { Client } from "../api/client.ts";
import type { LiveBody } from "../bus/live.ts";

export type ChatEvent =
  | { type: "shown"; sessionKey: string; shown: Shown }
  /** The gateway went away; it is looked for until it is back. */
  | { type: "lost" }
  /** It is back. `isResumed`: nothing was missed; otherwise the conversation is to be opened again. */
  | { type: "back"; isResumed: boolean };

export interface SessionRow {
  key: string;
  title: string;
  updatedAt: number;
  isRunning: boolean;
}

export interface PastMessage {
  id: string;
  turn: string;
  role: "user" | "assistant" | "tool";
  text: string;
}

export interface OpenedChat {
  title: string;
  model: string;
  /** The latest of what was said. */
  past: PastMessage[];
  /** What happened so far in the turn that runs. */
  running?: { turnId: string; bodies: LiveBody[] };
}

export interface OutgoingMessage {
  sessionKey: string;
  text: string;
  /** Absolute paths. */
  files: string[];
  /** Sources of what in the text is not the owner's own. */
  labels: string[];
}

export interface Completions {
  commands: Array<{ name: string; about: string }>;
  skills: Array<{ name: string; about: string }>;
}

/** What a command of the owner's own came to. */
export interface CommandResult {
  content: string;
  isError: boolean;
  labels: string[];
}

/**
 * An implementer must hand events to the listener in their order, must not lose a message for which `send` resolved,
 * and must throw an Error whose message is for the person when a wish cannot be fulfilled.
 */
export interface ChatPort {
  /** Of the gateway that answers, not of this process. */
  isAttached: boolean;
  listen(listener: (event: ChatEvent) => void): void;
  open(sessionKey: string): Promise<OpenedChat>;
  /** Resolves with the id of its turn. */
  send(message: OutgoingMessage): Promise<string>;
  stop(sessionKey: string): Promise<void>;
  answer(params: { sessionKey: string; askId: string; choice: string; text?: string }): Promise<void>;
  sessions(): Promise<SessionRow[]>;
  complete(): Promise<Completions>;
  run(wish: { sessionKey: string; command: string }, signal: AbortSignal): Promise<CommandResult>;
  /** Operations as the owner. */
  client(): Promise<Client>;
  close(): Promise<void>;
}
