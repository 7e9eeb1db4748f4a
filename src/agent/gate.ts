// How many turns may run at once, over all sessions. First come, first served. A turn that only waits, for a host, a
// person or a disk, steps aside meanwhile, and comes back before those that have not begun.

export interface Place {
  /** Gives the place to another one, unless too many are away already. */
  stepAside(): void;
  /** Waits for a place again; at once for one that did not step aside, or whose signal aborts. */
  comeBack(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** For what runs without one, because it is only to be ended. */
export const noPlace: Place = { stepAside() {}, comeBack: async () => {}, leave() {} };

/** In both at once. Always taken in this order, so that nobody who holds the second waits for the first. */
export async function enterBoth(first: Gate, second: Gate, signal: AbortSignal): Promise<Place> {
  const outer = await first.enter(signal);
  const inner = await second.enter(signal).catch((error) => {
    outer.leave();
    throw error;
  });
  const both = [outer, inner];
  return {
    stepAside() {
      for (const place of both) place.stepAside();
    },
    comeBack: async (other) => {
      for (const place of both) await place.comeBack(other);
    },
    leave() {
      for (const place of both) place.leave();
    },
  };
}

/** Times as many as there are places may be away: each holds its prompt in memory. */
const mostAwayFactor = 8;

export class Gate {
  readonly #mostAway: number;
  #free: number;
  #away = 0;
  readonly #returning = new Set<() => void>();
  readonly #entering = new Set<() => void>();

  /** At most `places` at once; zero or less means no limit. */
  constructor(places: number) {
    this.#free = places > 0 ? places : Number.POSITIVE_INFINITY;
    this.#mostAway = mostAwayFactor * this.#free;
  }

  async enter(signal: AbortSignal): Promise<Place> {
    await this.#take(this.#entering, signal);
    let state: "inside" | "away" | "left" = "inside";
    return {
      stepAside: () => {
        if (state !== "inside" || this.#away >= this.#mostAway) return;
        state = "away";
        this.#away += 1;
        this.#give();
      },
      comeBack: async (other) => {
        if (state !== "away") return;
        this.#away -= 1;
        state = "left";
        await this.#take(this.#returning, other).then(
          () => {
            state = "inside";
          },
          () => {},
        );
      },
      leave: () => {
        if (state === "inside") this.#give();
        if (state === "away") this.#away -= 1;
        state = "left";
      },
    };
  }

  #take(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#free > 0) {
        this.#free -= 1;
        return resolve();
      }
      const stop = () => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        waiting.delete(enter);
        signal.removeEventListener("abort", stop);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
      waiting.add(enter);
    });
  }

  #give(): void {
    const [next] = [...this.#returning.values().take(1), ...this.#entering.values().take(1)];
    if (next === undefined) this.#free += 1;
    else next();
  }
}
