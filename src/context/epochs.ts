// Prompts of a session over time: keeps its epoch's prefix frozen, tells the model what changed, and makes it fit.
import type { Log } from "../lib/log.ts";
import type { Message, UserMessage } from "../llm/types.ts";
import { chooseStartWithin, estimateMessageTokens, inputBudget, sumTokens } from "../memory/fit.ts";
import { replay } from "../session/replay.ts";
import type { Session } from "../session/session.ts";
import type { Epoch } from "./epoch.ts";
import { type Inspection, inspectPlan } from "./inspection.ts";
import { estimatePrefix } from "./prefix.ts";
import { type PlanOptions, planTurn, type TurnInput, type TurnPlan } from "./turn-plan.ts";

export type { Inspection } from "./inspection.ts";
export type { TurnInput, TurnPlan } from "./turn-plan.ts";

export interface EpochsOptions extends PlanOptions {
  log: Log;
}

export interface PreparedTurn {
  epoch: Epoch;
  userMessage: UserMessage;
  /** The block at the end of the user's message, for surfaces that want to hide it. */
  runtimeContext: string;
  /** Estimated tokens of the whole request. */
  estimate: number;
}

const leftOutNote = "[This result was left out to save room. Make the call again if it is needed.]";

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
    const { last, reason, seen, userMessage, runtimeContext, estimate } = plan;
    const epoch =
      last !== undefined && reason === undefined
        ? { prefix: last.prefix, record: { ...last.record, seen } }
        : await this.#beginEpoch(input, plan);
    return { epoch, userMessage, runtimeContext, estimate };
  }

  /** The coming request without opening anything for it. */
  plan(input: TurnInput): Promise<TurnPlan> {
    return planTurn(this.#options, { ...input, isPreview: true });
  }

  /** What the next request would contain, and what it has in common with the last one. Changes nothing. */
  async inspect(input: Omit<TurnInput, "media">): Promise<Inspection> {
    const { builder } = this.#options;
    const preview: TurnInput = { ...input, media: [], isPreview: true };
    const plan = await planTurn(this.#options, preview);
    return inspectPlan({
      input: preview,
      plan,
      arrange: (system, history) => builder.arrange(system, history, { isPreview: true }),
    });
  }

  /** The messages of the request: the frozen system text, then history as it was sent, the current message included. */
  toMessages(session: Session, { record, prefix }: Epoch): Message[] {
    const leftOut = new Set(record.leftOut);
    const history = replay(session.messages, { from: record.from }).map((message) =>
      message.role === "tool" && leftOut.has(message.tool_call_id)
        ? { ...message, content: leftOutNote }
        : message,
    );
    return this.#options.builder.arrange(prefix.system, history);
  }

  /** After a provider said that the context is too long: only what fits half of it, but always the turn itself. */
  shrink({ session: { messages }, window }: TurnInput, prepared: PreparedTurn, turnId: string): PreparedTurn {
    const { record, prefix } = prepared.epoch;
    const fixedTokens = estimatePrefix(prefix);
    const sent = fixedTokens + sumTokens(messages, record.from);
    const budget = Math.floor(Math.min(sent, inputBudget(window)) / 2);
    const start = chooseStartWithin({ messages, from: record.from, fixedTokens, budget });
    const turnStart = messages.findLastIndex((message) => message.id === turnId);
    const from = turnStart < 0 ? start : Math.min(start, turnStart);
    // Where the turn alone is too long, the oldest of its results make room.
    const leftOut =
      from === turnStart ? chooseLeftOut(messages.slice(from), budget - fixedTokens) : record.leftOut;
    return { ...prepared, epoch: { prefix, record: { ...record, from, leftOut } }, estimate: budget };
  }

  async #beginEpoch({ session, model }: TurnInput, { fresh, seen, from, reason }: TurnPlan): Promise<Epoch> {
    const { prefixes, clock, log } = this.#options;
    log.debug("epoch-begins", { session: session.key, reason });
    const hash = await prefixes.save(fresh);
    return { prefix: fresh, record: { hash, startedAt: clock.now(), model, from, seen } };
  }
}

function chooseLeftOut(messages: readonly Message[], budget: number): string[] {
  let excess = sumTokens(messages, 0) - budget;
  return messages.flatMap((message) => {
    if (message.role !== "tool" || excess <= 0) return [];
    excess -= estimateMessageTokens(message);
    return [message.tool_call_id];
  });
}
