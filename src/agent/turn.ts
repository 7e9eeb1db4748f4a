// One turn from top to bottom: open the session, close what a crash left open, store the user's message, build the
// prompt, run, store each new message before the runner goes on, and say how it ended.
import { type Answer, nobodyToAsk, type Question } from "../bus/ask.ts";
import type { Epoch } from "../context/epoch.ts";
import type { PreparedTurn, TurnInput } from "../context/epochs.ts";
import { joinLabels, withLabels, withoutGuest } from "../lib/labels.ts";
import { noUsage } from "../lib/usage.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { TurnEvent, TurnMessage, TurnRequest, TurnResult } from "../runner/events.ts";
import { toRecalledId } from "../storage/sessions/format/entry-id.ts";
import { closeInterruptedTurn } from "../storage/sessions/interrupted-turn.ts";
import type { Session, WriteOptions } from "../storage/sessions/session.ts";
import { type BegunTurn, findBegunTurn } from "./begun-turn.ts";
import {
  type ModelRuntime,
  promptFacts,
  type SaidFacts,
  type TurnDependencies,
  toSaidFacts,
  toSaidText,
  toTurnInput,
} from "./dependencies.ts";
import type { TurnSlot } from "./gate.ts";
import {
  askOn,
  isLeftForLater,
  type Job,
  mostAttempts,
  type TurnOutcome,
  toCommandOutcome,
  toSetAside,
  toTurnError,
} from "./job.ts";
import { openFor } from "./open-session.ts";
import { isReadAlready } from "./revisions.ts";
import { labelsInPrompt, labelsOfInbound, toOwnWords } from "./turn-labels.ts";
import { TurnPrompt } from "./turn-prompt.ts";

/** What the lane passes to a turn with its job. */
export interface TurnOptions {
  signal: AbortSignal;
  /** Jobs that arrived meanwhile and join this turn: not more characters than that, if more than one. */
  takeInjected(characters: number): Job[];
  /** Stores something, however long the store cannot be written, unless the turn is called off. */
  insist<T>(store: () => Promise<T>): Promise<T>;
  /** Among the turns that run at once: a turn that only waits steps aside. */
  slot: TurnSlot;
}

type OpenTurn = Extract<BegunTurn, { kind: "open" }>;

const mostInjections = 5;

export async function runTurn(
  dependencies: TurnDependencies,
  job: Job,
  options: TurnOptions,
): Promise<TurnOutcome> {
  const { sessions } = dependencies;
  const { sessionKey } = job.inbound;
  const release = await dependencies.lock.acquire(`session ${sessionKey}`, options.signal);
  try {
    const { history } = job;
    const session = await (history
      ? sessions.openUnkept(sessionKey, history)
      : options.insist(() => openFor(dependencies, job.inbound)));
    const bound = { session, model: await dependencies.model(session) };
    const turn = new Turn(dependencies, job, bound, options).run();
    return await (session.isKept ? turn : turn.finally(() => dependencies.discard?.(job.inbound)));
  } finally {
    release();
  }
}

class Turn {
  readonly #dependencies: TurnDependencies;
  readonly #job: Job;
  readonly #session: Session;
  readonly #options: TurnOptions;
  readonly #model: ModelRuntime;
  readonly #startedAt: number;
  readonly #ownWords: string[];
  /** What the lines of messages that joined say of them, by their ids. */
  readonly #followUps = new Map<string, SaidFacts>();
  /** Of the step whose reply is about to be stored. */
  #stepUsage: TurnResult["usage"] | undefined;
  #paid = 0;
  #injections = 0;

  constructor(
    dependencies: TurnDependencies,
    job: Job,
    { session, model }: { session: Session; model: ModelRuntime },
    options: TurnOptions,
  ) {
    this.#dependencies = dependencies;
    this.#job = job;
    this.#session = session;
    this.#options = options;
    this.#model = model;
    this.#startedAt = dependencies.clock.elapsed();
    this.#ownWords = [job.ownWords ?? toOwnWords(job.inbound)];
  }

