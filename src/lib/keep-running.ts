// Background work: a failure is logged and the work starts again. It ends nothing but itself.
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface KeptRunning {
  clock: Clock;
  log: Log;
  /** Ends it for good. */
  signal: AbortSignal;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Resolves when the work has come to its end, or the signal aborts. Never rejects. */
export async function keepRunning(
  name: string,
  { clock, log, signal }: KeptRunning,
  work: () => Promise<void>,
): Promise<void> {
  for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
    const startedAt = clock.elapsed();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return;
      if (clock.elapsed() - startedAt > longestPauseMs) pause = firstPauseMs;
      log.error("background-failed", { name, error, pause });
      await clock.sleep(pause, signal).catch(() => {});
    }
  }
}
