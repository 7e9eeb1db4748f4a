// One conversation: what was said in it, in order, and its metadata. Only ever appended to; a change of metadata is one
// more line, of which the last counts. Older messages are read from the file when they are asked for.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Clock, toLocalIso } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import type { JsonLine } from "./format/json-line.ts";
import { formatMessage, formatMetadata, toStoredEntry } from "./format/line.ts";
import type { NewEntry, StoredMessage } from "./format/message.ts";
import type { MetadataPatch } from "./metadata.ts";
import { longestLine, SessionFile } from "./session-file.ts";
import { parseFileName } from "./session-name.ts";
import { readMessage, Transcript } from "./transcript.ts";

export interface SessionOptions {
  key: string;
  /** Absent: it is not kept. */
  path?: string;
  /** What the paths in it are relative to; absent where it is not kept. */
  home?: string;
  clock: Clock;
  log: Log;
}

export interface WriteOptions {
  /** Return only when it would survive a loss of power. */
  sync?: boolean;
}

export interface MetadataOptions extends WriteOptions {
  /** Number of messages from the start that are consolidated. */
  lastConsolidated?: number;
}

/** With its place in a set. */
const bytesPerId = 100;
/** Messages that are read at once in search of one. */
const pageSize = 512;

export class Session extends Transcript {
  readonly key: string;
  readonly #clock: Clock;
  readonly #file: SessionLines;

  constructor({ key, path, home, clock, log }: SessionOptions) {
    super(toLocalIso(clock.now()), home);
    this.key = key;
    this.#clock = clock;
    const onLine = (bytes: Buffer, offset?: number) => this.accept(bytes, offset);
    const onWritten = (line: JsonLine, offset?: number) => this.acceptOwn(line, offset);
    const onReset = () => this.reset(toLocalIso(clock.now()));
    this.#file =
      path === undefined
        ? createUnkeptLines(onWritten)
        : new SessionFile({ path, log, onReset, onLine, onWritten });
  }

  /** Where it is now: a closed session moves with its file. */
  get path(): string {
    return this.#file.path;
  }

  /** Closed by `/new`: its file has a name with the time. */
  get isClosed(): boolean {
    return parseFileName(basename(this.path))?.isArchived === true;
  }

  get isKept(): boolean {
    return this.path !== "";
  }

  /** Of the file, as far as it is in memory; of each message before that its id is. */
  get heldBytes(): number {
    return this.#file.bytes - this.placeBefore(this.start).offset + bytesPerId * this.start;
  }

