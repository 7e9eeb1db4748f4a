// Event log with sequence numbers, of which the latest events are kept: a client that was away for a moment is
// told the rest. Knows no socket.
import type { EventFrame, GatewayEvent, Viewer } from "../protocol.ts";

/** Whom an event is for. An owner sees everything; a guest what is the guest's own. */
export interface Audience {
  /** Absent: for owners only. */
  person?: string;
  /** Only for those who follow it now; not kept for those who were away. */
  followed?: Followed;
}

/** Sent only to those who ask for it. */
export type Followed = "log";

export interface EventHubOptions {
  /** Names this life of the gateway. */
  life: string;
  now(): number;
  mostEvents?: number;
  mostCharacters?: number;
}

export interface NumberedFrame {
  seq: number;
  /** As it goes over the wire: made once for all who listen. */
  text: string;
}

interface Kept extends NumberedFrame {
  audience: Audience;
}

export interface Listener {
  viewer: Viewer;
  follows: ReadonlySet<Followed>;
  take(frame: NumberedFrame, event: GatewayEvent): void;
}

export class EventHub {
  readonly life: string;
  readonly #options: Required<EventHubOptions>;
  readonly #kept: Kept[] = [];
  readonly #listeners = new Set<Listener>();
  #characters = 0;
  #seq = 0;
  /** Of the last event that is no longer kept. */
  #forgotten = 0;

  constructor(options: EventHubOptions) {
    this.life = options.life;
    this.#options = { mostEvents: 10_000, mostCharacters: 2_000_000, ...options };
  }

  /** Of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether anyone listens. */
  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  publish(event: GatewayEvent, audience: Audience = {}): void {
    this.#seq += 1;
    const seq = this.#seq;
    const frame: EventFrame = { type: "event", seq, at: this.#options.now(), event };
    const kept = { seq, text: JSON.stringify(frame), audience };
    if (audience.followed === undefined) this.#keep(kept);
    for (const listener of this.#listeners) if (isFor(audience, listener)) listener.take(kept, event);
  }

  /** Frames behind a number; undefined when some of them are no longer here. */
  since({ life, seq }: { life: string; seq: number }, viewer: Viewer): NumberedFrame[] | undefined {
    if (life !== this.life || seq > this.#seq || seq < this.#forgotten) return undefined;
    const listener = { viewer, follows: new Set<Followed>() };
    return this.#kept.filter((kept) => kept.seq > seq && isFor(kept.audience, listener));
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether anyone gets it now. */
  isFollowed(what: Followed): boolean {
    return [...this.#listeners].some(({ follows }) => follows.has(what));
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#characters += kept.text.length;
    this.#trim();
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
    this.#forgotten = this.#kept[dropped - 1]?.seq ?? this.#forgotten;
    this.#kept.splice(0, dropped);
  }
}

function isFor(
  { person, followed }: Audience,
  { viewer, follows }: Pick<Listener, "viewer" | "follows">,
): boolean {
  if (followed !== undefined && !follows.has(followed)) return false;
  return viewer.role === "owner" || (person !== undefined && person === viewer.person);
}
