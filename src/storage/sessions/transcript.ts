// A session as it is in memory after the lines of its file were read in order: its metadata, and of its messages those
// that a turn can still need. Older ones stay in the file. Knows nothing of the file itself but offsets.
import { isUtf8 } from "node:buffer";
import { toLocalIso } from "../../lib/clock.ts";
import type { Scope } from "../scope.ts";
import type { JsonLine } from "./format/json-line.ts";
import { type MetadataLine, parseLine, restorePaths, type SessionLine, toLine } from "./format/line.ts";
import type { StoredFields, StoredMessage } from "./format/message.ts";
import type { SessionMetadata } from "./metadata.ts";
import { toOrdinalId } from "./reference.ts";

/** `damaged`: taken, but not all of its bytes are what was once written. */
export type Acceptance = "taken" | "damaged" | "refused";

type Neighbour = Pick<StoredMessage, "turn" | "at">;

/** From where messages can be read again. */
export interface FilePlace {
  /** Of the first message there. */
  position: number;
  /** Of its line. */
  offset: number;
  /** The message before it. */
  previous: Neighbour | undefined;
}

/** Every so many messages the place is noted. */
const placeEvery = 64;

export class Transcript {
  #recent: StoredMessage[] = [];
  #start = 0;
  #first: Pick<StoredMessage, "id" | "timestamp"> | undefined;
  /** None where the lines are in no file: then every message stays. */
  #places: FilePlace[] = [];
  #ids = new Set<string>();
  #startedAt: string;
  /** What stored paths are relative to; undefined where nothing is stored. */
  protected readonly home: string | undefined;
  #line: MetadataLine | undefined;
  #deleted: ReadonlySet<string> = new Set();

  /** `startedAt` is when it began if no line says so. */
  constructor(startedAt: string, home?: string) {
    this.#startedAt = startedAt;
    this.home = home;
  }

  /** Everything that was accepted is void. */
  reset(startedAt: string): void {
    this.#startedAt = startedAt;
    this.#recent = [];
    this.#start = 0;
    this.#first = undefined;
    this.#places = [];
    this.#ids = new Set();
    this.#line = undefined;
    this.#deleted = new Set();
  }

  /** The messages from `start` on: all that are not consolidated, those of the last request, and the last turn. */
  get recent(): readonly StoredMessage[] {
    return this.#recent;
  }

  /** Position in the session of the first of the recent messages. */
  get start(): number {
    return this.#start;
  }

  /** Of all messages, older ones included. */
  get count(): number {
    return this.#start + this.#recent.length;
  }

  /** Recent messages by their position in the session. */
  slice(from: number, to: number = this.count): StoredMessage[] {
    return this.#recent.slice(Math.max(0, from - this.#start), Math.max(0, to - this.#start));
  }

  /** "" while nothing was said. */
  get firstId(): string {
    return this.#first?.id ?? "";
  }

  get metadata(): SessionMetadata {
    return this.#line?.metadata ?? {};
  }

  /** Whose it is; undefined for one that is new, or of the Python original, which does not separate people. */
  get scope(): Scope | undefined {
    return this.metadata.scope;
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
    return position <= this.count ? position : 0;
  }

  get createdAt(): string {
    return this.#line?.createdAt ?? this.#first?.timestamp ?? this.#startedAt;
  }

  get updatedAt(): string {
    const spoken = this.#recent.at(-1)?.timestamp ?? this.createdAt;
    const noted = this.#line?.updatedAt ?? spoken;
    return noted > spoken ? noted : spoken;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** `offset` is that of the line in its file, if it is in one. */
  accept(bytes: Buffer, offset?: number): Acceptance {
    const text = bytes.toString("utf8");
    if (text.trim() === "") return "taken";
    const line = parseLine(text);
    if (line === undefined) return "refused";
    this.#add(line, offset);
    return isUtf8(bytes) && !bytes.includes(0) ? "taken" : "damaged";
  }

  /** What was just written, as reading it would give it. */
  acceptOwn(written: JsonLine, offset?: number): void {
    const line = toLine(written.read());
    if (line !== undefined) this.#add(line, offset);
  }

  #add(line: SessionLine, offset: number | undefined): void {
    if (line.type === "metadata") this.#acceptMetadata(line);
    else if (line.type === "message") this.#addMessage(line.fields, offset);
  }

