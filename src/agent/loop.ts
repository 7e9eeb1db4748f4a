// AgentLoop: takes inbound messages and gives each its way: answers and urgent commands at once, everything else
// through its session's lane. Knows no channel; a failure in one turn reaches that user and nobody else.
import type { MessageBus } from "../bus/bus.ts";
import type { InboundMessage, Origin } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import { HomeLockedError } from "../lib/home-lock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Words } from "../words/words.ts";
import { Approvals } from "./approvals.ts";
import { type CommandContext, type Inspection, type ParsedCommand, parseCommand } from "./commands.ts";
import { toParts } from "./delivery.ts";
import { type DirectRequest, terminalOrigin, toDirectJob } from "./direct.ts";
import { type Job, type TurnOutcome, toCommandOutcome } from "./job.ts";
import { Lanes } from "./lanes.ts";
import { runTurn } from "./turn.ts";
import {
  type ImaginedMessage,
  inspectContext,
  type TurnDependencies,
  toUpkept,
} from "./turn-dependencies.ts";

export interface AgentLoopOptions {
  bus: MessageBus;
  turns: TurnDependencies;
  words: Words;
  version: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** In what this origin may see of everything that was said and written. */
  search(query: string, origin: Origin): ReturnType<CommandContext["search"]>;
  maxConcurrentTurns: number;
  /** Whether someone can answer an approval where this message came from. */
  canAsk(origin: Origin): boolean;
}

export type InspectRequest = Pick<ImaginedMessage, "sessionKey"> & Partial<ImaginedMessage>;

const mostInjectedAtOnce = 3;
/** Of a session that is never spoken in: it only stands for "no session in particular". */
const upkeepKey = "upkeep";

