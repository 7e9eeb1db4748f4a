// A model host as one row of data for the table in hosts.ts, and a connection to it made from the config.
// Differences between hosts are quirks here; a protocol must not branch on a host's name.
import type { ProviderSettings } from "../config.ts";

export type Protocol = "openai-chat" | "openai-responses" | "anthropic-messages" | "offline" | "scripted";

/** It has OpenAI's other services, too: embeddings, recordings, images. */
export function speaksOpenAI({ protocol }: Pick<Host, "protocol">): boolean {
  return protocol === "openai-chat" || protocol === "openai-responses";
}

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
  /** Takes back whatever id it gave, however long. */
  anyToolCallIds?: true;
  /** Content must be a string; parts are joined. */
  stringContent?: true;
  /** An assistant message with only tool calls needs "" instead of null. */
  emptyContent?: "null" | "empty-string";
  /** The answer may arrive in `reasoning` while `content` stays empty. */
  reasoningAsContent?: true;
  /** The host rejects a limit for the answer. */
  noOutputLimit?: true;
  /** The host rejects `stream_options`. */
  noStreamOptions?: true;
  /** Prompt-cache marks are understood: for every model, or for those that match. */
  cacheMarks?: true | RegExp;
  /** Models that take function tools only with `reasoning_effort: "none"` ("Function tools with reasoning_effort are not supported"). */
  noEffortWithTools?: RegExp;
  /** Models that choose the thinking budget themselves (Anthropic `thinking: adaptive`). */
  adaptiveThinking?: RegExp;
  /** Models that think unasked and reject thinking blocks whose conversation has changed, unless asked to drop them. */
  boundThinking?: RegExp;
  /** Default: `usualImageLimits`. */
  imageLimits?: ImageLimits;
  /** Images come in chat completions; there is no `/images`. */
  imagesByChat?: true;
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
  /** Model names have no slash here: everything before the last slash is dropped. Others lose only `<host>/`. */
  stripsPrefix?: boolean;
  /** Used with a subscription that the owner signs in with, in place of a key. */
  signIn?: true;
  /** Written from documents, and never tried against the real service. */
  isUntried?: true;
  /** Another row of the same vendor for the other side of the Chinese border, tried by onboard. */
  twin?: string;
  quirks: Quirks;
}

/** A host with the user's credentials and settings. */
export interface Connection extends Pick<ProviderSettings, "extraHeaders" | "extraBody" | "extraQuery"> {
  host: Host;
  baseUrl: string;
  apiKey?: string;
  fetch: WireFetch;
}

export interface ModelConnection extends Connection {
  readImage: ReadImage;
}

/** The bytes of a stored image; undefined when it is gone, cannot be read, or has more than `most` bytes. */
export type ReadImage = (path: string, most: number) => Promise<Uint8Array | undefined>;

/** The part of `fetch` that a protocol needs: a POST that follows no redirect. */
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

/** Quirks of one model: a pattern of model names becomes a boolean. */
export type ModelQuirks = { [Name in keyof Quirks]: RegExp extends Quirks[Name] ? boolean : Quirks[Name] };

export function toModelQuirks({ quirks }: Host, model: string): ModelQuirks {
  const resolved = Object.entries(quirks).map(([name, quirk]) => [
    name,
    quirk instanceof RegExp ? quirk.test(model) : quirk,
  ]);
  return Object.fromEntries(resolved) as ModelQuirks;
}

/** Images that a model host accepts. */
export interface ImageLimits {
  /** Size of the file; base64 makes it a third larger in the request. */
  bytes: number;
  /** Pixels of the longer side. */
  side: number;
}

/** The strictest limits of the usual vendors, because a gateway may pass an image on to any of them. */
export const usualImageLimits: ImageLimits = { bytes: (5 * 1024 * 1024 * 3) / 4, side: 8000 };

/** The largest image that all of these hosts accept: a message is stored once, and any of them may be asked. */
export function findImageLimits(hosts: readonly Host[]): ImageLimits {
  const limits = hosts.map(({ quirks }) => quirks.imageLimits ?? usualImageLimits);
  return {
    bytes: Math.min(...limits.map(({ bytes }) => bytes)),
    side: Math.min(...limits.map(({ side }) => side)),
  };
}

/** What follows from the name, or is the same at nearly every host, can be left out. */
export type HostRow = Pick<Host, "name" | "label"> & Partial<Host>;

export function toRow(name: string, label: string, baseUrl: string, more: Partial<Host> = {}): HostRow {
  return { name, label, baseUrl, ...more };
}

/** One vendor on both sides of the Chinese border; a key under the first row's name is tried at the second too. */
export function toTwins(first: HostRow, second: HostRow, both: Partial<Host>): HostRow[] {
  const keyVariables = [toKeyVariable(second.name), toKeyVariable(first.name)];
  return [
    { ...both, ...first, twin: second.name },
    { ...both, keyVariables, ...second, twin: first.name },
  ];
}

export function toHost(row: HostRow): Host {
  const { name, kind = "vendor" } = row;
  const isCloud = kind === "vendor" || kind === "gateway";
  return {
    protocol: "openai-chat",
    kind,
    keyVariables: isCloud ? [toKeyVariable(name)] : [],
    keywords: kind === "direct" ? [] : [name],
    stripsPrefix: kind === "vendor",
    quirks: {},
    ...row,
  };
}

function toKeyVariable(name: string): string {
  return `${name.toUpperCase()}_API_KEY`;
}

const reasoners = /(?:^|\/)(?:gpt-[5-9]|o[1-9])/;

/** OpenAI's models, also where another host passes them on unchanged. */
export const openaiQuirks: Quirks = {
  maxCompletionTokens: reasoners,
  rejectsTemperature: reasoners,
  noEffortWithTools: /(?:^|\/)gpt-(?:5\.[4-9]|[6-9])/,
};
