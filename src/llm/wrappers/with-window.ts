// Keeps a request and its answer within the model's window: a shorter answer where the prompt is long, and a second try
// with less when a host refuses. The window that a host names is remembered.

import type { ContextLimit } from "../errors/limits.ts";
import { estimateRequestTokens, estimateToolTokens } from "../message-tokens.ts";
import type { ModelRequest, ProviderError, ProviderWrapper } from "../types.ts";
import { hasImages } from "../wire/images.ts";
import { attempt } from "./with-retry.ts";

/** Windows that hosts named in a refusal, by `host/model`. */
export class LearntWindows {
  readonly #known: Map<string, number>;
  readonly #keep: ((name: string, window: number) => void) | undefined;

  /** `keep` is called with what a host has said, not with what was guessed. */
  constructor(known: Iterable<[string, number]> = [], keep?: (name: string, window: number) => void) {
    this.#known = new Map(known);
    this.#keep = keep;
  }

  /** The smallest of several models; undefined while no host has said anything. */
  of(...names: string[]): number | undefined {
    const known = names.flatMap((name) => this.#known.get(name) ?? []);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  learn(name: string, window: number, { isTold }: { isTold: boolean }): void {
    this.#known.set(name, window);
    if (isTold) this.#keep?.(name, window);
  }
}

interface WindowOptions {
  /** `host/model` */
  name: string;
  /** As it was configured. */
  contextWindow: number;
  windows: LearntWindows;
}

/** Hosts count differently: this much of a window is left free. */
const slackShare = 1 / 64;
const roomyShare = 0.5;
/** An answer that may take the whole window would leave no room for the question. */
export const answerShare = 1 / 4;
/** An answer that would be shorter is not worth asking for: then the prompt has to shrink. */
const leastShare = 1 / 16;
/** Of a request that was refused without a figure, what may be taken instead. */
const guessShare = 0.6;
const leastGuess = 2048;

export function withWindow({ name, contextWindow, windows }: WindowOptions): ProviderWrapper {
  /** Tokens that the host counts for one that is estimated. */
  let ratio = 1;

  const windowNow = () => Math.min(contextWindow, windows.of(name) ?? contextWindow);

  function toFitting(request: ModelRequest): ModelRequest {
    const window = windowNow();
    if (isRoomy(request, window)) return request;
    const prompt = Math.ceil(estimateRequestTokens(request) * ratio);
    const left = Math.floor(window * (1 - slackShare)) - prompt;
    const most = Math.min(request.maxTokens, Math.max(1, Math.floor(window * answerShare)), left);
    return most === request.maxTokens
      ? request
      : { ...request, maxTokens: Math.max(leastAnswer(request, window), most) };
  }

  /** A host that does not say what it takes still says that this was too much; but then it may be about an image. */
  function toLimit(request: ModelRequest, { limit = {} }: ProviderError): ContextLimit {
    if (limit.window !== undefined || hasImages(request)) return limit;
    const asked = Math.ceil(estimateRequestTokens(request) * ratio) + request.maxTokens;
    const window = Math.max(leastGuess, Math.floor(asked * guessShare));
    return window < asked ? { ...limit, window } : limit;
  }

  /** Undefined where a shorter answer would not help. */
  function toShorter(request: ModelRequest, { window, prompt }: ContextLimit): ModelRequest | undefined {
    const estimate = estimateRequestTokens(request);
    if (prompt !== undefined) ratio = toRatio(prompt, estimate);
    if (window === undefined) return undefined;
    const left = window - (prompt ?? Math.ceil(estimate * ratio));
    if (left < leastAnswer(request, window) || left >= request.maxTokens) return undefined;
    return { ...request, maxTokens: left };
  }

  return (provider) => ({
    async *stream(given, signal) {
      let request = toFitting(given);
      for (let isFirst = true; ; isFirst = false) {
        const { reply, hasShown } = yield* attempt(provider, request, signal);
        const { error, usage } = reply;
        if (usage !== undefined && usage.input > 0 && !isRoomy(request, windowNow()))
          ratio = toRatio(usage.input, estimateRequestTokens(request));
        const isTooLong = error?.kind === "context-overflow" && !hasShown;
        const limit = isTooLong ? toLimit(request, error) : undefined;
        if (limit?.window !== undefined)
          windows.learn(name, limit.window, { isTold: error?.limit?.window !== undefined });
        const shorter = limit !== undefined && isFirst ? toShorter(request, limit) : undefined;
        if (shorter === undefined) {
          const told = error !== undefined && limit !== undefined ? { error: { ...error, limit } } : {};
          yield { type: "reply-end", reply: { ...reply, ...told } };
          return;
        }
        request = shorter;
      }
    },
  });
}

/** Far from full, decided without estimating: no text has more tokens than characters. */
function isRoomy({ messages, tools = [], maxTokens }: ModelRequest, window: number): boolean {
  let most = maxTokens + (tools.length === 0 ? 0 : estimateToolTokens(tools));
  for (const message of messages) {
    const { content } = message;
    if (content !== null && typeof content !== "string") return false;
    most += content?.length ?? 0;
    if (message.role === "assistant") {
      most += message.reasoning_content?.length ?? 0;
      for (const call of message.tool_calls ?? []) most += call.function.arguments.length;
    }
    if (most > window * roomyShare) return false;
  }
  return true;
}

function leastAnswer({ maxTokens }: ModelRequest, window: number): number {
  return Math.max(1, Math.min(maxTokens, Math.floor(window * leastShare)));
}

/** Some hosts leave out what they had cached: a figure below our own stretches nothing. */
function toRatio(counted: number, estimate: number): number {
  return Math.min(2, Math.max(1, counted / Math.max(1, estimate)));
}
