// What a model host is: one row of data for the table in hosts.ts, and a connection to it made from the config.
// Host differences are quirks here, never branches on a name in a protocol.
import type { ProviderSettings } from "./config.ts";
import type { ImageLimits } from "./image-limits.ts";

export type Protocol = "openai-chat" | "anthropic-messages" | "offline" | "scripted";

export interface Quirks {
  /** The output cap is sent as `max_completion_tokens`: always, or for models that match. */
  maxCompletionTokens?: true | RegExp;
  /** Models that reject `temperature`. */
  rejectsTemperature?: true | RegExp;
  /** `reasoning_content` of earlier replies: sent back when present (default), always (with ""), or never. */
  reasoningReplay?: "keep" | "backfill" | "drop";
  /**
   * `extra_content` for the first call of a reply that has none, such as one by another host's model. Gemini:
   * "Function call is missing a thought_signature in functionCall parts."
   */
  unsignedCall?: Record<string, unknown>;
  /** How an effort is put on the wire; default `reasoning_effort`. */
  thinkingStyle?: "reasoning_effort" | "thinking_type" | "enable_thinking" | "reasoning_split" | "openrouter";
  /** Mistral takes only nine alphanumeric characters as a tool-call id. */
  toolCallIds?: "nine-alphanumeric";
  /** Content must be a string; parts are joined. */
  stringContent?: true;
  /** An assistant message with only tool calls needs "" instead of null. */
  emptyContent?: "null" | "empty-string";
  /** The answer may arrive in `reasoning` while `content` stays empty. */
  reasoningAsContent?: true;
  /** The host rejects `stream_options`. */
  noStreamOptions?: true;
  /** Prompt-cache marks are understood: for every model, or for those that match. */
  cacheMarks?: true | RegExp;
  /** Models that take function tools only with `reasoning_effort: "none"` ("Function tools with reasoning_effort are not supported"). */
  noEffortWithTools?: RegExp;
  /** Models that choose their own thinking budget (Anthropic `thinking: adaptive`). */
  adaptiveThinking?: RegExp;
  /** Models that think unasked and reject thinking blocks whose conversation has changed, unless told to drop them. */
  boundThinking?: RegExp;
  /** Images that the host takes; default `usualImageLimits`. */
  imageLimits?: ImageLimits;
  headers?: Record<string, string>;
}

export interface Host {
  /** The key under `providers` in the config, in snake_case as in the Python original. */
  name: string;
  label: string;
  protocol: Protocol;
  /** Absent for hosts that need an `apiBase`. */
  baseUrl?: string;
  /** gateway: routes to many vendors; local: on this machine, needs no key; direct: only when named. */
  kind: "vendor" | "gateway" | "local" | "direct";
  /** The environment variables that may hold the key, best first. */
  keyVariables: string[];
  keyPrefix?: string;
  /** Parts of model names that suggest this host. */
  keywords: string[];
  /** Used when a key is found in the environment and nothing is configured. */
  defaultModel?: string;
  /** Context window of the default model, where it is smaller than the usual setting. */
  defaultWindow?: number;
  /** Model names have no slash here: whatever stands before the last one is dropped. Others lose only `<host>/`. */
  stripsPrefix?: boolean;
  /** Another row of the same vendor for the other side of the Chinese border, tried by onboard. */
  twin?: string;
  quirks: Quirks;
}

/** A host with the user's credentials and settings: all that a protocol needs to send a request. */
export interface Connection extends Pick<ProviderSettings, "extraHeaders" | "extraBody" | "extraQuery"> {
  host: Host;
  baseUrl: string;
  apiKey?: string;
  fetch: WireFetch;
}

/** As much of `fetch` as a protocol needs: a POST that follows no redirect. */
export type WireFetch = (url: string, init: WireInit) => Promise<WireResponse>;

interface WireInit {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

export interface WireResponse extends Pick<Response, "ok" | "status"> {
  headers: Pick<Headers, "get">;
  body: { getReader(): ByteReader } | null;
}

/** `cancel` ends a `read` that waits. */
export type ByteReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Where a quirk names models by a pattern, a plain yes or no for one of them. */
export type ModelQuirks = { [Name in keyof Quirks]: RegExp extends Quirks[Name] ? boolean : Quirks[Name] };

export function toModelQuirks({ quirks }: Host, model: string): ModelQuirks {
  const resolved = Object.entries(quirks).map(([name, quirk]) => [
    name,
    quirk instanceof RegExp ? quirk.test(model) : quirk,
  ]);
  return Object.fromEntries(resolved) as ModelQuirks;
}
