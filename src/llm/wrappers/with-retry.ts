// Calls a model again when waiting may help. What may be retried is decided in provider-error.ts; here only when, how
// often, and never once text was shown (unless the stream fell silent: then the text is declared void).
import { phrase } from "../../i18n/phrase.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRetryable, toPhrase } from "../errors/provider-error.ts";
import type {
  ModelEvent,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderError,
  ProviderWrapper,
} from "../types.ts";
import { hasImages, withoutImages } from "../wire/images.ts";

export interface RetryOptions {
  clock: Clock;
  /** standard: 1, 2 and 4 s. persistent: goes on with growing waits, until the same failure has come ten times in a row. */
  mode?: "standard" | "persistent";
}

const firstDelay = 1000;
const longestDelay = 60_000;
const longestRetryAfter = 5 * 60_000;
const retryAfterMargin = 1000;
const mostRetries = 3;
const mostIdenticalErrors = 10;
const mostPersistentAttempts = 100;

export function withRetry({ clock, mode = "standard" }: RetryOptions): ProviderWrapper {
  return (provider) => ({
    async *stream(request, signal) {
      let current = request;
      let failures: Failures = { count: 0, identical: 0 };
      for (;;) {
        const { reply, hasText, hasShown } = yield* attempt(provider, current, signal);
        const { error } = reply;
        if (error?.kind === "unsupported-image" && !hasText && hasImages(current)) {
          if (hasShown) yield { type: "text-reset" };
          yield { type: "notice", notice: { kind: "images-dropped", reason: toPhrase(error) } };
          current = withoutImages(current);
          continue;
        }
        failures = addFailure(failures, error);
        const mayRetry = error !== undefined && isRetryable(error) && (!hasText || error.kind === "idle");
        const waitMs = mayRetry ? nextWait(mode, failures) : undefined;
        if (error === undefined || waitMs === undefined) {
          yield { type: "reply-end", reply: withWaitShown(reply) };
          return;
        }
        if (hasShown) yield { type: "text-reset" };
        const { count } = failures;
        const isSilence = error.kind === "idle" || (error.kind === "timeout" && error.status === undefined);
        const facts = { attempt: count, waitMs, reason: toPhrase(error), ...(isSilence && { isSilence }) };
        yield { type: "notice", notice: { kind: "retry", ...facts } };
        await clock.sleep(waitMs, signal);
      }
    },
  });
}

interface Failures {
  count: number;
  /** How many of the newest are the same. */
  identical: number;
  last?: ProviderError;
}

/** The same kind is the same failure: hosts write changing seconds and request ids into the sentence. */
function addFailure({ count, identical, last }: Failures, error: ProviderError | undefined): Failures {
  const isSame = last?.kind === error?.kind && last?.status === error?.status;
  return { count: count + 1, identical: isSame ? identical + 1 : 1, last: error };
}

/** The wait before the next attempt; undefined when there is to be none. */
function nextWait(mode: RetryOptions["mode"], { count, identical, last }: Failures): number | undefined {
  const isSpent =
    mode === "persistent"
      ? identical >= mostIdenticalErrors || count >= mostPersistentAttempts
      : count > mostRetries;
  if (isSpent) return undefined;
  const retryAfter = last?.retryAfterMs;
  if (retryAfter === undefined) return Math.min(firstDelay * 2 ** (count - 1), longestDelay);
  return retryAfter > longestRetryAfter ? undefined : retryAfter + retryAfterMargin;
}

/** Where a host asks for more patience than we have, the user should at least know. */
function withWaitShown(reply: ModelReply): ModelReply {
  const { error } = reply;
  if (error?.retryAfterMs === undefined || error.retryAfterMs <= longestRetryAfter) return reply;
  const minutes = Math.ceil(error.retryAfterMs / 60_000);
  const said = phrase("model.asks-to-wait", { failure: toPhrase(error), minutes });
  return { ...reply, error: { ...error, phrase: said } };
}

interface Attempt {
  reply: ModelReply;
  /** Part of the answer itself was shown. */
  hasText: boolean;
  /** Something was shown, be it only reasoning. */
  hasShown: boolean;
}

/** One model call: passes events on, and returns the reply for a wrapper to judge, with what a person has already seen. */
export async function* attempt(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Attempt> {
  let hasText = false;
  let hasShown = false;
  for await (const event of provider.stream(request, signal)) {
    if (event.type === "reply-end") return { reply: event.reply, hasText, hasShown };
    if (event.type === "text-reset") hasText = hasShown = false;
    if (event.type === "text-delta") hasText = hasShown = true;
    if (event.type === "reasoning-delta") hasShown = true;
    yield event;
  }
  throw new Error("a provider ended its stream without a reply");
}
