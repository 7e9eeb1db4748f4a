// An answer that is shown while it is written, by editing one message at the platform's pace. Best effort: what counts
// is the part in the outbox, which settles the draft or is sent again.
import type { Channel } from "../bus/channel.ts";
import type { LiveEvent } from "../bus/live.ts";
import type { OutboundPart } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";

export interface DraftOptions {
  channel: Channel;
  send: Channel["send"];
  clock: Clock;
  /** To the channel's markup. */
  convert(markdown: string): string;
  /** A message that was begun before. */
  begun: string | undefined;
  /** The platform's id of the draft, kept so that a restart settles it instead of sending again. */
  onCreated(platformId: string): Promise<void>;
  onError(error: unknown): void;
}

const shortestDraft = 20;
/** Where the platform sets no limit. */
const longestDraft = 100_000;

export class Draft {
  readonly #options: DraftOptions;
  readonly #part: OutboundPart;
  #text = "";
  /** Longer than a message may be: no more of it is shown until the answer is there. */
  #isFull = false;
  #shown = "";
  #platformId: string | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;
  readonly #closing = new AbortController();

  constructor({ body: _, ...address }: LiveEvent, options: DraftOptions) {
    this.#options = options;
    this.#platformId = options.begun;
    this.#part = {
      ...address,
      id: `${address.turnId}:draft`,
      isUnfinished: true,
      text: "",
      media: [],
      kind: "answer",
      wasStreamed: true,
    };
  }

  add(text: string): void {
    if (this.#isFull) return;
    this.#text += text;
    this.#isFull = this.#text.length >= this.#mostText;
    if (this.#text.trim().length >= shortestDraft) this.#working ??= this.#work();
  }

  reset(): void {
    this.#text = "";
    this.#isFull = false;
  }

  get #mostText(): number {
    return this.#options.channel.capabilities.maxTextLength ?? longestDraft;
  }

  /** No more edits; resolves once the last one is through. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { channel, send, clock, convert, onCreated, onError } = this.#options;
    const { editIntervalMs = 1_000 } = channel.capabilities;
    try {
      while (!this.#isClosed && this.#text !== this.#shown && !this.#isFull) {
        this.#shown = this.#text;
        const draft = this.#platformId;
        const { platformId } = await send({
          ...this.#part,
          text: convert(this.#shown),
          ...(draft !== undefined && { draft }),
        });
        if (draft === undefined && platformId !== undefined) {
          this.#platformId = platformId;
          await onCreated(platformId);
        }
        await clock.sleep(editIntervalMs, this.#closing.signal).catch(() => {});
      }
    } catch (error) {
      onError(error);
    }
    this.#working = undefined;
  }
}
