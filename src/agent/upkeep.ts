// Upkeep keeps sessions small: before a turn that would not fit, behind one, after a pause, on request, and when a
// conversation is closed. Work in the background is done only by a program that stays; what it leaves, the next takes up.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Epochs, TurnInput, TurnPlan } from "../context/epochs.ts";
import type { Clock } from "../lib/clock.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import type { Log } from "../lib/log.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import type { Consolidation, ConsolidationRequest, Consolidator } from "../memory/consolidator.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import { Session } from "../session/session.ts";
import type { ModelRuntime } from "./model-runtime.ts";

export interface UpkeepOptions {
  consolidator: Consolidator;
  epochs: Epochs;
  storeFor(personRoot: string): MemoryStore;
  /** A pause after which a session is summarised before its next turn; 0 for never. */
  idleMs: number;
  /** Where closed conversations wait for their summary, by the name of their file. */
  pendingFolder: string;
  lock: HomeLock;
  clock: Clock;
  log: Log;
}

/** A turn's input and the model that would answer it. */
export interface Upkept {
  input: TurnInput;
  model: ModelRuntime;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #stays = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** The program stays: from now on there is time in the background, first of all for what was left undone. */
  stay(upkept: Upkept): void {
    this.#stays = true;
    this.#archivePending(upkept);
  }

  /** Before a turn; true when something was archived, so that the prompt has to be planned anew. */
  async makeRoom(upkept: Upkept, plan: TurnPlan, signal: AbortSignal): Promise<boolean> {
    const { consolidator, idleMs, clock } = this.#options;
    const { session } = upkept.input;
    const { messages, lastConsolidated: before } = session;
    const request = this.#toRequest(upkept, plan, signal);
    const pause = clock.now() - (messages.at(-1)?.at ?? clock.now());
    const hasRested = idleMs > 0 && pause > idleMs && request.provider !== undefined;
    await consolidator.open(request);
    if (hasRested) await consolidator.rest(request);
    if (plan.isTooLong) await consolidator.fit(request);
    // Also by what was archived before a crash and is only adopted now.
    return session.lastConsolidated > before;
  }

  /** Behind a turn: what would not fit the next time is archived while nobody waits. */
  tidyUp(upkept: Upkept): void {
    this.#inBackground("tidy up", async (signal) => {
      const plan = await this.#options.epochs.plan(upkept.input);
      if (plan.isTooLong) await this.#options.consolidator.fit(this.#toRequest(upkept, plan, signal));
    });
  }

  async compact(upkept: Upkept, focus: string): Promise<Consolidation> {
    const plan = await this.#options.epochs.plan(upkept.input);
    return this.#options.consolidator.compact(this.#toRequest(upkept, plan, this.#closing.signal), focus);
  }

  /** A conversation that was closed and whose file lies at `path` now: what is not yet archived of it follows. */
  async archiveClosed(path: string, upkept: Upkept): Promise<void> {
    const { pendingFolder } = this.#options;
    await mkdir(pendingFolder, { recursive: true, mode: 0o700 });
    await writeFile(join(pendingFolder, basename(path)), upkept.input.session.key, { mode: 0o600 });
    this.#archivePending(upkept);
  }

  /** Closed conversations whose archiving was interrupted, by the end of the program or by a crash. */
  #archivePending(upkept: Upkept): void {
    const { pendingFolder, clock, log } = this.#options;
    this.#inBackground("archive", async (signal) => {
      for (const name of (await readdir(pendingFolder).catch(ignoreMissing)) ?? []) {
        signal.throwIfAborted();
        const key = await readFile(join(pendingFolder, name), "utf8");
        const session = new Session({ key, path: join(pendingFolder, "..", name), clock, log });
        await session.refresh();
        const input = { ...upkept.input, session };
        const plan = await this.#options.epochs.plan(input);
        await this.#options.consolidator.compact(this.#toRequest({ ...upkept, input }, plan, signal));
        await rm(join(pendingFolder, name), { force: true });
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the program ends"));
    await Promise.all(this.#running);
  }

  #inBackground(purpose: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (!this.#stays) return;
    const { signal } = this.#closing;
    const running = this.#locked(purpose, work)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.log.error("upkeep-failed", { purpose, error });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #locked(purpose: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    const release = await this.#options.lock.acquire(purpose, signal);
    await work(signal).finally(release);
  }

  #toRequest({ input, model }: Upkept, plan: TurnPlan, signal: AbortSignal): ConsolidationRequest {
    const { session, window, personRoot } = input;
    return {
      session,
      store: this.#options.storeFor(personRoot),
      prefix: plan.last?.prefix ?? plan.fresh,
      from: plan.last?.record.from ?? session.lastConsolidated,
      window,
      fixedTokens: plan.fixedTokens,
      provider: model.isOffline === true ? undefined : model.provider,
      settings: model.settings,
      signal,
    };
  }
}
