// One lane a session: one turn at a time in it, several sessions at once up to the gate. A message that arrives during
// a turn waits in the lane, where the running turn may take it along.
import { enterAll, Gate, noSlot, type TurnShare, type TurnSlot } from "./gate.ts";
import { isSuspect, type Job, LeftForLater } from "./job.ts";

interface Lane {
  waiting: Job[];
  active: { job: Job; abort: AbortController; done: Promise<void> } | undefined;
}

/** How much a turn takes along at once; always at least one message. */
interface TakeLimit {
  most: number;
  characters?: number;
}

const mostInjectedAtOnce = 3;
/** More than that is a flood: it is read in large steps, because small ones would take for ever. */
const longestBurst = 12;
const mostOfFloodAtOnce = 200;

/** How many messages a turn takes along, of so many that wait. */
export function chooseMostAtOnce(waiting: number): number {
  return waiting > longestBurst ? mostOfFloodAtOnce : mostInjectedAtOnce;
}

/** Runs one job to its end. Must not throw: a failure in one turn reaches only that user. */
export type RunJob = (job: Job, signal: AbortSignal, slot: TurnSlot) => Promise<void>;

/** Awaited before a job needs a slot. Rejects when the signal aborts. */
export type PrepareJob = (job: Job, signal: AbortSignal) => Promise<void>;

interface LanesOptions {
  /** How many turns run at once over all sessions; zero or less means no limit. */
  slots: number;
  /** Of messages whose turns keep dying: they run one at a time, so that only the one that ends the process is blamed. */
  suspects: Gate;
  /** Slots that this home has in common with others. */
  share?: TurnShare | undefined;
  run: RunJob;
  prepare?: PrepareJob;
}

export class StoppedByUser extends Error {
  override name = "StoppedByUser";
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #gate: Gate;
  readonly #shared: Gate | undefined;
  readonly #options: LanesOptions;

  constructor(options: LanesOptions) {
    this.#gate = new Gate(options.slots);
    this.#shared = options.share && new Gate(options.share);
    this.#options = options;
  }

  add(job: Job, position: "last" | "next" = "last"): void {
    const key = job.inbound.sessionKey;
    const lane = this.#lanes.get(key) ?? { waiting: [], active: undefined };
    this.#lanes.set(key, lane);
    if (position === "next") lane.waiting.unshift(job);
    else lane.waiting.push(job);
    if (lane.active === undefined) this.#startNext(key, lane);
  }

  /** The job whose turn it is. */
  running(sessionKey: string): Job | undefined {
    return this.#lanes.get(sessionKey)?.active?.job;
  }

  /** A message that waits or runs; not one that the running turn has taken along. */
  find(sessionKey: string, inboundId: string): Job | undefined {
    const { active, waiting = [] } = this.#lanes.get(sessionKey) ?? {};
    return [active?.job, ...waiting].find((job) => job?.inbound.id === inboundId);
  }

  /** Ends it while it runs; what waits behind it begins. */
  abort(sessionKey: string, job: Job): void {
    const active = this.#lanes.get(sessionKey)?.active;
    if (active?.job === job) active.abort.abort(new StoppedByUser("deleted by its sender"));
  }

  /** It never begins. */
  withdraw(sessionKey: string, job: Job): void {
    const lane = this.#lanes.get(sessionKey);
    if (lane !== undefined) lane.waiting = lane.waiting.filter((other) => other !== job);
    job.begin = async () => false;
  }

  countWaiting(sessionKey: string): number {
    return this.#lanes.get(sessionKey)?.waiting.length ?? 0;
  }

  get activeCount(): number {
    return [...this.#lanes.values()].filter((lane) => lane.active !== undefined).length;
  }

  /** Messages of one person that the running turn takes along, oldest first. Stops at one that needs a separate turn. */
  takeInjectable(
    sessionKey: string,
    { most, characters = Number.POSITIVE_INFINITY }: TakeLimit,
    person: string,
  ): Job[] {
    const waiting = this.#lanes.get(sessionKey)?.waiting ?? [];
    let count = 0;
    for (let left = characters; count < Math.min(most, waiting.length); count++) {
      const { isInjectable, inbound } = waiting[count] as Job;
      // In a group, a message must not join a turn that has another person's rights.
      if (!isInjectable || inbound.origin.person !== person) break;
      left -= inbound.text.length;
      if (left < 0 && count > 0) break;
    }
    return waiting.splice(0, count);
  }

  /** Messages that were taken and could not be used wait again, before all others. */
  putBack(sessionKey: string, jobs: readonly Job[]): void {
    this.#lanes.get(sessionKey)?.waiting.unshift(...jobs);
  }

  /** Ends everything that was said until now: what waited waits no longer, and what runs is aborted. */
  stop(sessionKey: string): { active: Job | undefined; dropped: Job[] } {
    const lane = this.#lanes.get(sessionKey);
    const active = lane?.active?.abort.signal.aborted === false ? lane.active : undefined;
    active?.abort.abort(new StoppedByUser("stopped by the user"));
    return { active: active?.job, dropped: lane?.waiting.splice(0) ?? [] };
  }

  /** What waits is forgotten, without being finished; what runs is awaited. */
  async drain(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.active?.done));
  }

  /** What runs on behalf of the bus, which keeps it, is aborted and awaited. */
  async leave(): Promise<void> {
    const active = [...this.#lanes.values()].flatMap((lane) => lane.active ?? []);
    const kept = active.filter(({ job }) => job.begin !== undefined);
    for (const { abort } of kept) abort.abort(new LeftForLater("left for the next start"));
    await Promise.all(kept.map(({ done }) => done));
  }

  /** Ends everything: what waits is dropped, what runs is aborted and awaited. */
  async close(): Promise<void> {
    const running = [...this.#lanes.values()].flatMap((lane) => lane.active?.done ?? []);
    for (const key of [...this.#lanes.keys()]) this.stop(key);
    await Promise.all(running);
    this.#shared?.close();
  }

  #startNext(key: string, lane: Lane): void {
    const job = lane.waiting.shift();
    lane.active = undefined;
    if (job === undefined) {
      this.#lanes.delete(key);
      return;
    }
    const abort = new AbortController();
    const signal = job.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, job.signal]);
    const done = this.#runInside(job, signal).finally(() => this.#startNext(key, lane));
    lane.active = { job, abort, done };
  }

  async #runInside(job: Job, signal: AbortSignal): Promise<void> {
    // Session first, then gate: a session that waits for its own turn, or for more to be said, holds no slot.
    const { prepare, run } = this.#options;
    const slot = await Promise.resolve(prepare?.(job, signal))
      .then(() => this.#enter(job, signal))
      .catch(() => noSlot);
    try {
      await run(job, signal, slot);
    } finally {
      slot.leave();
    }
  }

  #enter(job: Job, signal: AbortSignal): Promise<TurnSlot> {
    const suspects = isSuspect(job) ? [this.#options.suspects] : [];
    const gates = [...suspects, this.#gate, ...(this.#shared ? [this.#shared] : [])];
    return enterAll(gates, signal);
  }
}
