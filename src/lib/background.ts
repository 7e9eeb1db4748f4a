// Work that nobody waits for while things run, and that is over when their owner has closed.
import type { Log } from "./log.ts";

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
