// A session as it stands in memory after the lines of its file were read in order. Knows nothing of the file itself.
import { isUtf8 } from "node:buffer";
import { toLocalIso } from "../lib/clock.ts";
import { type MetadataLine, parseLine } from "./line.ts";
import type { SessionMetadata, StoredFields, StoredMessage } from "./message.ts";

/** `damaged`: taken, but not all of its bytes are what was once written. */
export type Acceptance = "taken" | "damaged" | "refused";

export class Transcript {
  #messages: StoredMessage[] = [];
  #ids = new Set<string>();
  #startedAt: string;
  #line: MetadataLine | undefined;

  /** `startedAt` is when it began if no line says so. */
  constructor(startedAt: string) {
    this.#startedAt = startedAt;
  }

  /** Everything that was accepted is void. */
  reset(startedAt: string): void {
    this.#startedAt = startedAt;
    this.#messages = [];
    this.#ids = new Set();
    this.#line = undefined;
  }

  /** All of the file, in order. Grows with each append. */
  get messages(): readonly StoredMessage[] {
    return this.#messages;
  }

  get metadata(): Readonly<SessionMetadata> {
    return this.#line?.metadata ?? {};
  }

  get hasMetadata(): boolean {
    return this.#line !== undefined;
  }

  /** The key that the file itself names, if it names one. */
  get storedKey(): string | undefined {
    return this.#line?.key;
  }

  /** A cursor beyond the end would hide everything: it counts as none. */
  get lastConsolidated(): number {
    const position = this.#line?.lastConsolidated ?? 0;
    return position <= this.#messages.length ? position : 0;
  }

  get createdAt(): string {
    return this.#line?.createdAt ?? this.#messages[0]?.timestamp ?? this.#startedAt;
  }

  get updatedAt(): string {
    const spoken = this.#messages.at(-1)?.timestamp ?? this.createdAt;
    const noted = this.#line?.updatedAt ?? spoken;
    return noted > spoken ? noted : spoken;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  accept(bytes: Buffer): Acceptance {
    const text = bytes.toString("utf8");
    if (text.trim() === "") return "taken";
    const line = parseLine(text);
    if (line === undefined) return "refused";
    if (line.type === "metadata") this.#line = line;
    else if (line.type === "message") this.#addMessage(line.fields);
    return isUtf8(bytes) && !bytes.includes(0) ? "taken" : "damaged";
  }

  #addMessage(fields: Record<string, unknown>): void {
    const previous = this.#messages.at(-1);
    const place = placeOf(fields, this.#messages.length, previous);
    this.#messages.push(Object.assign(fields, place) as unknown as StoredMessage);
    this.#ids.add(place.id);
  }
}

/** Where a line does not say it: derived from its position and its neighbours, so that each reading gives the same. */
export function placeOf(
  { id: givenId, turn: givenTurn, at: givenAt, timestamp: givenTimestamp, role }: Record<string, unknown>,
  position: number,
  previous: Pick<StoredMessage, "turn" | "at"> | undefined,
): StoredFields {
  const id = toWord(givenId) ?? `message-${position}`;
  const turn = toWord(givenTurn) ?? (role === "user" ? id : (previous?.turn ?? id));
  const at = toMoment(givenAt) ?? toMoment(Date.parse(String(givenTimestamp))) ?? previous?.at ?? 0;
  return { id, turn, at, timestamp: toWord(givenTimestamp) ?? toLocalIso(at) };
}

function toWord(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Within what a Date can hold. */
function toMoment(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 - 864e5 ? value : undefined;
}