  /** The nearest noted place at or before a message. */
  protected placeBefore(position: number): FilePlace {
    return this.#places[Math.floor(position / placeEvery)] ?? { position: 0, offset: 0, previous: undefined };
  }

  /** A message as it is read from now on: of a deleted one, only that there was one. */
  protected withoutDeleted(message: StoredMessage): StoredMessage {
    return this.#deleted.has(message.id) ? toDeleted(message) : message;
  }

  /** Position of the first message that a turn can need. */
  protected get neededFrom(): number {
    const { lastConsolidated: consolidated } = this;
    // Of the last request: it is sent again, with more at its end, while the epoch goes on.
    return Math.min(consolidated, this.metadata.epoch?.from ?? consolidated);
  }

  /** Messages that are needed again, up to the one before `start`. */
  protected takeBack(older: readonly StoredMessage[]): void {
    this.#recent = [...older, ...this.#recent];
    this.#start -= older.length;
  }

  #acceptMetadata(line: MetadataLine): void {
    this.#line = line;
    const { deleted = [] } = line.metadata;
    if (deleted.length !== this.#deleted.size) {
      this.#deleted = new Set(deleted);
      this.#recent = this.#recent.map((message) => this.withoutDeleted(message));
    }
    const { neededFrom } = this;
    if (this.#places.length === 0 || neededFrom <= this.#start) return;
    const gone = Math.min(neededFrom - this.#start, this.#findLastTurn());
    this.#recent.splice(0, gone);
    this.#start += gone;
  }

  /** Index of its first message: how it ended is always known. */
  #findLastTurn(): number {
    const turn = this.#recent.at(-1)?.turn;
    return this.#recent.findLastIndex((message) => message.turn !== turn) + 1;
  }

  #addMessage(fields: Record<string, unknown>, offset: number | undefined): void {
    const previous = this.#recent.at(-1);
    if (this.home !== undefined) restorePaths(this.home, fields);
    const message = toStored(fields, this.count, previous);
    if (offset !== undefined && this.count % placeEvery === 0)
      this.#places.push({ position: this.count, offset, previous: previous && pickNeighbour(previous) });
    this.#first ??= { id: message.id, timestamp: message.timestamp };
    this.#recent.push(this.withoutDeleted(message));
    this.#ids.add(message.id);
  }
}

const deletedText = "(deleted by its sender)";

function toDeleted({ id, turn, at, timestamp, role, kind, final }: StoredMessage): StoredMessage {
  const fields = {
    id,
    turn,
    at,
    timestamp,
    kind,
    said: deletedText.length,
    ...(final === true && { final }),
  };
  return { ...fields, role, content: deletedText } as StoredMessage;
}

/** A line that was accepted before, once more; undefined if it is not a message. */
export function readMessage(
  bytes: Buffer,
  { position, previous }: Pick<FilePlace, "position" | "previous">,
  home: string | undefined,
): StoredMessage | undefined {
  const line = parseLine(bytes.toString("utf8"));
  if (line?.type !== "message") return undefined;
  if (home !== undefined) restorePaths(home, line.fields);
  return toStored(line.fields, position, previous);
}

function toStored(
  fields: Record<string, unknown>,
  position: number,
  previous: Neighbour | undefined,
): StoredMessage {
  return Object.assign(fields, placeOf(fields, position, previous)) as unknown as StoredMessage;
}

/** A whole message would stay in memory by it. */
function pickNeighbour({ turn, at }: StoredMessage): Neighbour {
  return { turn, at };
}

/** Where a line does not say it: derived from its position and its neighbours, so that each reading gives the same. */
export function placeOf(
  { id: givenId, turn: givenTurn, at: givenAt, timestamp: givenTimestamp, role }: Record<string, unknown>,
  position: number,
  previous: Neighbour | undefined,
): StoredFields {
  const id = toWord(givenId) ?? toOrdinalId(position);
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
