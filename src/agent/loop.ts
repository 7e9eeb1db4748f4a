// AgentLoop: routes inbound messages: answers and urgent commands at once, everything else through its session's lane.
// Knows no channel; a failure in one turn reaches only that user.
import type { InboundMessage } from "../bus/types.ts";
import { speakTo } from "../i18n/words.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { ParsedCommand } from "./commands.ts";
import { insist, isLost, storeOutcome, toWaitNotice } from "./delivery.ts";
import type { AgentLoopOptions } from "./dependencies.ts";
import { Gate, type TurnSlot } from "./gate.ts";
import {
  breakOff,
  type DirectRequest,
  idsOf,
  isInjectable,
  isLeftForLater,
  type Job,
  mostAttempts,
  type Surface,
  type TurnOutcome,
  terminalOrigin,
  toCommandOutcome,
  toDirectJob,
  toFailure,
  toSetAside,
} from "./job.ts";
import { chooseMostAtOnce, Lanes, type PrepareJob, type RunJob } from "./lanes.ts";
import {
  type Compaction,
  compactSession,
  endSession,
  type InSession,
  type InspectRequest,
  inspectContext,
  toUpkept,
} from "./open-session.ts";
import { Questions, toCommandAsk } from "./questions.ts";
import { deleteMessage, isShown, reviseWaiting } from "./revisions.ts";
import { isSubagentTask, type Spawn, SubagentManager } from "./subagents.ts";
import { runTurn, type TurnOptions } from "./turn.ts";

/** Checks of a message that is to be set aside, and waits for a burst of messages to end. */
const mostRounds = 5;
/** Of messages that are stopped before they began, each with a mark. */
const mostMarked = 10;

