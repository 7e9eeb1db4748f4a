// The prompt of a running turn as it grows: what is sent, how long it is, and what becomes of it when it is too long.
import type { Epoch } from "../context/epoch.ts";
import type { Epochs, FollowUp, TurnInput } from "../context/epochs.ts";
import { type TokenCount, toCorrection } from "../context/token-count.ts";
import type { Message } from "../llm/types.ts";
import { estimateBudget, inputBudget } from "../memory/fit.ts";
import type { ShrinkReason } from "../runner/events.ts";

export interface TurnPromptOptions {
  epochs: Epochs;
  input: TurnInput;
  epoch: Epoch;
  turnId: string;
}

const nearlyFull = 0.8;

export class TurnPrompt {
  readonly #options: TurnPromptOptions;
  #epoch: Epoch;
  /** Undefined where the host counts nothing. */
  counted: TokenCount | undefined;

  constructor(options: TurnPromptOptions) {
    this.#options = options;
    this.#epoch = options.epoch;
  }

  toMessages(): Message[] {
    return this.#options.epochs.toMessages(this.#options.input.session, this.#epoch);
  }

  /** A message that arrived during the turn. */
  toFollowUp(said: FollowUp): Promise<Message> {
    return this.#options.epochs.renderFollowUp(this.#options.input, said);
  }

  isFull(): boolean {
    return this.#estimate() > estimateBudget(this.input.window);
  }

  async shrink(why: ShrinkReason): Promise<Message[]> {
    const { epochs, turnId } = this.#options;
    this.#epoch = epochs.shrink(this.input, this.#epoch, { turnId, why });
    await this.input.session.updateMetadata({ epoch: this.#epoch.record });
    return this.toMessages();
  }

  /** What the host has counted for a request, 0 for nothing; to be told before its reply is stored. */
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

  #estimate(): number {
    return this.#options.epochs.estimate(this.#options.input.session, this.#epoch);
  }
}
