// What was asked and answered lately, by person and id: asked again after a broken connection, it is not done again,
// also while it is still being done.
import type { ResponseFrame } from "./protocol.ts";

const mostAnswers = 2_000;
/** Larger ones are what was read, and reading can be done again. */
const largestAnswer = 16_384;

export class DoneRequests {
  readonly #running = new Map<string, Promise<string>>();
  readonly #done = new Map<string, string>();

  /** The answer as it goes over the wire. */
  async once(person: string, id: string, work: () => Promise<ResponseFrame>): Promise<string> {
    const key = JSON.stringify([person, id]);
    const known = this.#done.get(key) ?? this.#running.get(key);
    if (known !== undefined) return known;
    const answer = work().then((frame) => JSON.stringify(frame));
    this.#running.set(key, answer);
    try {
      const text = await answer;
      this.#keep(key, text);
      return text;
    } finally {
      this.#running.delete(key);
    }
  }

  #keep(key: string, text: string): void {
    if (text.length > largestAnswer) return;
    this.#done.set(key, text);
    const [oldest] = this.#done.keys();
    if (this.#done.size > mostAnswers && oldest !== undefined) this.#done.delete(oldest);
  }
}
