// Keeps a request and its answer within the model's window: a shorter answer where the prompt is long, and a second try
// with less when a host refuses. The limits that a host names are remembered.
import type { ContextLimit } from "../errors/limits.ts";
import { estimateRequestTokens, estimateToolTokens } from "../message-tokens.ts";
import type { ModelRequest, ProviderError, ProviderWrapper } from "../types.ts";
import { hasImages } from "../wire/images.ts";
import { attempt } from "./with-retry.ts";

/** What a host says of a model. */
export interface ModelLimits {
  /** Tokens of prompt and answer together. */
  window?: number;
  /** Tokens of the longest answer. */
  answer?: number;
}

/** Limits that hosts named in a refusal or in their list of models, by `host/model`. */
export class LearntWindows {
  readonly #known: Map<string, ModelLimits>;
  readonly #keep: ((rows: ReadonlyArray<[string, ModelLimits]>) => void) | undefined;

  /** `keep` is called with what a host has said, not with what was guessed. */
  constructor(
    known: Iterable<[string, ModelLimits]> = [],
    keep?: (rows: ReadonlyArray<[string, ModelLimits]>) => void,
  ) {
    this.#known = new Map(known);
    this.#keep = keep;
  }

  /** The smallest of several models; undefined while no host has said anything. */
  of(...names: string[]): number | undefined {
    const known = names.flatMap((name) => this.#known.get(name)?.window ?? []);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  answerOf(name: string): number | undefined {
    return this.#known.get(name)?.answer;
  }

  learn(name: string, limits: ModelLimits, { isReported }: { isReported: boolean }): void {
    if (isReported) this.learnAll([[name, limits]]);
    else this.#known.set(name, { ...this.#known.get(name), ...limits });
  }

  /** What a host has said of several models at once. */
  learnAll(rows: ReadonlyArray<[string, ModelLimits]>): void {
    const changed = rows
      .map(([name, limits]): [string, ModelLimits] => [name, { ...this.#known.get(name), ...limits }])
      .filter(([name, { window, answer }]) => {
        const before = this.#known.get(name);
        return before?.window !== window || before?.answer !== answer;
      });
    for (const [name, limits] of changed) this.#known.set(name, limits);
    if (changed.length > 0) this.#keep?.(changed);
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

  function toFitting(given: ModelRequest): ModelRequest {
    const window = windowNow();
    const longest = windows.answerOf(name) ?? given.maxTokens;
    const request = longest < given.maxTokens ? { ...given, maxTokens: longest } : given;
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
    if (limit.window !== undefined || limit.answer !== undefined || hasImages(request)) return limit;
    const requestedTokens = Math.ceil(estimateRequestTokens(request) * ratio) + request.maxTokens;
    const window = Math.max(leastGuess, Math.floor(requestedTokens * guessShare));
    return window < requestedTokens ? { ...limit, window } : limit;
  }

  /** Undefined where a shorter answer would not help. */
  function toShorter(
    request: ModelRequest,
    { window, prompt, answer }: ContextLimit,
  ): ModelRequest | undefined {
    if (answer !== undefined)
      return answer < request.maxTokens ? { ...request, maxTokens: answer } : undefined;
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
      // Twice, for a host that first names the longest answer and then the window.
      for (let attempts = 0; ; attempts += 1) {
        const { reply, hasShown } = yield* attempt(provider, request, signal);
        const { error, usage } = reply;
        if (usage !== undefined && !usage.isEstimate && usage.input > 0 && !isRoomy(request, windowNow()))
          ratio = toRatio(usage.input, estimateRequestTokens(request));
        const isTooLong = error?.kind === "context-overflow" && !hasShown;
        const limit = isTooLong ? toLimit(request, error) : undefined;
        if (limit?.answer !== undefined) windows.learn(name, { answer: limit.answer }, { isReported: true });
        if (limit?.window !== undefined)
          windows.learn(name, { window: limit.window }, { isReported: error?.limit?.window !== undefined });
        const shorter = limit !== undefined && attempts < 2 ? toShorter(request, limit) : undefined;
        if (shorter === undefined) {
          const correction = error !== undefined && limit !== undefined ? { error: { ...error, limit } } : {};
          yield { type: "reply-end", reply: { ...reply, ...correction } };
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
