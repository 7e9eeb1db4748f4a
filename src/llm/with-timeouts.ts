// Two limits of time on a model call: between two chunks (a stalled stream) and over all. An expired call is aborted
// and ends as an error reply. Knows no protocol; the caller's own abort passes through untouched.
import type { Clock } from "../lib/clock.ts";
import type { ModelEvent, ModelReply, ModelRequest, Provider, ProviderWrapper } from "./types.ts";

export interface TimeoutOptions {
  clock: Clock;
  /** Named in the error. */
  host: string;
  /** Longest silence between two chunks; 0 is off. */
  idleMs?: number;
  /** Longest duration of the whole call; 0 is off. */
  wallMs?: number;
}

type Limits = Required<TimeoutOptions>;
type Expiry = "idle" | "timeout";

/** Before its first chunk a model may be reading a long prompt or thinking unseen: it is given more time. */
const firstChunkFactor = 3;

export function withTimeouts({
  clock,
  host,
  idleMs = 90_000,
  wallMs = 600_000,
}: TimeoutOptions): ProviderWrapper {
  if (idleMs <= 0 && wallMs <= 0) return (provider) => provider;
  const limits = { clock, host, idleMs, wallMs };
  return (provider) => ({
    stream: (request, signal) => streamWatched(limits, provider, request, signal),
  });
}

async function* streamWatched(
  limits: Limits,
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const call = new AbortController();
  const watchdog = createWatchdog(limits, signal, call);
  const inner = provider.stream(request, AbortSignal.any([signal, call.signal]))[Symbol.asyncIterator]();
  let text = "";
  try {
    for (;;) {
      const next = await watchdog.wait(inner.next());
      if (typeof next === "string") {
        signal.throwIfAborted();
        yield toExpired(next, { limits, request, text });
        return;
      }
      if (next.done === true) return;
      if (next.value.type === "text-delta") text += next.value.text;
      if (next.value.type === "text-reset") text = "";
      yield next.value;
    }
  } finally {
    call.abort();
    // Not awaited: an inner call that ignores its abort would hold up the caller. What it throws now is our own abort.
    inner.return?.().catch(() => {});
  }
}

function createWatchdog({ clock, idleMs, wallMs }: Limits, signal: AbortSignal, call: AbortController) {
  const startedAt = clock.elapsed();
  let waitingSince: number | undefined;
  let allowance = idleMs * firstChunkFactor;
  let expired: Expiry | undefined;
  let settle: { resolve(expiry: Expiry): void; reject(reason: unknown): void } | undefined;

  function remaining(now: number): { ms: number; expiry: Expiry } {
    // While the consumer is busy with a chunk, the silence is not the host's.
    const idle = idleMs > 0 ? (waitingSince ?? now) + allowance - now : Number.POSITIVE_INFINITY;
    const wall = wallMs > 0 ? startedAt + wallMs - now : Number.POSITIVE_INFINITY;
    return idle < wall ? { ms: idle, expiry: "idle" } : { ms: wall, expiry: "timeout" };
  }

  async function watch(): Promise<void> {
    const longestNap = idleMs > 0 ? idleMs : wallMs;
    for (;;) {
      const { ms, expiry } = remaining(clock.elapsed());
      if (ms <= 0) {
        expired = expiry;
        settle?.resolve(expiry);
        return call.abort();
      }
      await clock.sleep(Math.min(ms, longestNap), call.signal);
    }
  }

  function wait<T>(chunk: Promise<T>): Promise<T | Expiry> {
    if (expired !== undefined) {
      chunk.catch(() => {});
      return Promise.resolve(expired);
    }
    waitingSince = clock.elapsed();
    return new Promise((resolve, reject) => {
      settle = { resolve, reject };
      chunk.then((value) => {
        waitingSince = undefined;
        allowance = idleMs;
        resolve(value);
      }, reject);
    });
  }

  signal.addEventListener("abort", () => settle?.reject(signal.reason), { signal: call.signal });
  watch().catch((error) => {
    if (!call.signal.aborted) settle?.reject(error);
  });
  return { wait };
}

interface Expired {
  limits: Limits;
  request: ModelRequest;
  /** What was streamed before. */
  text: string;
}

function toExpired(kind: Expiry, { limits, request, text }: Expired): ModelEvent {
  const { host, idleMs, wallMs } = limits;
  const message =
    kind === "idle"
      ? `${host} stopped sending (limit ${idleMs / 1000} s of silence). Raise NANOBOT_STREAM_IDLE_TIMEOUT_S if the model is slow.`
      : `${host} did not finish within ${wallMs / 1000} s. Raise NANOBOT_LLM_TIMEOUT_S if the model is slow.`;
  const reply: ModelReply = {
    message: { role: "assistant", content: text === "" ? null : text },
    stop: "error",
    model: request.model,
    error: { kind, message, host },
  };
  return { type: "reply-end", reply };
}
