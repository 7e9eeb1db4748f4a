// Asks a model again when waiting may heal the failure. What may be retried is decided in provider-error.ts; here only
// when, how often, and never once text was shown (unless the stream fell silent: then the text is declared void).
import type { Clock } from "../lib/clock.ts";
import { attempt } from "./attempt.ts";
import { isRetryable } from "./provider-error.ts";
import type {
  ModelEvent,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderError,
  ProviderWrapper,
} from "./types.ts";
import { hasImages, withoutImages } from "./without-images.ts";

export interface RetryOptions {
  clock: Clock;
  /** Waits before the second, third ... attempt. */
  delays?: readonly number[];
  /** persistent: goes on with growing waits, until the same failure has come ten times in a row. */
  mode?: "standard" | "persistent";
  /** From 0 to 1: spreads the waits of clients that failed together. */
  random?: () => number;
}

type Plan = Required<RetryOptions>;

const longestDelay = 60_000;
const longestRetryAfter = 5 * 60_000;
const retryAfterMargin = 1000;
const mostIdenticalErrors = 10;
const mostAttempts = 100;
const spread = 0.1;
/** A longer wait is announced again after this, so that nobody takes it for a hang. */
const heartbeat = 30_000;

export function withRetry({
  clock,
  delays = [1000, 2000, 4000],
  mode = "standard",
  random = Math.random,
}: RetryOptions): ProviderWrapper {
  const plan = { clock, delays, mode, random };
  return (provider) => ({
    stream: (request, signal) => streamWithRetry(plan, provider, request, signal),
  });
}

async function* streamWithRetry(
  plan: Plan,
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let current = request;
  let failures = noFailures;
  for (;;) {
    const { reply, hasText, hasShown } = yield* attempt(provider, current, signal);
    const { error } = reply;
    if (error?.kind === "unsupported-image" && !hasText && hasImages(current)) {
      if (hasShown) yield { type: "text-reset" };
      yield { type: "notice", notice: { kind: "images-dropped", reason: error.message } };
      current = withoutImages(current);
      continue;
    }
    failures = addFailure(failures, error);
    const mayRetry = error !== undefined && isRetryable(error) && (!hasText || error.kind === "idle");
    const wait = mayRetry ? nextWait(plan, failures) : undefined;
    if (error === undefined || wait === undefined) {
      yield { type: "reply-end", reply: withWaitTold(reply) };
      return;
    }
    if (hasShown) yield { type: "text-reset" };
    yield* pause(plan.clock, { wait, attempt: failures.count, reason: error.message }, signal);
  }
}

interface Failures {
  count: number;
  /** How many of the newest are the same. */
  identical: number;
  last?: ProviderError;
}

const noFailures: Failures = { count: 0, identical: 0 };

/** The same kind is the same failure: hosts write changing seconds and request ids into the sentence. */
function addFailure({ count, identical, last }: Failures, error: ProviderError | undefined): Failures {
  const isSame = last?.kind === error?.kind && last?.status === error?.status;
  return { count: count + 1, identical: isSame ? identical + 1 : 1, last: error };
}

/** The wait before the next attempt; undefined when there is to be none. */
function nextWait({ delays, mode, random }: Plan, failures: Failures): number | undefined {
  const delay = mode === "persistent" ? persistentDelay(delays, failures) : delays[failures.count - 1];
  if (delay === undefined) return undefined;
  const retryAfter = failures.last?.retryAfterMs;
  if (retryAfter === undefined) return Math.round(delay * (1 + spread * random()));
  return isTooLong(retryAfter) ? undefined : Math.max(0, retryAfter) + retryAfterMargin;
}

function persistentDelay(delays: readonly number[], { count, identical }: Failures): number | undefined {
  if (identical >= mostIdenticalErrors || count >= mostAttempts) return undefined;
  const last = delays.at(-1) ?? longestDelay;
  return Math.min(delays[count - 1] ?? last * 2 ** (count - delays.length), longestDelay);
}

function isTooLong(retryAfterMs: number): boolean {
  return retryAfterMs > longestRetryAfter;
}

interface Pause {
  wait: number;
  attempt: number;
  reason: string;
}

async function* pause(
  clock: Clock,
  { wait, attempt, reason }: Pause,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let left = wait;
  do {
    yield { type: "notice", notice: { kind: "retry", attempt, waitMs: left, reason } };
    await clock.sleep(Math.min(left, heartbeat), signal);
    left -= heartbeat;
  } while (left > 0);
}

/** Where a host asks for more patience than we have, the user should at least know. */
function withWaitTold(reply: ModelReply): ModelReply {
  const { error } = reply;
  if (error?.retryAfterMs === undefined || !isTooLong(error.retryAfterMs)) return reply;
  const minutes = Math.ceil(error.retryAfterMs / 60_000);
  return { ...reply, error: { ...error, message: `${error.message} It asks to wait ${minutes} minutes.` } };
}
