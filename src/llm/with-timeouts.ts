// Two limits of time on a model call: between two chunks (a stalled stream) and over all. An expired call is aborted
// and ends as an error reply. Knows no protocol; the caller's own abort passes through untouched.
import { phrase } from "../i18n/phrase.ts";
import { onAbort, untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { GrowingText } from "../lib/growing-text.ts";
import { toFailedEnd } from "./provider-error.ts";
import type { ProviderError, ProviderWrapper } from "./types.ts";

export interface TimeoutOptions {
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

/** Before its first chunk a model may be reading a long prompt or thinking unseen: it is given more time. */
const firstChunkFactor = 3;
/** A reason of its own: the one that is made otherwise costs more than the call of it. */
const over = new Error("the call is over");

export function withTimeouts(options: TimeoutOptions): ProviderWrapper {
  const { clock, host, idleMs = 90_000, wallMs = 600_000 } = options;
  if (idleMs <= 0 && wallMs <= 0) return (provider) => provider;
  const limits = { clock, idleMs, wallMs };
  return (provider) => ({
    async *stream(request, signal) {
      const call = new AbortController();
      const forget = onAbort(signal, () => call.abort(signal.reason));
      const inner = provider.stream(request, call.signal)[Symbol.asyncIterator]();
      const watchdog = createWatchdog(limits, call);
      const text = new GrowingText();
      try {
        for (;;) {
          signal.throwIfAborted();
          call.signal.throwIfAborted();
          watchdog.listen();
          // Some providers do not listen to an abort.
          const next = await untilAborted(inner.next(), call.signal);
          watchdog.hear();
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
        forget();
        call.abort(over);
        // Not awaited: an inner call that ignores its abort would hold up the caller. What it throws is our own abort.
        inner.return?.().catch(() => {});
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

  // It is woken only by the end of the call.
  watch().catch(() => {});
  return {
    listen() {
      waitingSince = clock.elapsed();
    },
    hear() {
      waitingSince = undefined;
      allowance = idleMs;
    },
  };
}

function toError({ kind, limitMs }: Expiry, host: string): ProviderError {
  const code = kind === "idle" ? "model.silent" : "model.unfinished";
  return { kind, host, phrase: phrase(code, { host, seconds: limitMs / 1000 }) };
}
