// Prompts of a session over time: keeps its epoch's prefix frozen, announces what changed, and makes it fit.

import { runtimeContextEnd, runtimeContextTag } from "../lib/formats/runtime-block.ts";
import type { Log } from "../lib/log.ts";
import type { Message, UserMessage } from "../llm/types.ts";
import { chooseStartWithin, estimateBudget, halve, sumTokens } from "../memory/fit.ts";
import type { ShrinkReason } from "../runner/events.ts";
import { replay } from "../storage/sessions/format/replay.ts";
import type { Session } from "../storage/sessions/session.ts";
import { type Epoch, estimatePrefix, hashPrefix } from "./epoch.ts";
import { chooseLeftOut, chooseLongest, countSpared, cutLong, leaveOut } from "./fit-prompt.ts";
import { type Inspection, inspectPlan } from "./inspection.ts";
import { type PlanOptions, pickRecalled, planTurn, type TurnInput, type TurnPlan } from "./turn-plan.ts";
import { type RenderedMessage, renderUserMessage } from "./user-message.ts";

export type { Inspection } from "./inspection.ts";
export type { TurnInput, TurnPlan } from "./turn-plan.ts";

type EpochsOptions = PlanOptions & { log: Log };

export interface PreparedTurn extends Pick<TurnPlan, "userMessage" | "fields" | "runtimeContext" | "labels"> {
  epoch: Epoch;
}

export interface FollowUp {
  text: string;
  media?: string[];
}

/** Late results of recall, as a separate message. */
export interface LateRecall {
  message: UserMessage;
  fields: Pick<RenderedMessage["fields"], "recalled">;
  labels: string[];
}

export class Epochs {
  readonly #options: EpochsOptions;

  constructor(options: EpochsOptions) {
    this.#options = options;
  }

  /**
   * Everything about the coming request except the sending: opens the epoch, renders the message, makes it fit.
   * `makeRoom` may archive a part of the session first and says whether it did.
   */
  async prepare(
    input: TurnInput,
    makeRoom: (plan: TurnPlan) => Promise<boolean> = async () => false,
  ): Promise<PreparedTurn> {
    const first = await planTurn(this.#options, input);
    const plan = (await makeRoom(first)) ? await planTurn(this.#options, input) : first;
    const { last, reason, seen, userMessage, fields, runtimeContext, labels } = plan;
    const epoch =
      last !== undefined && reason === undefined
        ? { prefix: last.prefix, record: { ...last.record, seen } }
        : await this.#beginEpoch(input, plan);
    return { epoch, userMessage, fields, runtimeContext, labels };
  }

  /** For a turn whose message is stored already: the epoch that it began in, or a new one if that is gone. */
  async reopen(input: TurnInput): Promise<Epoch> {
    const plan = await planTurn(this.#options, { ...input, text: "", media: [], isPreview: true });
    return plan.last !== undefined && plan.reason === undefined ? plan.last : this.#beginEpoch(input, plan);
  }

  /** The coming request without opening anything for it. */
  plan(input: TurnInput): Promise<TurnPlan> {
    return planTurn(this.#options, { ...input, isPreview: true });
  }

  /** What the next request would contain, and what it has in common with the last one. Changes nothing. */
  async inspect(input: Omit<TurnInput, "media">): Promise<Inspection> {
    const preview: TurnInput = { ...input, media: [], isPreview: true };
    return inspectPlan(this.#options.builder, preview, await planTurn(this.#options, preview));
  }

  /** A message that joins the turn which `input` began. */
  renderFollowUp(input: TurnInput, { text, media = [] }: FollowUp): Promise<RenderedMessage> {
    return renderUserMessage(this.#options.builder, { ...input, text, media });
  }

  /** Late results of recall for this turn, as a message for its next step. */
  async takeLateRecall(input: TurnInput): Promise<LateRecall | undefined> {
    const late = await this.#options.recall?.takeLate(input);
    if (late === undefined || late.note === "") return undefined;
    const content = [runtimeContextTag, late.note, runtimeContextEnd].join("\n");
    return { message: { role: "user", content }, fields: pickRecalled(late, late.note), labels: late.labels };
  }

  /** The messages of the request: the frozen system text, then history as it was sent, the current message included. */
  toMessages(session: Session, { record, prefix }: Epoch): Message[] {
    const history = replay(session.slice(record.from));
    const shown = cutLong(leaveOut(history, record.leftOut), record.longest);
    return this.#options.builder.arrange(prefix.system, shown);
  }

  /** Estimated tokens of the request that `toMessages` gives. */
  estimate(session: Session, { record, prefix }: Epoch): number {
    const messages = session.slice(record.from);
    const history = sumTokens(messages, 0) - countSpared(messages, record.leftOut);
    const fixed = estimatePrefix(prefix);
    if (record.longest === undefined) return fixed + history;
    return fixed + sumTokens(cutLong(leaveOut(messages, record.leftOut), record.longest), 0);
  }

  /** The same epoch for a smaller window, or other tools: all but its history is made again. */
  async rebuild(input: TurnInput, { record }: Epoch): Promise<Epoch> {
    const plan = await planTurn(this.#options, { ...input, text: "", media: [], isPreview: true });
    return this.#beginEpoch(input, { ...plan, from: record.from });
  }

  /**
   * In the middle of a turn: older turns go first, then its own oldest results, down to half of what there is room for.
   * What the model has just asked for is only cut where it cannot have it whole.
   */
  shrink(
    { session, window }: TurnInput,
    epoch: Epoch,
    { turnId, why }: { turnId: string; why: ShrinkReason },
  ): Epoch {
    const { record, prefix } = epoch;
    const { recent: messages, start: first } = session;
    const fixedTokens = estimatePrefix(prefix);
    const whole = estimateBudget(window);
    const half = Math.floor(Math.min(this.estimate(session, epoch), whole) / 2);
    const budget = why === "refused" ? half : halve(fixedTokens, whole);
    const start = chooseStartWithin({
      messages,
      from: Math.max(0, record.from - first),
      fixedTokens,
      budget,
    });
    const turnStart = messages.findLastIndex((message) => message.id === turnId);
    const index = turnStart < 0 ? start : Math.min(start, turnStart);
    const from = first + index;
    if (index !== turnStart) return { prefix, record: { ...record, from } };
    const own = messages.slice(index);
    const leftOut = chooseLeftOut(own, budget - fixedTokens);
    const most = (why === "refused" ? budget : whole) - fixedTokens;
    const longest = chooseLongest(leaveOut(own, leftOut), most);
    return { prefix, record: { ...record, from, leftOut, ...(longest !== undefined && { longest }) } };
  }

  async #beginEpoch({ session, model }: TurnInput, { fresh, seen, from, reason }: TurnPlan): Promise<Epoch> {
    const { prefixes, clock, log } = this.#options;
    log.debug("epoch-begins", { session: session.key, reason });
    const hash = session.isKept ? await prefixes.save(fresh) : hashPrefix(fresh);
    return { prefix: fresh, record: { hash, startedAt: clock.now(), model, from, seen } };
  }
}
