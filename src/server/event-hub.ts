// Everything that viewers are told, numbered in one row, with the latest of it kept: whoever was away for a moment is
// told the rest. Knows no socket.
import type { EventFrame, GatewayEvent, Viewer } from "./protocol.ts";

/** Whom an event is for. An owner sees everything; a guest what is the guest's own. */
export interface Audience {
  /** Absent: for owners only. */
  person?: string;
}

export interface EventHubOptions {
  /** Names this life of the gateway. */
  life: string;
  now(): number;
  mostEvents?: number;
  mostCharacters?: number;
}

interface Kept {
  frame: EventFrame;
  /** As it goes over the wire: made once for all who listen. */
  text: string;
  audience: Audience;
}

export type Listener = (text: string) => void;

export class EventHub {
  readonly life: string;
  readonly #options: Required<EventHubOptions>;
  readonly #kept: Kept[] = [];
  readonly #listeners = new Map<Listener, Viewer>();
  #characters = 0;
  #seq = 0;

  constructor(options: EventHubOptions) {
    this.life = options.life;
    this.#options = { mostEvents: 10_000, mostCharacters: 8_000_000, ...options };
  }

  /** Of the last event. */
  get seq(): number {
    return this.#seq;
  }

  publish(event: GatewayEvent, audience: Audience = {}): void {
    this.#seq += 1;
    const frame: EventFrame = { type: "event", seq: this.#seq, at: this.#options.now(), event };
    const kept = { frame, text: JSON.stringify(frame), audience };
    this.#kept.push(kept);
    this.#characters += kept.text.length;
    this.#trim();
    for (const [listener, viewer] of this.#listeners) if (isFor(audience, viewer)) listener(kept.text);
  }

  /** Frames behind a number; undefined when some of them are no longer here. */
  since({ life, seq }: { life: string; seq: number }, viewer: Viewer): string[] | undefined {
    const oldest = this.#kept[0]?.frame.seq ?? this.#seq + 1;
    if (life !== this.life || seq > this.#seq || seq < oldest - 1) return undefined;
    return this.#kept
      .filter(({ frame, audience }) => frame.seq > seq && isFor(audience, viewer))
      .map(({ text }) => text);
  }

  listen(viewer: Viewer, listener: Listener): () => void {
    this.#listeners.set(listener, viewer);
    return () => this.#listeners.delete(listener);
  }

  #trim(): void {
    const { mostEvents, mostCharacters } = this.#options;
    if (this.#kept.length <= mostEvents && this.#characters <= mostCharacters) return;
    // A quarter in one go: taking the first off a long row each time would move all the others.
    let dropped = 0;
    while (this.#kept.length - dropped > 0.75 * mostEvents || this.#characters > 0.75 * mostCharacters) {
      this.#characters -= this.#kept[dropped]?.text.length ?? 0;
      dropped += 1;
    }
    this.#kept.splice(0, dropped);
  }
}

function isFor({ person }: Audience, viewer: Viewer): boolean {
  return viewer.role === "owner" || (person !== undefined && person === viewer.person);
}
