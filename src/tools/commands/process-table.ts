// The commands that still run after their call has returned, by conversation: another conversation's look unknown.
// Bounded in number and life; what is over can be read for a while.
import type { Clock } from "../../lib/clock.ts";
import { createIds, type Ids } from "../../lib/ids.ts";
import { type CommandAccess, ToolError } from "../../runner/tool.ts";
import type { RunningProcess } from "./running-process.ts";

export interface HeldProcess {
  id: string;
  sessionKey: string;
  /** Of the turn that started it: a session key may be used by another person later. */
  scope: string;
  command: string;
  /** What was granted to it beyond its sandbox. */
  access: CommandAccess;
  /** Of what the turn had read when it was started. */
  labels: string[];
  timeoutSeconds: number;
  process: RunningProcess;
  /** What was written to it so far, as far as anyone could judge it. */
  input: string;
  startedAt: number;
  /** When it was last asked for. */
  usedAt: number;
}

export type NewProcess = Pick<
  HeldProcess,
  "sessionKey" | "scope" | "command" | "access" | "labels" | "timeoutSeconds" | "process" | "startedAt"
>;

const minute = 60_000;
export const processLimits = {
  inSession: 8,
  inAll: 32,
  idleMs: 30 * minute,
  lifeMs: 240 * minute,
  keptMs: 10 * minute,
};

export class ProcessTable {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #held = new Map<string, HeldProcess>();
  readonly #closing = new AbortController();

  constructor(clock: Clock, ids: Ids = createIds(clock)) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Refuses where another one would be too many. */
  checkRoom(sessionKey: string): void {
    const running = [...this.#held.values()].filter(isRunning);
    const own = running.filter((held) => held.sessionKey === sessionKey);
    if (own.length >= processLimits.inSession) {
      const ids = own.map(({ id }) => id).join(", ");
      throw new ToolError(`${own.length} processes already run here: ${ids}. End one with process first.`);
    }
    if (running.length >= processLimits.inAll) {
      throw new ToolError("Too many processes run in other conversations. Run it without yield_time_ms.");
    }
  }

  add(process: NewProcess): HeldProcess {
    this.#forgetOldest();
    const id = `p${this.#ids.next().slice(-5)}`;
    const held = { ...process, id, input: "", usedAt: this.#clock.elapsed() };
    this.#held.set(held.id, held);
    void this.#lookAfter(held);
    return held;
  }

  find(sessionKey: string, scope: string, id: string): HeldProcess {
    const held = this.list(sessionKey, scope).find((own) => own.id === id);
    if (held === undefined) {
      const ids = this.list(sessionKey, scope).map((own) => own.id);
      throw new ToolError(`There is no process "${id}" here. ${describeChoice(ids)}`);
    }
    held.usedAt = this.#clock.elapsed();
    return held;
  }

  /** Of any person; for judging what would be done to it. */
  peek(id: string): HeldProcess | undefined {
    return this.#held.get(id);
  }

  list(sessionKey: string, scope?: string): HeldProcess[] {
    const own = [...this.#held.values()].filter((held) => held.sessionKey === sessionKey);
    return scope === undefined ? own : own.filter((held) => held.scope === scope);
  }

  /** Ends what runs in a conversation; resolves with how many when all of it is over. */
  async stopSession(sessionKey: string): Promise<number> {
    const running = this.list(sessionKey).filter(isRunning);
    await Promise.all(running.map(({ process }) => process.stop("stopped")));
    return running.length;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#held.values()].map(({ process }) => process.stop("stopped")));
    this.#held.clear();
  }

  /** Ends it when its time has come, and forgets it some time after its end. */
  async #lookAfter(held: HeldProcess): Promise<void> {
    const over = new AbortController();
    void held.process.ended.finally(() => over.abort()).catch(() => {});
    const isOver = AbortSignal.any([over.signal, this.#closing.signal]);
    while (!isOver.aborted) {
      const idleLeft = held.usedAt + processLimits.idleMs - this.#clock.elapsed();
      const lifeLeft = held.startedAt + processLimits.lifeMs - this.#clock.elapsed();
      if (idleLeft <= 0 || lifeLeft <= 0) {
        await held.process.stop(lifeLeft <= 0 ? "life" : "idle");
        break;
      }
      await this.#clock.sleep(Math.min(idleLeft, lifeLeft), isOver).catch(() => {});
    }
    await this.#clock.sleep(processLimits.keptMs, this.#closing.signal).catch(() => {});
    this.#held.delete(held.id);
  }

  #forgetOldest(): void {
    const oldest = [...this.#held.values()].find((held) => !isRunning(held));
    if (this.#held.size >= 2 * processLimits.inAll && oldest !== undefined) this.#held.delete(oldest.id);
  }
}

function isRunning({ process }: HeldProcess): boolean {
  return process.end === undefined;
}

function describeChoice(ids: string[]): string {
  return ids.length === 0 ? "exec starts one with yield_time_ms." : `There are: ${ids.join(", ")}.`;
}
