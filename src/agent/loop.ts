// AgentLoop: takes inbound messages and gives each its way: answers and urgent commands at once, everything else
// through its session's lane. Knows no channel; a failure in one turn reaches that user and nobody else.
import type { AskRequest } from "../bus/ask.ts";
import type { InboundMessage, Origin } from "../bus/types.ts";
import { HomeLockedError } from "../lib/home-lock.ts";
import { describeChoices } from "../words/describe-ask.ts";
import { speakTo } from "../words/words.ts";
import { Approvals, isAttended } from "./approvals.ts";
import { type CommandContext, type Inspection, type ParsedCommand, parseCommand } from "./commands.ts";
import { toApology, toParts } from "./delivery.ts";
import { type DirectRequest, terminalOrigin, toDirectJob } from "./direct.ts";
import {
  isLeftForLater,
  type Job,
  mostAttempts,
  type Surface,
  type TurnOutcome,
  toCommandOutcome,
  toSetAside,
} from "./job.ts";
import { Lanes } from "./lanes.ts";
import type { AgentLoopOptions } from "./loop-options.ts";
import { type ImaginedMessage, inspectContext, openSaid, toUpkept } from "./open-session.ts";
import { isSubagentTask, type Spawn, SubagentManager } from "./subagents.ts";
import { runTurn } from "./turn.ts";

export type InspectRequest = Pick<ImaginedMessage, "sessionKey"> & Partial<ImaginedMessage>;

const mostInjectedAtOnce = 3;
/** Of a message that is to be set aside. */
const mostLooks = 5;
/** Of waiting for a burst of messages to end. */
const mostRounds = 5;
const longestPauseMs = 60_000;

