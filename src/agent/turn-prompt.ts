// The prompt of a running turn as it grows: its messages, its length, and how it is shortened.

import type { Notice } from "../bus/live.ts";
import type { Epoch } from "../context/epoch.ts";
import type { Epochs, FollowUp, TurnInput } from "../context/epochs.ts";
import { chooseTools, toCorrection } from "../context/fit-prompt.ts";
import type { RenderedMessage } from "../context/user-message.ts";
import { phrase } from "../i18n/phrase.ts";
import type { Message } from "../llm/types.ts";
import { estimateBudget, inputBudget, toWindow } from "../memory/fit.ts";
import type { ShrinkReason, ShrunkPrompt } from "../runner/events.ts";
import type { TokenCount } from "../storage/sessions/metadata.ts";

interface TurnPromptOptions {
  epochs: Epochs;
  input: TurnInput;
  epoch: Epoch;
  turnId: string;
}

const nearlyFull = 0.8;
/** From here on a conversation with tools and memory can go on for ever. */
const smallestWindow = 4_096;

export class TurnPrompt {
  readonly #options: TurnPromptOptions;
  #epoch: Epoch;
  /** Undefined where the host counts nothing. */
  counted: TokenCount | undefined;

  constructor(options: TurnPromptOptions) {
    this.#options = { ...options };
    this.#epoch = options.epoch;
  }

  toMessages(): Message[] {
    return this.#options.epochs.toMessages(this.#options.input.session, this.#epoch);
  }

  /** A message that arrived during the turn. */
  toFollowUp(said: FollowUp): Promise<RenderedMessage> {
    return this.#options.epochs.renderFollowUp(this.#options.input, said);
  }

  takeLateRecall(): ReturnType<Epochs["takeLateRecall"]> {
    return this.#options.epochs.takeLateRecall(this.#options.input);
  }

  isFull(): boolean {
    return this.#estimate() > estimateBudget(this.input.window);
  }

  /** `window` is what the host says that it takes: from now on that holds. */
  async shrink(why: ShrinkReason, window = Number.POSITIVE_INFINITY): Promise<ShrunkPrompt> {
    const { epochs, turnId, input } = this.#options;
    if (window < input.window.contextWindow) {
      const narrowed = { ...input.window, ...toWindow(window, input.window.maxTokens) };
      this.#options.input = { ...input, window: narrowed, tools: chooseTools(input.tools, narrowed) };
      this.#epoch = await epochs.rebuild(this.input, this.#epoch);
    }
    if (why !== "window" || this.isFull())
      this.#epoch = epochs.shrink(this.input, this.#epoch, { turnId, why });
    await this.input.session.updateMetadata({ epoch: this.#epoch.record });
    return { messages: this.toMessages(), toolDefinitions: this.#epoch.prefix.tools };
  }

  /** What the host has counted for a request, 0 for nothing; call it before the reply is stored. */
  count(tokens: number): void {
    if (tokens > 0) this.counted = { model: this.#options.input.model, tokens, estimate: this.#estimate() };
  }

  /** Of the last request, as its host counts them. */
  get tokens(): number {
    const { window } = this.#options.input;
    return this.counted?.tokens ?? Math.round(this.#estimate() * (window.correction ?? 1));
  }

  /** Of the turn, with what its host has counted since: that holds from now on. */
  get input(): TurnInput {
    const { input } = this.#options;
    if (this.counted === undefined) return input;
    return { ...input, window: { ...input.window, correction: toCorrection(this.counted, input.model) } };
  }

  get isNearlyFull(): boolean {
    return this.tokens > nearlyFull * inputBudget(this.#options.input.window);
  }

  get isTiny(): boolean {
    return this.#options.input.window.contextWindow < smallestWindow;
  }

  /** Of so many tools. */
  describeLeftOut(all: number): Notice {
    const { window, tools } = this.#options.input;
    const facts = { window: window.contextWindow, tools: tools.length, all };
    return { kind: "small-window", reason: phrase("model.small-window", facts) };
  }

  #estimate(): number {
    return this.#options.epochs.estimate(this.#options.input.session, this.#epoch);
  }
}
