// On the wire: what the next request of a conversation would contain, and how it differs from the last one.
import type { NamedChange, PrefixBreak } from "../../context/comparison.ts";

export interface ContextRow {
  /** A part is one of the layer before it and not counted again. */
  kind: "layer" | "part" | "tool" | "history" | "message";
  /** Of history `sent` or `unsent`, of the message `text` or `runtime`. */
  name: string;
  source: string;
  characters: number;
  tokens: number;
  /** Repeats the last request, so that a host that caches still has it. */
  isCached: boolean;
  /** Only history: how many. */
  messages?: number;
}

export interface ContextView {
  sessionKey: string;
  model: string;
  /** Tokens of the window. */
  window: number;
  /** What of it a request may take: beyond it older messages are summarised, until `target` is left. */
  budget: number;
  target: number;
  tokens: number;
  /** Tokens that the host has counted for one that was estimated; 1 where it has not said. */
  correction: number;
  /** With a reason, a new one begins with the next message. */
  epoch: { hash: string; startedAt?: number; reason?: string };
  rows: ContextRow[];
  /** Of the last turn, as its host counted them. */
  lastTurn?: { read: number; cached: number; written: number };
  /** Since the last request; absent when there was none. */
  since?: {
    at: number;
    model: string;
    files: NamedChange[];
    tools: NamedChange[];
    /** What the model is told of it with the next message. */
    notes: string[];
    /** Why not all of the last request is repeated. */
    break?: PrefixBreak;
    /** Lines of the system text that are not what they were. */
    diff?: string;
  };
}

export interface ContextText {
  /** Of history one for each message, otherwise one; none where the request has no such row any more. */
  pieces: Array<{ role?: string; text: string }>;
  /** The beginning was left out. */
  isCut: boolean;
}

export interface ContextMethods {
  "context.inspect": { params: { sessionKey: string }; result: ContextView };
  /** Of one row: its kind and name say which. */
  "context.text": {
    params: { sessionKey: string; kind: ContextRow["kind"]; name: string };
    result: ContextText;
  };
}