export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #lanes: Lanes;
  /** Of commands that take long and that no conversation waits for. */
  readonly #backgroundLanes: Lanes;
  readonly #subagents: SubagentManager;
  readonly approvals: Approvals;
  readonly #closing = new AbortController();
  readonly #startedAt: number;

  constructor(options: AgentLoopOptions) {
    this.#options = options;
    this.approvals = new Approvals(options.ids, options.clock);
    this.#lanes = new Lanes(options.maxConcurrentTurns, (job, signal) => this.#runJob(job, signal));
    this.#backgroundLanes = new Lanes(1, (job, signal) => this.#runJob(job, signal));
    this.#subagents = new SubagentManager({
      ...options,
      ...options.subagents,
      sessions: options.turns.sessions,
      run: (job, signal) => this.#runSubagent(job, signal),
      surfaceOf: (inbound, sessionKey) => this.#toSurface(inbound, sessionKey),
      insist: (store) => this.#insist(store),
    });
    this.#startedAt = options.clock.now();
  }

  /**
   * Serves the bus until the signal aborts; then what runs is awaited for so long, and after that left to the bus, as is
   * all that has not begun.
   */
  async run(signal: AbortSignal, { drainMs = 0 } = {}): Promise<void> {
    const { turns } = this.#options;
    try {
      turns.upkeep.stay((session, scope) => toUpkept(turns, session, scope));
      for (;;) await this.#dispatch(this.#toBusJob(await this.#options.bus.takeInbound(signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (drainMs > 0) await this.#drain(drainMs);
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
    await this.#dispatch(job);
    return promise;
  }

  get activeTurns(): number {
    return this.#lanes.activeCount;
  }

  /** What the next request of a session would contain; the message is by default an empty one from the terminal. */
  inspect({ sessionKey, origin = terminalOrigin, text = "" }: InspectRequest): Promise<Inspection> {
    return inspectContext(this.#options.turns, { sessionKey, origin, text });
  }

  /** For the tool: a subagent of the turn that calls it. */
  readonly spawn: Spawn = (request, context) =>
    this.#subagents.spawn(request, context, this.#lanes.running(context.sessionKey));

  /** Ends what runs, waits and works beside a session; how many. */
  async stop(sessionKey: string): Promise<number> {
    return this.#stop(sessionKey) + (await this.#stopBeside(sessionKey));
  }

  /** Whether the running turn of a session came over the bus, so that its chat is served. */
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
    const late = this.#options.clock.sleep(drainMs, isDrained.signal).then(() => this.#lanes.leave());
    const drained = this.#lanes.drain().finally(() => isDrained.abort());
    await Promise.all([drained, late.catch((error) => isDrained.signal.aborted || Promise.reject(error))]);
  }

  async #closeLanes(): Promise<void> {
    await Promise.all([this.#lanes.close(), this.#backgroundLanes.close(), this.#subagents.close()]);
  }

  async #dispatch(job: Job): Promise<void> {
    const { sessionKey, origin, kind } = job.inbound;
    if (isSubagentTask(job.inbound)) return this.#subagents.start(job.inbound);
    if (kind === "system") return this.#lanes.add(job);
    const parsed = readCommand(job);
    if (parsed !== undefined) return this.#dispatchCommand(job, parsed);
    const open = this.approvals.pending(sessionKey);
    if (open !== undefined && origin.role === "owner") return this.#dispatchAnswer(job, open);
    this.#lanes.add(job);
  }

  async #dispatchCommand(job: Job, parsed: ParsedCommand): Promise<void> {
    const words = speakTo(job.inbound.origin, this.#options.words);
    if (parsed.kind === "unknown") return this.#finish(job, toCommandOutcome(job, parsed.reply(words)));
    if (parsed.command.when === "now")
      return this.#finish(job, await this.#settle(job, this.#runCommand(job, parsed)));
    if (parsed.command.when === "background") return this.#backgroundLanes.add(job);
    if (parsed.command.stopsTurn === true) this.#stop(job.inbound.sessionKey, [this.#lanes]);
    this.#lanes.add({ ...job, isInjectable: false }, "next");
  }

  async #dispatchAnswer(job: Job, open: AskRequest): Promise<void> {
    const words = speakTo(job.inbound.origin, this.#options.words);
    const isAnswered = this.approvals.answer(job.inbound.sessionKey, job.inbound.text);
    const reply = isAnswered ? "" : words.approval.notAnAnswer(describeChoices(open, words));
    await this.#finish(job, toCommandOutcome(job, reply));
  }

  /** The per-message handler: one of the few places that may catch everything. */
  async #runJob(job: Job, signal: AbortSignal): Promise<void> {
    const parsed = readCommand(job);
    const outcome =
      parsed?.kind === "command" ? this.#runCommand(job, parsed, signal) : this.#runTurn(job, signal);
    const settled = await this.#settle(job, outcome, signal);
    if (!isLeftForLater(signal)) await this.#finish(job, settled);
  }

  /** What it left running ends with it. */
  async #runSubagent(job: Job, signal: AbortSignal): Promise<void> {
    const { turns, subagents, stopProcesses } = this.#options;
    const turn = this.#runTurn(job, signal, { ...turns, ...subagents.turns });
    const outcome = turn.finally(() => stopProcesses(job.inbound.sessionKey));
    await this.#finish(job, await this.#settle(job, outcome, signal));
  }

  /** Undefined when it is no longer to be answered. */
  async #runTurn(
    job: Job,
    signal: AbortSignal,
    turns = this.#options.turns,
  ): Promise<TurnOutcome | undefined> {
    const { sessionKey, origin, isBurst, attempts = 0 } = job.inbound;
    if ((await job.begin?.()) === false) return undefined;
    // Even to look what belongs to it ends the process.
    if (attempts > mostLooks) return toSetAside(job);
    if (isBurst === true) await this.#collect(sessionKey, signal);
    return runTurn(turns, job, {
      signal,
      takeInjected: () => this.#lanes.takeInjectable(sessionKey, mostInjectedAtOnce, origin.person),
    });
  }

  /** People send one thought in several messages: until a moment passes without another one. */
  async #collect(sessionKey: string, signal: AbortSignal): Promise<void> {
    const { clock, collectMs = 0 } = this.#options;
    for (let round = 0; round < mostRounds && collectMs > 0; round++) {
      const waiting = this.#lanes.countWaiting(sessionKey);
      await clock.sleep(collectMs, signal);
      if (this.#lanes.countWaiting(sessionKey) === waiting) return;
    }
  }

  async #runCommand(
    job: Job,
    { command, text }: ParsedCommand & { kind: "command" },
    signal?: AbortSignal,
  ): Promise<TurnOutcome | undefined> {
    if ((await job.begin?.()) === false) return undefined;
    if ((job.inbound.attempts ?? 0) >= mostAttempts) return toSetAside(job);
    return toCommandOutcome(job, await command.run(this.#toCommandContext(job, signal), text));
  }

  async #settle(
    job: Job,
    outcome: Promise<TurnOutcome | undefined>,
    signal?: AbortSignal,
  ): Promise<TurnOutcome | undefined> {
    try {
      return await outcome;
    } catch (error) {
      if (signal?.aborted) return { ...toCommandOutcome(job, ""), stop: "cancelled", kind: "answer" };
      const kind = error instanceof HomeLockedError ? "locked" : "internal";
      if (kind === "internal")
        this.#options.log.error("turn-failed", { session: job.inbound.sessionKey, error });
      const message = this.#options.redact(error instanceof Error ? error.message : String(error));
      return { ...toCommandOutcome(job, ""), stop: "error", kind: "answer", error: { kind, message } };
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
  async #insist(store: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#options;
    for (let pause = 1_000; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return await store();
      } catch (error) {
        if (this.#closing.signal.aborted) throw error;
        log.error("answer-not-stored-yet", { error, pause });
        await clock.sleep(pause, this.#closing.signal).catch(() => {});
      }
    }
  }

  /** What goes on beside the turns of a session; how many. */
  async #stopBeside(sessionKey: string): Promise<number> {
    return this.#subagents.stop(sessionKey) + (await this.#options.stopProcesses(sessionKey));
  }

  #stop(sessionKey: string, lanes = [this.#lanes, this.#backgroundLanes]): number {
    const stopped = lanes.map((each) => each.stop(sessionKey));
    const dropped = stopped.flatMap((each) => each.dropped);
    for (const job of dropped) void this.#finish(job, { ...toCommandOutcome(job, ""), stop: "cancelled" });
    return dropped.length + stopped.filter(({ isStopped }) => isStopped).length;
  }

  #toCommandContext({ inbound: { sessionKey, origin } }: Job, signal?: AbortSignal): CommandContext {
    const { version, clock, turns } = this.#options;
    return {
      words: speakTo(origin, this.#options.words),
      version,
      sessionKey,
      activeTurns: this.#lanes.activeCount,
      uptimeMs: clock.now() - this.#startedAt,
      model: async () => turns.model(await turns.sessions.open(sessionKey)),
      openSession: () => turns.sessions.open(sessionKey),
      trust: this.#options.trust(sessionKey, origin),
      answers: this.#options.answers(sessionKey, origin),
      closeSession: () => this.#closeSession(sessionKey, origin),
      compact: (focus) => this.#compact(sessionKey, origin, focus),
      inspect: () => this.inspect({ sessionKey, origin }),
      search: (query) => this.#options.search(query, origin),
      dream: () => this.#options.dream(origin, signal ?? new AbortController().signal),
      memory: this.#options.memory(origin),
      undo: () => this.#options.undo(sessionKey, origin),
      stop: () => this.stop(sessionKey),
      agents: (text) =>
        this.#options.subagents.answer({
          text,
          origin,
          all: this.#subagents.list(sessionKey),
          stop: (id) => this.#subagents.stop(sessionKey, id),
        }),
    };
  }

  /** The file is kept under another name, and what was said in it is archived in the background. */
  async #closeSession(sessionKey: string, origin: Origin): Promise<void> {
    const { turns } = this.#options;
    await this.#stopBeside(sessionKey);
    const release = await turns.lock.acquire(`session ${sessionKey}`);
    try {
      await turns.upkeep.endConversation(turns.sessions, await openSaid(turns, { sessionKey, origin }));
    } finally {
      release();
    }
  }

  async #compact(sessionKey: string, origin: Origin, focus: string): ReturnType<CommandContext["compact"]> {
    const { turns } = this.#options;
    const release = await turns.lock.acquire(`session ${sessionKey}`);
    try {
      const session = await openSaid(turns, { sessionKey, origin });
      return await turns.upkeep.compact(await toUpkept(turns, session), focus);
    } finally {
      release();
    }
  }

  #toSurface({ id: turnId, origin }: InboundMessage, sessionKey: string): Surface {
    const { bus, canAsk } = this.#options;
    const { channel, chatId } = origin;
    const show: Surface["show"] = (body) => bus.publishLive({ sessionKey, turnId, channel, chatId, body });
    const ask: Surface["ask"] = (request, signal) =>
      this.approvals.ask(sessionKey, request, { show, signal });
    return { show, ...(canAsk(origin) && isAttended(origin) && { ask }) };
  }

  #toBusJob(inbound: InboundMessage): Job {
    const { bus, words, split } = this.#options;
    return {
      inbound,
      surface: this.#toSurface(inbound, inbound.sessionKey),
      isInjectable: inbound.kind !== "system" || inbound.origin.cause === "subagent",
      joined: [],
      begin: () => bus.claim(inbound.id),
      finish: (outcome) =>
        this.#insist(() =>
          outcome.isSetAside === true
            ? bus.setAside(outcome.inboundIds, (messages) => toApology(messages, { words, split }))
            : bus.finish(outcome.inboundIds, toParts(inbound, outcome, { words, split })),
        ),
    };
  }
}

/** A program that keeps no conversation hands on what others wrote: none of it is a command. */
function readCommand({ inbound: { kind, text }, history }: Job): ParsedCommand | undefined {
  return kind === "system" || history !== undefined ? undefined : parseCommand(text);
}
