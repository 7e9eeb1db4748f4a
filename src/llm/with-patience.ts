// How long a model is waited for, over all its tries: a host that says nothing is told to the person after a while, and
// given up in the end. Any word of it, be it only that it still thinks, begins the wait again; but not for ever. That a
// connection is alive puts off the end, but nobody sees it: the person is told all the same.
import { phrase } from "../i18n/phrase.ts";
import { onAbort } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { toFailedEnd } from "./provider-error.ts";
import type { ModelEvent, ProviderWrapper } from "./types.ts";

export interface PatienceOptions {
  clock: Clock;
  /** For people. */
  host: string;
  /** Longest silence over all tries; 0: no limit. */
  silenceMs?: number;
  /** Longest duration over all tries, pauses between them apart; 0: no limit. */
  wholeMs?: number;
}

const tellAfterMs = 20_000;
const over = new Error("the call is over");

export function withPatience(options: PatienceOptions): ProviderWrapper {
  const { clock, host, silenceMs = 300_000, wholeMs = 600_000 } = options;
  return (provider) => ({
    async *stream(request, signal) {
      const call = new AbortController();
      const forget = onAbort(signal, () => call.abort(signal.reason));
      const inner = provider.stream(request, call.signal)[Symbol.asyncIterator]();
      const wait = createWait({ clock, silenceMs, wholeMs, signal: call.signal });
      try {
        for (let pending = inner.next(); ; ) {
          signal.throwIfAborted();
          const next = await wait.until(pending);
          if (next === "told") {
            const reason = phrase("model.still-waiting", { host });
            yield { type: "notice", notice: { kind: "waiting", host, reason } };
            continue;
          }
          if (next === "over") {
            const seconds = Math.round(wait.limitMs() / 1000);
            const said = phrase("model.gave-up", { host, seconds });
            yield toFailedEnd(request, { kind: "timeout", host, phrase: said });
            return;
          }
          if (next.done === true) return;
          wait.hear(next.value);
          yield next.value;
          // While the consumer was busy, the silence was not the host's.
          if (next.value.type !== "alive") wait.begin();
          pending = inner.next();
        }
      } finally {
        forget();
        call.abort(over);
        // Not awaited: an inner call that ignores its abort would hold up the caller. What it throws is our own abort.
        inner.return?.().catch(() => {});
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

type Passed = "told" | "over";

function createWait({ clock, silenceMs, wholeMs, signal }: WaitOptions) {
  const startedAt = clock.elapsed();
  /** Of the wait that a person notices, and of that which ends the call: pauses between tries are no silence. */
  let waitingSince = startedAt;
  let silentSince = startedAt;
  let pausedMs = 0;
  let isTold = false;
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
      const tellAt = isTold ? Number.POSITIVE_INFINITY : waitingSince + tellAfterMs;
      if (now >= tellAt && wake !== undefined) {
        isTold = true;
        wake("told");
      }
      const next = Math.min(end, isTold ? end : Math.max(tellAt, now + 1_000));
      if (next === Number.POSITIVE_INFINITY) return;
      await clock.sleep(Math.max(1_000, next - now), signal);
    }
  }

  // It is woken only by the end of the call.
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
    hear(event: ModelEvent): void {
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
