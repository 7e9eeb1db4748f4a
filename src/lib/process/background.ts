// Background work: kept running in spite of failures, or over when its owner has closed.
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

export class Background {
  readonly #log: Log;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Aborts when it ends, for whatever sleeps. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** A failure is logged under that name. After the end nothing is begun any more. */
  run(failure: string, work: (signal: AbortSignal) => Promise<unknown>): void {
    const { signal } = this.#ending;
    if (signal.aborted) return;
    const running: Promise<void> = this.#attempt(failure, () => work(signal)).finally(() =>
      this.#running.delete(running),
    );
    this.#running.add(running);
  }

  /** All of it is over when this resolves. */
  async close(): Promise<void> {
    this.#ending.abort(new Error("the program ends"));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #attempt(failure: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) this.#log.warn(failure, { error });
    }
  }
}

interface KeptRunning {
  clock: Clock;
  log: Log;
  /** Ends it for good. */
  signal: AbortSignal;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Starts work again when it fails. Resolves when it has ended, or the signal aborts. Never rejects. */
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
