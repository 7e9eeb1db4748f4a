// The time limit of one call: it starts again with each report of progress, up to a total, and stands still while a person
// is asked.
import type { Clock } from "../lib/clock.ts";

export interface DeadlineOptions {
  clock: Clock;
  limitMs: number;
  totalMs: number;
  /** The reason of the signal. */
  toReason(): Error;
}

export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #over = new AbortController();
  #timer?: AbortController;
  #startedAt = 0;
  #leftMs: number;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#leftMs = options.totalMs;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  start(): void {
    const { clock, limitMs, toReason } = this.#options;
    this.stop();
    const timer = new AbortController();
    this.#timer = timer;
    this.#startedAt = clock.elapsed();
    clock.sleep(Math.max(0, Math.min(limitMs, this.#leftMs)), timer.signal).then(
      () => this.#over.abort(toReason()),
      () => {},
    );
  }

  /** Progress counts only while the time runs. */
  extend(): void {
    if (this.#timer !== undefined) this.start();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    this.#leftMs -= this.#options.clock.elapsed() - this.#startedAt;
    this.#timer.abort();
    this.#timer = undefined;
  }
}