  get #id(): string {
    return this.#job.inbound.id;
  }

  async run(): Promise<TurnOutcome> {
    const begun = await findBegunTurn(this.#session, this.#id);
    if (begun?.kind === "joined")
      return begun.isAnswered ? toCommandOutcome(this.#job, "") : this.#setAside();
    this.#job.joined.push(...(begun?.joined ?? []));
    if (begun?.kind === "answered") return { ...toCommandOutcome(this.#job, begun.text), kind: "answer" };
    if ((this.#job.inbound.attempts ?? 0) >= mostAttempts) return this.#setAside();
    const { isKept } = this.#session;
    if (begun === undefined && (await isReadAlready(this.#session, this.#job.inbound)))
      return toCommandOutcome(this.#job, "");
    if (begun === undefined && isKept) await closeInterruptedTurn(this.#session);
    const { signal } = this.#options;
    const { inbound: message, layers, tools } = this.#job;
    const request = { session: this.#session, message, layers, tools, model: this.#model, signal };
    const input = await toTurnInput(this.#dependencies, request);
    const { epochs, upkeep } = this.#dependencies;
    const upkept = { input, model: this.#model };
    const epoch = begun === undefined ? await this.#begin(upkept) : await epochs.reopen(input);
    this.#job.surface.show({ type: "turn-start" });
    const prompt = new TurnPrompt({ epochs, input, epoch, turnId: this.#id });
    const result = await this.#runToEnd(epoch.prefix.tools, prompt, begun);
    this.#throwIfLeft();
    await this.#sayLeftOut(prompt);
    await this.#storeUsage(result, prompt);
    await this.#dependencies.onEnd?.(this.#id, result.stop);
    this.#log(result);
    this.#job.surface.show({ type: "turn-end", stop: result.stop });
    if (prompt.isNearlyFull && isKept) upkeep.tidyUp({ ...upkept, input: prompt.input });
    const { sessionKey, origin } = message;
    // Only a tool changes something; one that ran before a restart has done so, too.
    const mayHaveChanged = result.tools.length > 0 || begun !== undefined;
    const lasting = mayHaveChanged
      ? await this.#dependencies.findLasting?.({ sessionKey, origin, turnId: this.#id })
      : undefined;
    return { ...this.#toOutcome(result), ...(lasting && { lasting }) };
  }

  /** What would be said of its end is not true: the next start goes on where it was. */
  #throwIfLeft(): void {
    const { signal } = this.#options;
    if (isLeftForLater(signal)) throw signal.reason;
  }

  /** Once a conversation and window: what such a small model does not see. */
  async #sayLeftOut(prompt: TurnPrompt): Promise<void> {
    const { contextWindow: window } = prompt.input.window;
    if (!prompt.isTiny || this.#session.metadata._nanobot_small_window === window) return;
    const all = await this.#dependencies.toolDefinitions();
    this.#job.surface.show({ type: "notice", notice: prompt.describeLeftOut(all.length) });
    await this.#session.updateMetadata({ _nanobot_small_window: window });
  }

  #setAside(): TurnOutcome {
    this.#dependencies.log.error("turn-set-aside", { session: this.#session.key, turn: this.#id });
    return toSetAside(this.#job);
  }

  async #begin(upkept: { input: TurnInput; model: ModelRuntime }): Promise<Epoch> {
    const { epochs, upkeep } = this.#dependencies;
    const { signal } = this.#options;
    const { isKept } = this.#session;
    const prepared = await epochs.prepare(
      upkept.input,
      async (plan) => isKept && upkeep.makeRoom(upkept, plan, signal),
    );
    await this.#storeUserMessage(prepared);
    return prepared.epoch;
  }

  async #storeUserMessage(prepared: PreparedTurn): Promise<void> {
    const { userMessage, fields, runtimeContext, epoch, labels } = prepared;
    const { inbound } = this.#job;
    const marker = { version: 1, sources: ["runtime"], suffix: runtimeContext };
    const sources = joinLabels(labelsOfInbound(inbound), labels);
    const extra = { ...toSaidFacts(inbound, fields), _runtime_context: marker, ...withLabels(sources) };
    await this.#append({ id: this.#id, turn: this.#id, message: userMessage, extra });
    await this.#options.insist(() => this.#session.updateMetadata({ epoch: epoch.record }));
  }

  #append(entry: Parameters<Session["append"]>[0][number], options: WriteOptions = {}): Promise<void> {
    const extra = { kind: entry.message.role, ...entry.extra };
    return this.#options.insist(() => this.#session.append([{ ...entry, extra }], options));
  }

  async #runToEnd(
    toolDefinitions: ToolDefinition[],
    prompt: TurnPrompt,
    begun?: OpenTurn,
  ): Promise<TurnResult> {
    const { runner } = this.#dependencies;
    if (begun !== undefined && begun.openCalls.length > 0) {
      // Without their results the reply is not yet part of the prompt.
      const request = this.#toRequest(toolDefinitions, prompt);
      for await (const event of runner.finishCalls(request, begun.openCalls)) await this.#handle(event);
    }
    if (this.#job.inbound.isBurst === true) await this.#storeFollowUps(prompt);
    const request = this.#toRequest(toolDefinitions, prompt);
    const events = runner.run({ ...request, firstStep: begun?.nextStep ?? 0, answers: begun?.answers ?? [] });
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      const event = next.value;
      await this.#yieldSlot(event);
      if (event.type === "step-end" && event.usage !== undefined && !event.usage.isEstimate)
        prompt.count(event.usage.input);
      await this.#handle(event);
    }
  }

  /** A host that is waited for must not keep other conversations from being answered. */
  async #yieldSlot(event: TurnEvent): Promise<void> {
    const { slot, signal } = this.#options;
    const isWaiting = event.type === "notice" && ["retry", "waiting"].includes(event.notice.kind);
    if (isWaiting) slot.stepAside();
    else await slot.comeBack(signal);
  }

  #toRequest(toolDefinitions: ToolDefinition[], prompt: TurnPrompt): TurnRequest {
    const { maxSteps } = this.#dependencies;
    const { tools: given = [] } = this.#job;
    const tools = given.length === 0 ? this.#dependencies.tools : this.#dependencies.tools.with(given);
    return {
      turnId: this.#id,
      sessionKey: this.#session.key,
      origin: this.#job.inbound.origin,
      provider: this.#model.provider,
      settings: this.#model.settings,
      messages: prompt.toMessages(),
      tools,
      toolDefinitions,
      labels: withoutGuest(labelsInPrompt(this.#session), this.#job.inbound.origin),
      ownWords: () => this.#ownWords.join("\n"),
      said: this.#session,
      maxSteps,
      signal: this.#options.signal,
      ask: (question, withdrawn) => this.#ask(question, withdrawn),
      takeFollowUps: async (moment) => [
        ...(await this.#takeFollowUps(prompt)),
        ...(moment === "step" ? await this.#takeLateRecall(prompt) : []),
      ],
      isFull: () => prompt.isFull(),
      shrink: (why, window) => prompt.shrink(why, window),
    };
  }

  /** A new message is stored before the runner is pulled again; everything else is only shown. */
  async #handle(event: TurnEvent): Promise<void> {
    this.#throwIfLeft();
    if (event.type === "notice") this.#dependencies.log.warn("model-notice", { ...event.notice });
    if (event.type === "step-end") this.#stepUsage = event.usage;
    if (event.type !== "message") return this.#job.surface.show(event);
    const { id, message, isFinal, isDurable, isFailure = false } = event;
    const latency_ms = Math.round(this.#dependencies.clock.elapsed() - this.#startedAt);
    const inboundLabels =
      message.role === "user" ? labelsOfInbound({ origin: this.#job.inbound.origin }) : [];
    const labels = withLabels(joinLabels(event.labels ?? [], inboundLabels));
    const extra = {
      ...(message.role === "user" && (this.#followUps.get(id) ?? promptFacts)),
      ...(isFinal && { final: true, latency_ms }),
      ...(isFailure && { _failed: true }),
      ...(message.role === "assistant" && this.#takeUsage()),
      ...labels,
    };
    await this.#append({ id, turn: this.#id, message, extra }, { sync: isDurable });
  }

  /** Once for a step, whatever it ends in. */
  #takeUsage(): { usage?: TurnResult["usage"] & { cost?: number } } {
    const usage = this.#stepUsage;
    this.#stepUsage = undefined;
    if (usage === undefined) return {};
    const paid = this.#dependencies.moneyOf?.(this.#id);
    const cost = paid === undefined ? undefined : paid - this.#paid;
    this.#paid = paid ?? this.#paid;
    return { usage: { ...usage, ...(cost !== undefined && { cost }) } };
  }

  async #ask(question: Question, withdrawn?: AbortSignal): Promise<Answer> {
    const { surface } = this.#job;
    const { slot, signal } = this.#options;
    if (surface.ask === undefined) return nobodyToAsk;
    const isOver = withdrawn === undefined ? signal : AbortSignal.any([signal, withdrawn]);
    slot.stepAside();
    return askOn(surface, question, isOver).finally(() => slot.comeBack(signal));
  }

  /** Messages that arrive together are read together. */
  async #storeFollowUps(prompt: TurnPrompt): Promise<void> {
    for (const followUp of await this.#takeFollowUps(prompt))
      await this.#handle({ type: "message", isFinal: false, isDurable: false, labels: [], ...followUp });
  }

  async #takeFollowUps(prompt: TurnPrompt): Promise<TurnMessage[]> {
    if (this.#injections >= mostInjections) return [];
    const injected = this.#options.takeInjected(this.#model.contextWindow / 2);
    if (injected.length > 0) this.#injections += 1;
    const messages: TurnMessage[] = [];
    for (const { inbound } of injected) {
      this.#job.joined.push(inbound.id);
      // Taken along before a crash: the prompt holds it already.
      if (this.#session.has(inbound.id) || (await isReadAlready(this.#session, inbound))) continue;
      this.#ownWords.push(toOwnWords(inbound));
      const { message, fields } = await prompt.toFollowUp({
        ...inbound,
        text: toSaidText(inbound, { isJoined: true }),
      });
      this.#followUps.set(inbound.id, toSaidFacts(inbound, fields));
      messages.push({ id: inbound.id, message, labels: inbound.labels });
    }
    return messages;
  }

  async #takeLateRecall(prompt: TurnPrompt): Promise<TurnMessage[]> {
    const late = await prompt.takeLateRecall();
    if (late === undefined) return [];
    const id = toRecalledId(this.#id);
    this.#followUps.set(id, { ...promptFacts, ...late.fields });
    return [{ id, message: late.message, labels: late.labels }];
  }

  async #storeUsage({ usage: spent }: TurnResult, { tokens, counted }: TurnPrompt): Promise<void> {
    // What no host has counted is estimated where it is shown.
    const usage = spent.isEstimate ? noUsage : spent;
    const patch = {
      ...(counted && { counted }),
      _last_usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        cached_tokens: usage.cached,
        context_tokens: tokens,
      },
    };
    await this.#options.insist(() => this.#session.updateMetadata(patch));
  }

  #log({ stop, tools, usage, error }: TurnResult): void {
    const { clock, log } = this.#dependencies;
    const ms = Math.round(clock.elapsed() - this.#startedAt);
    const facts = { session: this.#session.key, turn: this.#id, model: this.#model.name, stop, ms, usage };
    if (error !== undefined) log.error("turn-end", { ...facts, error });
    else log.info("turn-end", { ...facts, tools: tools.map(({ name }) => name) });
  }

  #toOutcome({ text, stop, tools, usage, error }: TurnResult): TurnOutcome {
    return {
      sessionKey: this.#session.key,
      turnId: this.#id,
      kind: "answer",
      inboundIds: [this.#id, ...this.#job.joined],
      text,
      stop,
      tools,
      usage,
      ...(error && { error: toTurnError(error) }),
    };
  }
}
