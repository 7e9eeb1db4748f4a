// Time limits on model calls: `withTimeouts` for one attempt (between two chunks, and in all), `withPatience` for all
// attempts together, with a notice while a person waits. An expired call is aborted and ends as an error reply. Knows no
// protocol; the caller's abort passes through untouched.
import { phrase } from "../../i18n/phrase.ts";
import { onAbort, untilAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { GrowingText } from "../../lib/formats/growing-text.ts";
import { toFailedEnd } from "../errors/provider-error.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderError, ProviderWrapper } from "../types.ts";

interface TimeoutOptions {
  clock: Clock;
  /** Named in the error. */
  host: string;
  /** Longest silence between two chunks; 0 is off. */
  idleMs?: number;
  /** Longest duration of the whole call; 0 is off. */
  wallMs?: number;
}

type Limits = Omit<Required<TimeoutOptions>, "host">;
type Expiry = { kind: "idle" | "timeout"; limitMs: number };

/** Before its first chunk a model may be reading a long prompt or thinking: it gets more time. */
const firstChunkFactor = 3;
/** One reason for all calls: making the default one costs more than aborting. */
const callOver = new Error("the call is over");

/** A call that can be aborted apart from the caller's signal. */
function openCall(provider: Provider, request: ModelRequest, signal: AbortSignal) {
  const call = new AbortController();
  const forget = onAbort(signal, () => call.abort(signal.reason));
  const events = provider.stream(request, call.signal)[Symbol.asyncIterator]();
  return {
    call,
    events,
    close(): void {
      forget();
      call.abort(callOver);
      // Not awaited: a call that ignores its abort would hold up the caller. What it throws is our abort.
      events.return?.().catch(() => {});
    },
  };
}

export function withTimeouts(options: TimeoutOptions): ProviderWrapper {
  const { clock, host, idleMs = 90_000, wallMs = 600_000 } = options;
  if (idleMs <= 0 && wallMs <= 0) return (provider) => provider;
  const limits = { clock, idleMs, wallMs };
  return (provider) => ({
    async *stream(request, signal) {
      const { call, events, close } = openCall(provider, request, signal);
      const watchdog = createWatchdog(limits, call);
      const text = new GrowingText();
      try {
        for (;;) {
          signal.throwIfAborted();
          call.signal.throwIfAborted();
          watchdog.resume();
          // Some providers ignore an abort.
          const next = await untilAborted(events.next(), call.signal);
          watchdog.pause();
          if (next.done === true) return;
          if (next.value.type === "text-delta") text.add(next.value.text);
          if (next.value.type === "text-reset") text.clear();
          yield next.value;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!call.signal.aborted) throw error;
        yield toFailedEnd(request, toError(call.signal.reason, host), text.toString());
      } finally {
        close();
      }
    },
  });
}

/** Aborts the call, with the limit that was passed as its reason. */
function createWatchdog({ clock, idleMs, wallMs }: Limits, call: AbortController) {
  const startedAt = clock.elapsed();
  let waitingSince: number | undefined;
  let allowance = idleMs * firstChunkFactor;

  function remaining(now: number): { ms: number; expiry: Expiry } {
    // While the consumer is busy with a chunk, the silence is not the host's.
    const idle = idleMs > 0 ? (waitingSince ?? now) + allowance - now : Number.POSITIVE_INFINITY;
    const wall = wallMs > 0 ? startedAt + wallMs - now : Number.POSITIVE_INFINITY;
    if (idle < wall) return { ms: idle, expiry: { kind: "idle", limitMs: allowance } };
    return { ms: wall, expiry: { kind: "timeout", limitMs: wallMs } };
  }

  async function watch(): Promise<void> {
    for (;;) {
      const { ms, expiry } = remaining(clock.elapsed());
      if (ms <= 0) return call.abort(expiry);
      await clock.sleep(Math.min(ms, idleMs > 0 ? idleMs : wallMs), call.signal);
    }
  }

  // Its sleep ends only with the call.
  watch().catch(() => {});
  return {
    resume() {
      waitingSince = clock.elapsed();
    },
    pause() {
      waitingSince = undefined;
      allowance = idleMs;
    },
  };
}

function toError({ kind, limitMs }: Expiry, host: string): ProviderError {
  const code = kind === "idle" ? "model.silent" : "model.unfinished";
  return { kind, host, phrase: phrase(code, { host, seconds: limitMs / 1000 }) };
}

interface PatienceOptions {
  clock: Clock;
  /** For people. */
  host: string;
  /** Longest silence over all attempts; 0: no limit. */
  silenceMs?: number;
  /** Longest duration over all attempts, without the pauses between them; 0: no limit. */
  wholeMs?: number;
}

const noticeAfterMs = 20_000;

export function withPatience(options: PatienceOptions): ProviderWrapper {
  const { clock, host, silenceMs = 300_000, wholeMs = 600_000 } = options;
  return (provider) => ({
    async *stream(request, signal) {
      const { call, events, close } = openCall(provider, request, signal);
      const wait = createWait({ clock, silenceMs, wholeMs, signal: call.signal });
      const askNext = () => {
        const asked = events.next();
        // Nobody waits for it where the signal has aborted while the consumer was busy.
        asked.catch(() => {});
        return asked;
      };
      try {
        for (let pending = askNext(); ; ) {
          signal.throwIfAborted();
          const next = await wait.until(pending);
          if (next === "notice") {
            const reason = phrase("model.still-waiting", { host });
            yield { type: "notice", notice: { kind: "waiting", host, reason } };
            continue;
          }
          if (next === "over") {
            const seconds = Math.round(wait.limitMs() / 1000);
            const gaveUp = phrase("model.gave-up", { host, seconds });
            yield toFailedEnd(request, { kind: "timeout", host, phrase: gaveUp });
            return;
          }
          if (next.done === true) return;
          wait.note(next.value);
          yield next.value;
          // While the consumer was busy, the silence was not the host's.
          if (next.value.type !== "alive") wait.begin();
          pending = askNext();
        }
      } finally {
        close();
      }
    },
  });
}

interface WaitOptions {
  clock: Clock;
  silenceMs: number;
  wholeMs: number;
  signal: AbortSignal;
}

type Passed = "notice" | "over";

function createWait({ clock, silenceMs, wholeMs, signal }: WaitOptions) {
  const startedAt = clock.elapsed();
  /** Of the wait that a person notices, and of that which ends the call: pauses between tries are no silence. */
  let waitingSince = startedAt;
  let silentSince = startedAt;
  let pausedMs = 0;
  let isNoticed = false;
  let wake: ((passed: Passed) => void) | undefined;

  const limits = () => ({
    silence: silenceMs > 0 ? silentSince + silenceMs : Number.POSITIVE_INFINITY,
    whole: wholeMs > 0 ? startedAt + pausedMs + wholeMs : Number.POSITIVE_INFINITY,
  });

  /** One watch for the whole call: a stream of thousands of events sets no further timers. */
  async function watch(): Promise<void> {
    for (;;) {
      const now = clock.elapsed();
      const { silence, whole } = limits();
      const end = Math.min(silence, whole);
      if (now >= end) wake?.("over");
      const noticeAt = isNoticed ? Number.POSITIVE_INFINITY : waitingSince + noticeAfterMs;
      if (now >= noticeAt && wake !== undefined) {
        isNoticed = true;
        wake("notice");
      }
      const next = Math.min(end, isNoticed ? end : Math.max(noticeAt, now + 1_000));
      if (next === Number.POSITIVE_INFINITY) return;
      await clock.sleep(Math.max(1_000, next - now), signal);
    }
  }

  // Its sleep ends only with the call.
  watch().catch(() => {});

  return {
    limitMs: () => (limits().silence <= limits().whole ? silenceMs : wholeMs),
    until(pending: Promise<IteratorResult<ModelEvent>>): Promise<IteratorResult<ModelEvent> | Passed> {
      return new Promise((resolve, reject) => {
        wake = resolve;
        const settle = () => {
          if (wake === resolve) wake = undefined;
        };
        pending.then(
          (next) => {
            settle();
            resolve(next);
          },
          (error: unknown) => {
            settle();
            reject(error);
          },
        );
      });
    },
    begin(): void {
      waitingSince = clock.elapsed();
    },
    note(event: ModelEvent): void {
      const now = clock.elapsed();
      if (event.type !== "alive") waitingSince = now;
      if (event.type !== "notice") {
        silentSince = now;
      } else if (event.notice.kind === "retry") {
        pausedMs += event.notice.waitMs;
        silentSince = (event.notice.isSilence === true ? silentSince : now) + event.notice.waitMs;
      }
    },
  };
}
