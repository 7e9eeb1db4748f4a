// One conversation: everything said in it, in order, and its metadata. Only ever appended to; a change of metadata is
// one more line, of which the last counts.
import { type Clock, toLocalIso } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { formatMessage, formatMetadata } from "./line.ts";
import type { NewEntry, SessionMetadata } from "./message.ts";
import { longestLine, SessionFile } from "./session-file.ts";
import { Transcript } from "./transcript.ts";
import { createUnkeptLines, type SessionLines } from "./unkept-lines.ts";

export interface SessionOptions {
  key: string;
  /** Absent: it is not kept. */
  path?: string;
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

export class Session extends Transcript {
  readonly key: string;
  readonly #clock: Clock;
  readonly #file: SessionLines;

  constructor({ key, path, clock, log }: SessionOptions) {
    super(toLocalIso(clock.now()));
    this.key = key;
    this.#clock = clock;
    const onLine = (bytes: Buffer) => this.accept(bytes);
    const onReset = () => this.reset(toLocalIso(clock.now()));
    this.#file =
      path === undefined ? createUnkeptLines(onLine) : new SessionFile({ path, log, onReset, onLine });
  }

  /** Where it lies now: a closed session moves with its file. */
  get path(): string {
    return this.#file.path;
  }

  get isKept(): boolean {
    return this.path !== "";
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** All entries in one write. An entry whose id is already there is skipped, so that every append can be repeated. */
  async append(entries: readonly NewEntry[], { sync = false }: WriteOptions = {}): Promise<void> {
    if (entries.length === 0) return;
    await this.#file.exclusively(async () => {
      await this.#file.refresh();
      const fresh = this.#withoutKnown(entries);
      if (fresh.length === 0) return sync ? this.#file.sync() : undefined;
      const at = this.#clock.now();
      const timestamp = toLocalIso(at);
      const head = this.hasMetadata ? [] : [this.#metadataLine(this.metadata, 0)];
      await this.#write([...head, ...fresh.map((entry) => formatMessage(entry, at, timestamp))], { sync });
    });
  }

  /** Adds and replaces keys; one whose value is undefined is removed. */
  updateMetadata(
    patch: SessionMetadata,
    { lastConsolidated, sync = false }: MetadataOptions = {},
  ): Promise<void> {
    return this.#file.exclusively(async () => {
      await this.#file.refresh();
      const position = lastConsolidated ?? this.lastConsolidated;
      if (!Number.isSafeInteger(position) || position < 0 || position > this.messages.length) {
        throw new RangeError(`the session has no position ${position} to be consolidated up to`);
      }
      const metadata = { ...this.metadata, ...patch };
      if (this.hasMetadata && position === this.lastConsolidated) {
        const isSame = JSON.stringify(metadata) === JSON.stringify(this.metadata);
        if (isSame) return sync ? this.#file.sync() : undefined;
      }
      await this.#write([this.#metadataLine(metadata, position)], { sync });
    });
  }

  /** Picks up what another process appended, or what replaced the file. */
  refresh(): Promise<void> {
    return this.#file.exclusively(() => this.#file.refresh());
  }

  /** Gives the file another name; false when there is none. For the store. */
  archive(choosePath: (path: string) => Promise<string>): Promise<boolean> {
    return this.#file.exclusively(async () => {
      await this.#file.refresh();
      if (!this.#file.exists) return false;
      await this.#file.moveTo(await choosePath(this.path));
      return true;
    });
  }

  #withoutKnown(entries: readonly NewEntry[]): NewEntry[] {
    const seen = new Set<string>();
    return entries.filter(({ id }) => {
      if (seen.has(id) || this.has(id)) return false;
      seen.add(id);
      return true;
    });
  }

  async #write(lines: string[], options: WriteOptions): Promise<void> {
    const buffers = lines.map((line) => Buffer.from(line));
    const tooLong = buffers.find(({ length }) => length > longestLine);
    if (tooLong !== undefined) {
      throw new RangeError(`a line of ${tooLong.length} bytes is too long for a session (${longestLine})`);
    }
    await this.#file.append(buffers, options);
  }

  #metadataLine(metadata: SessionMetadata, lastConsolidated: number): string {
    const { key, createdAt } = this;
    const updatedAt = toLocalIso(this.#clock.now());
    return formatMetadata({ key, createdAt, updatedAt, metadata, lastConsolidated });
  }
}
