// Time, injected wherever it matters, so that tests can own it.
import { setTimeout as sleepFor } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, for durations. */
  elapsed(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await sleepFor(ms, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** `2026-08-01T10:00:00.000`, local and without a zone, as the Python original writes its timestamps. */
export function toLocalIso(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, -1);
}