export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #lanes: Lanes;
  /** Of commands that take long and that no conversation waits for. */
  readonly #backgroundLanes: Lanes;
  readonly #subagents: SubagentManager;
  readonly questions: Questions;
  readonly #closing = new AbortController();
  readonly #startedAt: number;
  /** Unfinished work is left for the next start. */
  #leaving = new AbortController();
  /** Commands that act at once, one after the other in each session, in parallel to everything else. */
  readonly #commandLock = new KeyedLock();
  readonly #commands = new Set<Promise<void>>();

  constructor(options: AgentLoopOptions) {
    this.#options = options;
    this.questions = new Questions(options.ids, options.clock);
    const run: RunJob = (job, signal, slot) => this.#runJob(job, signal, slot);
    const collect: PrepareJob = (job, signal) => this.#collect(job, signal);
    const suspects = new Gate(1);
    const slots = options.maxConcurrentTurns;
    this.#lanes = new Lanes({ slots, suspects, share: options.share, run, prepare: collect });
    this.#backgroundLanes = new Lanes({ slots: 1, suspects, run });
    this.#subagents = new SubagentManager({
      ...options,
      ...options.subagents,
      sessions: options.turns.sessions,
      suspects,
      run: (job, signal, slot) => this.#runSubagent(job, signal, slot),
      surfaceOf: (inbound, sessionKey) => this.#toSurface(inbound, sessionKey),
      insist: (store) => this.#insist(store),
    });
    this.#startedAt = options.clock.elapsed();
  }

  /** Serves the bus until the signal aborts; then what runs is awaited for so long, and the rest is left to the bus. */
  async run(signal: AbortSignal, { drainMs = 0 } = {}): Promise<void> {
    const { turns } = this.#options;
    this.#leaving = new AbortController();
    try {
      turns.upkeep.stay((session, scope) => toUpkept(turns, session, scope));
      for (;;) this.#dispatch(this.#toBusJob(await this.#options.bus.takeInbound(signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      // What runs for a home that was lost can no longer be stored: its next holder goes on with it.
      if (isLost(signal)) await Promise.all([this.#lanes.leave(), this.#backgroundLanes.leave()]);
      else if (drainMs > 0) await this.#drain(drainMs);
      await this.#closeLanes();
    }
  }

  /** One message in, its outcome out, without the bus: for one-shot use and embedding. */
  async processDirect(request: DirectRequest): Promise<TurnOutcome> {
    const { promise, resolve } = Promise.withResolvers<TurnOutcome>();
    const job = toDirectJob(request, {
      id: this.#options.ids.next(),
      now: this.#options.clock.now(),
      finish: async (outcome) => resolve(outcome),
    });
    this.#dispatch(job);
    return promise;
  }

  get activeTurns(): number {
    return this.#lanes.activeCount;
  }

  get uptimeMs(): number {
    return this.#options.clock.elapsed() - this.#startedAt;
  }

  get subagents(): Pick<SubagentManager, "list" | "stop"> {
    return this.#subagents;
  }

  /** What the next request of a session would contain; the message is by default an empty one from the terminal. */
  inspect({
    sessionKey,
    origin = terminalOrigin,
    text = "",
  }: InspectRequest): ReturnType<typeof inspectContext> {
    return inspectContext(this.#options.turns, { sessionKey, origin, text });
  }

  /** For the tool: a subagent of the turn that calls it. */
  readonly spawn: Spawn = (request, context) =>
    this.#subagents.spawn(request, context, this.#lanes.running(context.sessionKey));

  /** Ends what runs and waits in a session, and its background work; returns how many. */
  async stop(sessionKey: string): Promise<number> {
    const count = await this.#halt(sessionKey)();
    return count + (await this.#stopBeside(sessionKey));
  }

  /** Ends a conversation and its background work. Needs the home lock. */
  async closeSession(said: InSession): Promise<void> {
    await this.#stopBeside(said.sessionKey);
    await endSession(this.#options.turns, said);
    this.#options.onClosed?.(said.sessionKey);
  }

  /** Archives the conversation so far; the summary pays attention to `focus`. Needs the home lock. */
  compact(said: InSession, wanted: Compaction): ReturnType<typeof compactSession> {
    return compactSession(this.#options.turns, said, wanted);
  }

  /** Whether the running turn of a session came over the bus: its chat is served. */
  isServed(sessionKey: string): boolean {
    return this.#lanes.running(sessionKey)?.begin !== undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the program ends"));
    await this.#closeLanes();
    await this.#options.turns.upkeep.close();
  }

  async #drain(drainMs: number): Promise<void> {
    const isDrained = new AbortController();
    const late = this.#options.clock.sleep(drainMs, isDrained.signal).then(() => {
      this.#leaving.abort(new Error("the program ends"));
      return this.#lanes.leave();
    });
    const drained = Promise.all([this.#lanes.drain(), ...this.#commands]).finally(() => isDrained.abort());
    await Promise.all([drained, late.catch((error) => isDrained.signal.aborted || Promise.reject(error))]);
  }

  async #closeLanes(): Promise<void> {
    this.#leaving.abort(new Error("the program ends"));
    const closing = [this.#lanes.close(), this.#backgroundLanes.close(), this.#subagents.close()];
    await Promise.all([...closing, ...this.#commands]);
  }

  /** Never waits: what one person said must not keep another's from being taken. */
  #dispatch(job: Job): void {
    const { kind, revises } = job.inbound;
    const parsed = this.#options.commands.parse(job);
    const isSaid = kind !== "system" && revises === undefined;
    const isAnswer = isSaid && this.questions.take(job.inbound, parsed !== undefined);
    if (isSubagentTask(job.inbound)) this.#subagents.start(job.inbound);
    else if (reviseWaiting(job, this.#lanes)) this.#atOnce(job, async () => toCommandOutcome(job, ""), true);
    else if (!isSaid) this.#lanes.add(job);
    else if (parsed !== undefined) this.#dispatchCommand(job, parsed);
    else if (isAnswer) this.#atOnce(job, async () => toCommandOutcome(job, ""));
    else this.#lanes.add(job);
  }

  #dispatchCommand(job: Job, parsed: ParsedCommand): void {
    const { origin, sessionKey } = job.inbound;
    const words = speakTo(origin, this.#options.words);
    if (parsed.kind === "unknown") {
      this.#atOnce(job, async () => toCommandOutcome(job, parsed.reply(words)));
    } else if (parsed.command.when === "background") {
      this.#backgroundLanes.add(job);
    } else if (parsed.command.when === "now") {
      // Now is what was said before: not when it is its turn among other commands.
      const end = parsed.command.stopsTurn === true ? this.#halt(sessionKey) : undefined;
      this.#atOnce(job, () => this.#settle(job, this.#runCommand(job, parsed, { end })), end !== undefined);
    } else {
      if (parsed.command.stopsTurn === true) this.#keep(this.#halt(sessionKey, [this.#lanes])());
      this.#lanes.add({ ...job, isInjectable: false }, "next");
    }
  }

  /** In its order among the commands of a session, unless it is urgent. */
  #atOnce(job: Job, work: () => Promise<TurnOutcome | undefined>, isUrgent = false): void {
    const run = async () => this.#finish(job, await work());
    this.#keep(isUrgent ? run() : this.#commandLock.run(job.inbound.sessionKey, run));
  }

  #keep(work: Promise<unknown>): void {
    const running = work
      .then(
        () => {},
        (error: unknown) => this.#options.log.error("command-failed", { error }),
      )
      .finally(() => this.#commands.delete(running));
    this.#commands.add(running);
  }

  /** The per-message handler: one of the few functions that may catch everything. */
  async #runJob(job: Job, signal: AbortSignal, slot: TurnSlot): Promise<void> {
    job.isBegun = true;
    const settled = await this.#settle(job, this.#begin(job, signal, slot), signal);
    if (!isLeftForLater(signal)) await this.#finish(job, settled);
  }

  #begin(job: Job, signal: AbortSignal, slot: TurnSlot): Promise<TurnOutcome | undefined> {
    const parsed = this.#options.commands.parse(job);
    if (parsed?.kind === "command") return this.#runCommand(job, parsed, { signal });
    if (job.inbound.revises?.isDeleted) return deleteMessage(this.#options.turns, job, signal);
    return this.#runTurn(job, { signal, slot });
  }

  /** What it left running ends with it. */
  async #runSubagent(job: Job, signal: AbortSignal, slot: TurnSlot): Promise<void> {
    const { turns, subagents, stopProcesses } = this.#options;
    const turn = this.#runTurn(job, { signal, slot }, { ...turns, ...subagents.turns });
    const outcome = turn.finally(() => stopProcesses(job.inbound.sessionKey));
    await this.#finish(job, await this.#settle(job, outcome, signal));
  }

  /** Undefined when it is no longer to be answered. */
  async #runTurn(
    job: Job,
    { signal, slot }: Pick<TurnOptions, "signal" | "slot">,
    turns = this.#options.turns,
  ): Promise<TurnOutcome | undefined> {
    const { sessionKey, origin, attempts = 0 } = job.inbound;
    const insist = this.#toInsist(job, { signal, slot });
    if ((await insist(async () => job.begin?.())) === false) return undefined;
    // Even to look what belongs to it ends the process.
    if (attempts > mostRounds) return toSetAside(job);
    const taken: Job[] = [];
    const takeInjected = (characters: number) => {
      const most = chooseMostAtOnce(this.#lanes.countWaiting(sessionKey));
      const injected = this.#lanes.takeInjectable(sessionKey, { most, characters }, origin.person);
      taken.push(...injected);
      return injected;
    };
    return insist(async () => {
      // The time before may have ended before it was stored what joined it.
      this.#lanes.putBack(sessionKey, taken.splice(0));
      job.joined.length = 0;
      return runTurn(turns, job, { signal, slot, insist, takeInjected });
    }).catch((error: unknown) => breakOff(job, error, signal));
  }

  /** A caller that waits for the outcome gets the error at once; a message of the bus waits until it can be stored. */
  #toInsist(job: Job, { signal, slot }: Pick<TurnOptions, "signal" | "slot">): TurnOptions["insist"] {
    const { clock, log, bus, words } = this.#options;
    if (job.begin === undefined) return (work) => work();
    const onWait = async (error: unknown) => {
      slot.stepAside();
      // Reported once, or with the answer if even that cannot be stored.
      await bus.publishOutbound([toWaitNotice(job.inbound, words, error)]).catch(() => {});
    };
    return async (work) => {
      const done = await insist(work, { clock, log, signal, onWait });
      await slot.comeBack(signal);
      return done;
    };
  }

  /** People send one thought in several messages: until a moment passes without another one. */
  async #collect({ inbound: { sessionKey, isBurst } }: Job, signal: AbortSignal): Promise<void> {
    const { clock, collectMs = 0 } = this.#options;
    for (let round = 0; isBurst === true && round < mostRounds && collectMs > 0; round++) {
      const waiting = this.#lanes.countWaiting(sessionKey);
      await clock.sleep(collectMs, signal);
      if (this.#lanes.countWaiting(sessionKey) === waiting) return;
    }
  }

  async #runCommand(
    job: Job,
    { command, text }: ParsedCommand & { kind: "command" },
    { signal, end }: { signal?: AbortSignal; end?: (by: Job) => Promise<number> } = {},
  ): Promise<TurnOutcome | undefined> {
    const { sessionKey, origin } = job.inbound;
    let stopped = 0;
    if (end !== undefined) stopped = (await end(job)) + (await this.#stopBeside(sessionKey));
    else if ((await job.begin?.()) === false) return undefined;
    else if ((job.inbound.attempts ?? 0) >= mostAttempts) return toSetAside(job);
    else if (command.isDoneFirst === true) await this.#end(idsOf(job));
    const words = speakTo(origin, this.#options.words);
    const ask = toCommandAsk(job, signal ?? this.#leaving.signal);
    const context = { words, sessionKey, origin, stopped, ask, ...(signal && { signal }) };
    return toCommandOutcome(job, await command.run(context, text));
  }

  async #settle(
    job: Job,
    outcome: Promise<TurnOutcome | undefined>,
    signal?: AbortSignal,
  ): Promise<TurnOutcome | undefined> {
    try {
      return await outcome;
    } catch (error) {
      // A command whose question was not answered before the end asks it again after the next start.
      if (error === this.#leaving.signal.reason && job.begin !== undefined) return undefined;
      if (signal?.aborted) return { ...toCommandOutcome(job, ""), stop: "cancelled", kind: "answer" };
      const failed = toFailure(job, error, this.#options.redact);
      if (failed.error?.kind === "internal")
        this.#options.log.error("turn-failed", { session: job.inbound.sessionKey, error });
      return failed;
    }
  }

  async #finish(job: Job, outcome: TurnOutcome | undefined): Promise<void> {
    try {
      if (outcome !== undefined) await job.finish(outcome);
    } catch (error) {
      this.#options.log.error("answer-not-stored", { session: job.inbound.sessionKey, error });
    }
  }

  /** A disk that is full for a while must not lose an answer. */
  #insist(store: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, this.#leaving.signal]);
    return insist(store, { clock, log, signal, isTrouble: () => true });
  }

  /** Ends the background work of a session; returns how many. */
  async #stopBeside(sessionKey: string): Promise<number> {
    return this.#subagents.stop(sessionKey) + (await this.#options.stopProcesses(sessionKey));
  }

  /** Ends all that was said in a session until now, before anything more of it begins. The result notes it; how many. */
  #halt(sessionKey: string, lanes = [this.#lanes, this.#backgroundLanes]): (by?: Job) => Promise<number> {
    const stopped = lanes.map((each) => each.stop(sessionKey));
    const dropped = stopped.flatMap((each) => each.dropped);
    const active = stopped.flatMap((each) => each.active ?? []);
    return async (by) => {
      const jobs = [...(by === undefined ? [] : [by]), ...active, ...dropped];
      await this.#end([...jobs.flatMap(idsOf), ...this.#subagents.tasksOf(sessionKey)]);
      const cancelledJobs = dropped.filter((job, index) => index < mostMarked || job.begin === undefined);
      for (const job of cancelledJobs)
        this.#keep(this.#finish(job, { ...toCommandOutcome(job, ""), stop: "cancelled" }));
      return dropped.length + active.length;
    };
  }

  /** A full disk does not prevent stopping. */
  async #end(inboundIds: string[]): Promise<void> {
    const { bus } = this.#options;
    if (inboundIds.length === 0) return;
    await bus.finish(inboundIds, []).catch(() => this.#keep(this.#insist(() => bus.finish(inboundIds, []))));
  }

  #toSurface(inbound: InboundMessage, sessionKey: string): Surface {
    const { bus, canAsk } = this.#options;
    const { id: turnId, origin } = inbound;
    const { channel, chatId, thread } = origin;
    const address = { sessionKey, turnId, channel, chatId, ...(thread !== undefined && { thread }) };
    const show: Surface["show"] = (body) => isShown(inbound, body) && bus.publishLive({ ...address, body });
    return { show, ...(canAsk(origin) && { ask: this.questions.toAsk(sessionKey, origin, show) }) };
  }

  #toBusJob(inbound: InboundMessage): Job {
    const { bus, words, split } = this.#options;
    return {
      inbound,
      surface: this.#toSurface(inbound, inbound.sessionKey),
      isInjectable: isInjectable(inbound),
      joined: [],
      begin: () => bus.claim(inbound.id),
      finish: (outcome) => this.#insist(() => storeOutcome(bus, inbound, outcome, { words, split })),
    };
  }
}
