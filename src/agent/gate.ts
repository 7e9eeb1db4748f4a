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
