// Upkeep keeps sessions small: before a turn that would not fit, behind one, after a pause, on request, and when a
// conversation is closed. Work in the background is done only by a program that stays; what it leaves, the next takes up.
import type { Epochs, TurnInput, TurnPlan } from "../context/epochs.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Consolidation, ConsolidationRequest, Consolidator } from "../memory/consolidator.ts";
import type { DayNotes } from "../memory/day-notes.ts";
import type { Documents } from "../storage/documents/memory-store.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import { type Scope, scopeOf } from "../storage/scope.ts";
import type { PendingArchive } from "../storage/sessions/pending-archive.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { ModelRuntime } from "./dependencies.ts";
import type { Compaction } from "./open-session.ts";

export interface UpkeepOptions {
  consolidator: Consolidator;
  epochs: Epochs;
  documents: Documents;
  /** Absent for sessions of subagents. */
  dayNotes?: DayNotes;
  /** A pause after which a session is summarised before its next turn; 0 for never. */
  idleMs: number;
  /** Closed conversations that wait for their summary. */
  pending: PendingArchive;
  lock: HomeLock;
  clock: Clock;
  log: Log;
}

/** A turn's input and the model that would answer it. */
export interface Upkept {
  input: TurnInput;
  model: ModelRuntime;
}

/** A closed session as the turns of that person or group would have it: nothing of it depends on who is here now. */
type Prepare = (session: Session, scope: Scope) => Promise<Upkept>;

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #prepare: Prepare | undefined;
  #archiving: Promise<void> | undefined;
  #looks = 0;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** The program keeps running: from now on it works in the background, first on unfinished work. */
  stay(prepare: Prepare): void {
    this.#prepare = prepare;
    this.#archivePending();
  }

  /** Before a turn; true when something was archived or noted, so that the prompt has to be planned again. */
  async makeRoom(upkept: Upkept, plan: TurnPlan, signal: AbortSignal): Promise<boolean> {
    const { consolidator, idleMs, clock } = this.#options;
    const { session } = upkept.input;
    const { recent, lastConsolidated: before } = session;
    const request = this.#toRequest(upkept, plan, signal);
    const pause = clock.now() - (recent.at(-1)?.at ?? clock.now());
    let isNoted = false;
    const hasRested = idleMs > 0 && pause > idleMs && request.provider !== undefined;
    try {
      isNoted = (await this.#options.dayNotes?.write(scopeOf(upkept.input.origin))) ?? false;
      await consolidator.open(request);
      if (hasRested) await consolidator.rest(request);
      if (plan.isTooLong) await consolidator.fit(request);
    } catch (error) {
      // A memory that is unavailable does not block a turn: what does not fit is left out of the prompt.
      const { code = "" } = error as NodeJS.ErrnoException;
      if (signal.aborted || !/^E[A-Z]+$/.test(code)) throw error;
      this.#options.log.error("memory-not-usable", { error });
    }
    // Also by what was archived before a crash and is only adopted now.
    return isNoted || session.lastConsolidated > before;
  }

  /** Behind a turn: what would not fit the next time is archived in the background. */
  tidyUp(upkept: Upkept): void {
    this.#inBackground("tidy up", async (signal) => {
      const plan = await this.#options.epochs.plan(upkept.input);
      if (plan.isTooLong) await this.#options.consolidator.fit(this.#toRequest(upkept, plan, signal));
    });
  }

  async compact(upkept: Upkept, { focus, signal }: Compaction): Promise<Consolidation> {
    const plan = await this.#options.epochs.plan(upkept.input);
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    return this.#options.consolidator.compact(this.#toRequest(upkept, plan, ends), focus);
  }

  /**
   * Ends a conversation; what is not yet archived of it follows, into the memory of whose it was. It is noted before the
   * file has its new name, so that a crash in between loses nothing: what was not closed is closed by the same command.
   */
  async endConversation(sessions: SessionManager, key: string, scope: Scope): Promise<void> {
    if ((await sessions.close(key, scope, { toArchive: true })) !== undefined) this.#archivePending();
  }

  /** Closed conversations, also those whose archiving was interrupted by the end of the program or by a crash. */
  #archivePending(): void {
    this.#looks += 1;
    if (this.#archiving !== undefined) return;
    const archiving = this.#inBackground("archive", async (signal) => {
      // One that is closed meanwhile is found by another look.
      for (let look = 0; look < this.#looks; ) {
        look = this.#looks;
        for (const name of await this.#options.pending.list()) await this.#archiveNoted(name, signal);
      }
      // In the same step as the last check: a conversation that is closed later begins another round.
      this.#archiving = undefined;
    });
    this.#archiving = archiving;
    archiving?.finally(() => {
      if (this.#archiving === archiving) this.#archiving = undefined;
    });
  }

  /** Each for itself: one that cannot be archived now waits for the next time, and keeps no other waiting. */
  async #archiveNoted(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await this.#archiveClosed(name, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#options.log.error("conversation-not-archived", { name, error });
    }
  }

  async #archiveClosed(name: string, signal: AbortSignal): Promise<void> {
    const { pending, epochs, consolidator } = this.#options;
    const closed = await pending.open(name);
    const upkept = closed && (await this.#prepare?.(closed.session, closed.scope));
    if (upkept === undefined) return;
    const plan = await epochs.plan(upkept.input);
    await consolidator.compact(this.#toRequest(upkept, plan, signal));
    await pending.settle(name);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the program ends"));
    await Promise.all(this.#running);
  }

  /** Undefined in a program that does not stay. */
  #inBackground(purpose: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> | undefined {
    if (this.#prepare === undefined) return undefined;
    const { signal } = this.#closing;
    const running = this.#locked(purpose, work)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.log.error("upkeep-failed", { purpose, error });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #locked(purpose: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    const release = await this.#options.lock.acquire(purpose, signal);
    await work(signal).finally(release);
  }

  #toRequest({ input, model }: Upkept, plan: TurnPlan, signal: AbortSignal): ConsolidationRequest {
    const { session, window, origin } = input;
    return {
      session,
      store: this.#options.documents.of(scopeOf(origin)),
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
