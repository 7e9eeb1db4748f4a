// How many turns may run at once, over all sessions. First come, first served.
import { Mailbox } from "../bus/mailbox.ts";

export class Gate {
  readonly #places = new Mailbox<true>();

  /** At most `places` at once; zero or less means no limit. */
  constructor(places: number) {
    for (let place = 0; place < (places > 0 ? places : 10_000); place++) this.#places.put(true);
  }

  /** Resolves with the function that gives the place back. */
  async enter(signal: AbortSignal): Promise<() => void> {
    await this.#places.take(signal);
    let isInside = true;
    return () => {
      if (isInside) this.#places.put(true);
      isInside = false;
    };
  }
}
