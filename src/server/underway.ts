// Answers that are being made: awaited at the end, though nobody reads them any more.
import { systemClock } from "../lib/clock.ts";

/** For what waits for somebody else, such as a model that is silent. */
const patienceMs = 5_000;

export class Underway {
  readonly #running = new Set<Promise<unknown>>();

  track<T>(answer: Promise<T>): Promise<T> {
    const running = answer.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async settle(): Promise<void> {
    const isOver = new AbortController();
    const late = systemClock.sleep(patienceMs, isOver.signal).catch(() => {});
    await Promise.race([Promise.allSettled(this.#running), late]);
    isOver.abort();
  }
}