export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #lanes: Lanes;
  readonly #approvals: Approvals;
  readonly #startedAt: number;

  constructor(options: AgentLoopOptions) {
    this.#options = options;
    this.#approvals = new Approvals(options.ids);
    this.#lanes = new Lanes(options.maxConcurrentTurns, (job, signal) => this.#runJob(job, signal));
    this.#startedAt = options.clock.now();
  }

  /** Serves the bus until the signal aborts; then what runs is aborted and awaited. */
  async run(signal: AbortSignal): Promise<void> {
    const { turns } = this.#options;
    try {
      turns.upkeep.stay(await toUpkept(turns, { sessionKey: upkeepKey, origin: terminalOrigin }));
      for (;;) await this.#dispatch(this.#toBusJob(await this.#options.bus.takeInbound(signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.#lanes.close();
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

  /** What the next request of a session would contain; the message is by default an empty one from the terminal. */
  inspect({ sessionKey, origin = terminalOrigin, text = "" }: InspectRequest): Promise<Inspection> {
    return inspectContext(this.#options.turns, { sessionKey, origin, text });
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    await this.#options.turns.upkeep.close();
  }

  async #dispatch(job: Job): Promise<void> {
    const { sessionKey, text, origin, kind } = job.inbound;
    const parsed = kind === "system" ? undefined : parseCommand(text);
    if (parsed !== undefined) return this.#dispatchCommand(job, parsed);
    if (this.#approvals.has(sessionKey) && origin.role === "owner") return this.#dispatchAnswer(job);
    this.#lanes.add(job);
  }

  async #dispatchCommand(job: Job, parsed: ParsedCommand): Promise<void> {
    const { words } = this.#options;
    if (parsed.kind === "unknown") return this.#finish(job, toCommandOutcome(job, parsed.reply(words)));
    if (parsed.command.when === "now")
      return this.#finish(job, await this.#settle(job, this.#runCommand(job, parsed)));
    if (parsed.command.stopsTurn === true) this.#stop(job.inbound.sessionKey);
    this.#lanes.add({ ...job, isInjectable: false }, "next");
  }

  async #dispatchAnswer(job: Job): Promise<void> {
    const { words } = this.#options;
    const isAnswered = this.#approvals.answer(job.inbound.sessionKey, job.inbound.text);
    const reply = isAnswered ? "" : words.approval.notAnAnswer(words.approval.choices);
    await this.#finish(job, toCommandOutcome(job, reply));
  }

  /** The per-message handler: one of the few places that may catch everything. */
  async #runJob(job: Job, signal: AbortSignal): Promise<void> {
    const parsed = job.inbound.kind === "system" ? undefined : parseCommand(job.inbound.text);
    const { sessionKey } = job.inbound;
    const outcome =
      parsed?.kind === "command"
        ? this.#runCommand(job, parsed)
        : runTurn(this.#options.turns, job, {
            signal,
            takeInjected: () => this.#lanes.takeInjectable(sessionKey, mostInjectedAtOnce),
          });
    await this.#finish(job, await this.#settle(job, outcome, signal));
  }

  async #runCommand(job: Job, { command, text }: ParsedCommand & { kind: "command" }): Promise<TurnOutcome> {
    return toCommandOutcome(job, await command.run(this.#toCommandContext(job), text));
  }

  async #settle(job: Job, outcome: Promise<TurnOutcome>, signal?: AbortSignal): Promise<TurnOutcome> {
    try {
      return await outcome;
    } catch (error) {
      if (signal?.aborted) return { ...toCommandOutcome(job, ""), stop: "cancelled", kind: "answer" };
      const kind = error instanceof HomeLockedError ? "locked" : "internal";
      if (kind === "internal")
        this.#options.log.error("turn-failed", { session: job.inbound.sessionKey, error });
      const message = error instanceof Error ? error.message : String(error);
      return { ...toCommandOutcome(job, ""), stop: "error", kind: "answer", error: { kind, message } };
    }
  }

  async #finish(job: Job, outcome: TurnOutcome): Promise<void> {
    try {
      await job.finish(outcome);
    } catch (error) {
      this.#options.log.error("answer-not-stored", { session: job.inbound.sessionKey, error });
    }
  }

  #stop(sessionKey: string): number {
    const { isStopped, dropped } = this.#lanes.stop(sessionKey);
    for (const job of dropped) void this.#finish(job, { ...toCommandOutcome(job, ""), stop: "cancelled" });
    return dropped.length + (isStopped ? 1 : 0);
  }

  #toCommandContext({ inbound: { sessionKey, origin } }: Job): CommandContext {
    const { words, version, clock, turns } = this.#options;
    return {
      words,
      version,
      sessionKey,
      activeTurns: this.#lanes.activeCount,
      uptimeMs: clock.now() - this.#startedAt,
      model: turns.model(),
      openSession: () => turns.sessions.open(sessionKey),
      closeSession: () => this.#closeSession(sessionKey, origin),
      compact: (focus) => this.#compact(sessionKey, origin, focus),
      inspect: () => this.inspect({ sessionKey, origin }),
      search: (query) => this.#options.search(query, origin),
      stop: () => this.#stop(sessionKey),
    };
  }

  /** The file is kept under another name, and what was said in it is archived in the background. */
  async #closeSession(sessionKey: string, origin: Origin): Promise<void> {
    const { turns } = this.#options;
    const release = await turns.lock.acquire(`session ${sessionKey}`);
    try {
      const upkept = await toUpkept(turns, { sessionKey, origin });
      const path = await turns.sessions.close(sessionKey);
      if (path !== undefined) await turns.upkeep.archiveClosed(path, upkept);
    } finally {
      release();
    }
  }

  async #compact(sessionKey: string, origin: Origin, focus: string): ReturnType<CommandContext["compact"]> {
    const { turns } = this.#options;
    const release = await turns.lock.acquire(`session ${sessionKey}`);
    try {
      return await turns.upkeep.compact(await toUpkept(turns, { sessionKey, origin }), focus);
    } finally {
      release();
    }
  }

  #toBusJob(inbound: InboundMessage): Job {
    const { bus, words, canAsk } = this.#options;
    const { sessionKey, id: turnId, origin } = inbound;
    const { channel, chatId } = origin;
    const show: Job["surface"]["show"] = (body) =>
      bus.publishLive({ sessionKey, turnId, channel, chatId, body });
    const ask: Job["surface"]["ask"] = (request, signal) =>
      this.#approvals.ask(sessionKey, request, { show, signal });
    return {
      inbound,
      surface: { show, ...(canAsk(origin) && { ask }) },
      isInjectable: inbound.kind !== "system",
      finish: (outcome) => bus.finish(outcome.inboundIds, toParts(inbound, outcome, words)),
    };
  }
}
