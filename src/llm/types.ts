// The contract between the assistant and any model: canonical messages, one request, a stream of events, one reply.
// Knows no wire format, no host and no tool implementation.
import type { Notice } from "../bus/live.ts";
import type { Cause } from "../bus/types.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Usage } from "../lib/usage.ts";

export interface TextPart {
  type: "text";
  text: string;
}

/** `url` is a `data:` URI, an `https:` address, or a `file:` address of a content-addressed image; a wire protocol loads the latter. */
export interface ImagePart {
  type: "image_url";
  image_url: { url: string; detail?: string };
}

export type ContentPart = TextPart | ImagePart;

export interface ToolCall {
  id: string;
  type: "function";
  /** `arguments` is JSON text of an object; a wire protocol repairs it before it gets here. */
  function: { name: string; arguments: string };
  /** Opaque data that a host wants back with the call (Gemini's thought signatures). */
  extra_content?: unknown;
}

/** Anthropic's reasoning, kept because its signature is checked when it comes back. */
export interface ThinkingBlock {
  type: "thinking" | "redacted_thinking";
  thinking?: string;
  signature?: string;
  data?: string;
}

export interface SystemMessage {
  role: "system";
  content: string;
}

export interface UserMessage {
  role: "user";
  content: string | ContentPart[];
}

export interface AssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: ToolCall[];
  reasoning_content?: string;
  thinking_blocks?: ThinkingBlock[];
}

export interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  name: string;
  content: string | ContentPart[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface JsonSchema {
  [keyword: string]: unknown;
}

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | "adaptive";

export interface ModelSettings {
  model: string;
  maxTokens: number;
  temperature?: number;
  reasoningEffort?: ReasoningEffort;
}

export interface ModelRequest extends ModelSettings {
  /** The system message first. A provider must not change them. */
  messages: readonly Message[];
  tools?: readonly ToolDefinition[];
  /** "none" keeps the tools in the request (and so the cached prefix) but forbids calls. */
  toolChoice?: "auto" | "none";
  /** For the ledger; never on the wire. */
  attribution: {
    cause: Cause | "consolidation" | "title" | "recall" | "image";
    sessionKey: string;
    turnId: string;
    person?: string;
  };
}

export const errorKinds = [
  "authentication",
  "permission",
  "quota",
  "rate-limit",
  "overloaded",
  "server",
  "connection",
  "timeout",
  "idle",
  "context-overflow",
  "content-filter",
  "not-found",
  "invalid-request",
  "unsupported-image",
  /** Ours: nothing was asked. */
  "budget",
  "unknown",
] as const;

export type ProviderErrorKind = (typeof errorKinds)[number];

export interface ProviderError {
  kind: ProviderErrorKind;
  /** For people. */
  host: string;
  /** What the host or the system said, without secrets. */
  detail?: string;
  /** In place of the usual sentence for its kind. */
  phrase?: Phrase;
  status?: number;
  retryAfterMs?: number;
  /** What the host said of its limit, in tokens: only where a request was too long for it. */
  limit?: { window?: number; prompt?: number; answer?: number };
  /** The address is on this machine: a refused connection will not heal by waiting. */
  isLoopback?: boolean;
}

export type ReplyStop = "stop" | "tool-calls" | "length" | "refusal" | "error";

export interface ModelReply {
  message: AssistantMessage;
  stop: ReplyStop;
  model: string;
  usage?: Usage;
  /** Set exactly when stop is "error". */
  error?: ProviderError;
  /** Tool calls without a usable name that were left out of the message. */
  malformedCalls?: number;
}

export type ModelEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "tool-call-delta"; index: number; name?: string; argumentsDelta?: string }
  /** A stalled stream begins again: the text shown for this reply so far is void. */
  | { type: "text-reset" }
  /** A sign of life without a word, such as a ping. */
  | { type: "alive" }
  | { type: "notice"; notice: Notice }
  | { type: "reply-end"; reply: ModelReply };

/**
 * A model behind any protocol. An implementer must not throw for a failure of the world: the last event is
 * always `reply-end`, with stop "error" and a classified error if need be. Only an abort throws, with the
 * signal's reason. It must not retry (a wrapper does), keep state between calls, or change the request.
 */
export interface Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Retry, fallback, budget, ledger: each is one of these. */
export type ProviderWrapper = (provider: Provider) => Provider;