  /** Messages by their position, older ones from the file. */
  read(from = 0, to = Number.POSITIVE_INFINITY): Promise<StoredMessage[]> {
    return this.#exclusively(async () => {
      const older = await this.#readOlder(Math.max(0, from), Math.min(to, this.start));
      return older.concat(this.slice(from, Math.min(to, this.count)));
    });
  }

  /** The file as it is; undefined where there is none. */
  readText(): Promise<string | undefined> {
    return readFile(this.path, "utf8").catch(ignoreMissing);
  }

  /** Position of the message with this id; -1 if there is none. */
  async locate(id: string): Promise<number> {
    const index = this.recent.findLastIndex((message) => message.id === id);
    if (index >= 0) return this.start + index;
    for (let from = 0; this.has(id) && from < this.start; from += pageSize) {
      const page = await this.read(from, from + pageSize);
      const found = page.findIndex((message) => message.id === id);
      if (found >= 0) return from + found;
    }
    return -1;
  }

  /** All entries in one write. An entry whose id is already there is skipped, so that every append can be repeated. */
  async append(entries: readonly NewEntry[], { sync = false }: WriteOptions = {}): Promise<void> {
    if (entries.length === 0) return;
    await this.#exclusively(async () => {
      const fresh = this.#withoutKnown(entries);
      if (fresh.length === 0) return sync ? this.#file.sync() : undefined;
      const at = this.#clock.now();
      const timestamp = toLocalIso(at);
      const head = this.hasMetadata ? [] : [this.#metadataLine(this.metadata, 0)];
      const { home } = this;
      const stored = home === undefined ? fresh : fresh.map((entry) => toStoredEntry(home, entry));
      await this.#write([...head, ...stored.map((entry) => formatMessage(entry, at, timestamp))], { sync });
    });
  }

  /** Adds and replaces keys; one whose value is undefined is removed. */
  updateMetadata(
    patch: MetadataPatch,
    { lastConsolidated, sync = false }: MetadataOptions = {},
  ): Promise<void> {
    return this.#exclusively(async () => {
      const position = lastConsolidated ?? this.lastConsolidated;
      if (!Number.isSafeInteger(position) || position < 0 || position > this.count) {
        throw new RangeError(`the session has no position ${position} to be consolidated up to`);
      }
      const metadata = { ...this.metadata, ...patch };
      if (this.hasMetadata && position === this.lastConsolidated) {
        const isSame = JSON.stringify(metadata) === JSON.stringify(this.metadata);
        if (isSame) return sync ? this.#file.sync() : undefined;
      }
      await this.#write([this.#metadataLine(metadata, position)], { sync });
      await this.#takeBackNeeded();
    });
  }

  /** Picks up what another process appended, or what replaced the file. */
  refresh(): Promise<void> {
    return this.#exclusively(async () => {});
  }

  /** Gives the file another name; false when there is none. For the store. */
  archive(choosePath: (path: string) => Promise<string>): Promise<boolean> {
    return this.#exclusively(async () => {
      if (!this.#file.exists) return false;
      await this.#file.moveTo(await choosePath(this.path));
      return true;
    });
  }

  /** One after the other, each with the file as it is now. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#file.exclusively(async () => {
      await this.#file.refresh();
      await this.#takeBackNeeded();
      return work();
    });
  }

  /** After a cursor was set back. */
  async #takeBackNeeded(): Promise<void> {
    if (this.neededFrom < this.start) this.takeBack(await this.#readOlder(this.neededFrom, this.start));
  }

  async #readOlder(from: number, to: number): Promise<StoredMessage[]> {
    const messages: StoredMessage[] = [];
    if (from >= to) return messages;
    let { position, offset, previous } = this.placeBefore(from);
    await this.#file.readAgain(offset, (bytes) => {
      const message = readMessage(bytes, { position, previous }, this.home);
      if (message === undefined) return true;
      if (position >= from) messages.push(this.withoutDeleted(message));
      position += 1;
      previous = message;
      return position < to;
    });
    return messages;
  }

  #withoutKnown(entries: readonly NewEntry[]): NewEntry[] {
    const seen = new Set<string>();
    return entries.filter(({ id }) => {
      if (seen.has(id) || this.has(id)) return false;
      seen.add(id);
      return true;
    });
  }

  async #write(lines: JsonLine[], options: WriteOptions): Promise<void> {
    const tooLong = lines.find(({ bytes }) => bytes > longestLine);
    if (tooLong !== undefined) {
      throw new RangeError(`a line of ${tooLong.bytes} bytes is too long for a session (${longestLine})`);
    }
    await this.#file.append(lines, options);
  }

  #metadataLine(metadata: MetadataPatch, lastConsolidated: number): JsonLine {
    const { key, createdAt } = this;
    const updatedAt = toLocalIso(this.#clock.now());
    return formatMetadata({ key, createdAt, updatedAt, metadata, lastConsolidated });
  }
}

/** In place of a session's file where a conversation is not kept: its lines are read, and no disk ever sees them. */
type SessionLines = Pick<SessionFile, keyof SessionFile>;

function createUnkeptLines(onWritten: (line: JsonLine) => void): SessionLines {
  const nothing = async () => {};
  return {
    path: "",
    bytes: 0,
    exists: false,
    exclusively: (work) => work(),
    refresh: nothing,
    async append(lines) {
      for (const line of lines) onWritten(line);
    },
    readAgain: nothing,
    sync: nothing,
    moveTo: nothing,
  };
}
