// How many turns run at once: the slots of a home, and those that homes of one process share. Knows no session.

/**
 * A turn's slot among those that may run at once, over all sessions; first come, first served. A turn that only waits, for
 * a host, a person or a disk, gives its slot up meanwhile, and gets one back before turns that have not begun.
 */
export interface TurnSlot {
  /** Gives the slot to another one, unless too many are away already. */
  stepAside(): void;
  /** Waits for a slot again; at once for one that did not step aside, or whose signal aborts. */
  comeBack(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** For what runs without one, because it is only to be ended. */
export const noSlot: TurnSlot = { stepAside() {}, comeBack: async () => {}, leave() {} };

/** All of them, always in this order, so that a holder of the last never waits for the first. */
export async function enterAll(gates: readonly Gate[], signal: AbortSignal): Promise<TurnSlot> {
  const slots: TurnSlot[] = [];
  const leave = () => {
    for (const slot of slots) slot.leave();
  };
  try {
    for (const gate of gates) slots.push(await gate.enter(signal));
  } catch (error) {
    leave();
    throw error;
  }
  return {
    leave,
    stepAside() {
      for (const slot of slots) slot.stepAside();
    },
    comeBack: async (other) => {
      for (const slot of slots) await slot.comeBack(other);
    },
  };
}

/** Times as many as there are slots may be away: each holds its prompt in memory. */
const mostAwayFactor = 8;

/**
 * Slots that several homes have in common. One that has many turns leaves some free for the others: it gets another slot only
 * while it has fewer than are free. Of those that wait, the one with the fewest comes first.
 */
export class TurnShare {
  readonly slots: number;
  readonly #members = new Map<Gate, { taken: number; servedAt: number }>();
  #taken = 0;
  #served = 0;

  /** Zero or less means no limit. */
  constructor(slots: number) {
    this.slots = slots > 0 ? slots : Number.POSITIVE_INFINITY;
  }

  join(gate: Gate): void {
    this.#members.set(gate, { taken: 0, servedAt: 0 });
  }

  /** What it has taken is given back as it ends. */
  leave(gate: Gate): void {
    this.#taken -= this.#members.get(gate)?.taken ?? 0;
    this.#members.delete(gate);
    this.#letIn();
  }

  take(gate: Gate): boolean {
    const member = this.#members.get(gate);
    const free = this.slots - this.#taken;
    if (member === undefined) return true;
    if (free <= 0 || (this.#members.size > 1 && member.taken >= free)) return false;
    member.taken += 1;
    member.servedAt = ++this.#served;
    this.#taken += 1;
    return true;
  }

  give(gate: Gate): void {
    const member = this.#members.get(gate);
    if (member === undefined) return;
    member.taken -= 1;
    this.#taken -= 1;
    this.#letIn();
  }

  #letIn(): void {
    for (;;) {
      const waiting = [...this.#members].filter(([gate]) => gate.hasWaiting);
      waiting.sort(([, a], [, b]) => a.taken - b.taken || a.servedAt - b.servedAt);
      const next = waiting.find(([gate]) => this.take(gate));
      if (next === undefined) return;
      next[0].letIn();
    }
  }
}

export class Gate {
  readonly #share: TurnShare;
  readonly #mostAway: number;
  #away = 0;
  readonly #returning = new Set<() => void>();
  readonly #entering = new Set<() => void>();

  /** At most so many slots at once, or a part of those that are shared. */
  constructor(slots: number | TurnShare) {
    this.#share = typeof slots === "number" ? new TurnShare(slots) : slots;
    this.#mostAway = mostAwayFactor * this.#share.slots;
    this.#share.join(this);
  }

  get hasWaiting(): boolean {
    return this.#returning.size + this.#entering.size > 0;
  }

  /** A slot was taken for the next one that waits here. */
  letIn(): void {
    const [next] = [...this.#returning.values().take(1), ...this.#entering.values().take(1)];
    next?.();
  }

  close(): void {
    this.#share.leave(this);
  }

  async enter(signal: AbortSignal): Promise<TurnSlot> {
    await this.#take(this.#entering, signal);
    let state: "inside" | "away" | "left" = "inside";
    return {
      stepAside: () => {
        if (state !== "inside" || this.#away >= this.#mostAway) return;
        state = "away";
        this.#away += 1;
        this.#share.give(this);
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
        if (state === "inside") this.#share.give(this);
        if (state === "away") this.#away -= 1;
        state = "left";
      },
    };
  }

  #take(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#share.take(this)) return resolve();
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
}
