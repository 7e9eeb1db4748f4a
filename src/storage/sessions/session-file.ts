// The bytes of one session file: read on from where reading stopped, appended to in one write, repaired only at its
// tail. Knows lines, not what they mean. The caller holds the home lock when it appends.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  writeSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import { moveFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { StoredFileError, toSessionFileError } from "../files/stored-file-error.ts";
import { syncFolder, withFile } from "../files/with-file.ts";
import { announceChange, durabilityOf } from "../served-homes.ts";
import { type ByteRange, badPathOf, keepBadBytes } from "./bad-bytes.ts";
import type { JsonLine } from "./format/json-line.ts";
import type { Acceptance } from "./transcript.ts";

/** Longer ones are not read: they stay where they are and count as damaged. */
export const longestLine = 32 * 1024 * 1024;

export interface SessionFileOptions {
  path: string;
  log: Log;
  /** Everything that was accepted is void: the file is another one now, and is read from its beginning. */
  onReset(): void;
  onLine(bytes: Buffer, offset: number): Acceptance;
  /** The line is in the file. */
  onWritten(line: JsonLine, offset: number): void;
}

interface Stamp {
  dev: number;
  ino: number;
  size: number;
  mtimeMs: number;
}

interface TornTail extends ByteRange {
  isTooLong: boolean;
}

const fingerprintSize = 32;
const mostAtOnce = 1024 * 1024;
const syncData = promisify(fdatasync);

export class SessionFile {
  readonly #options: SessionFileOptions;
  #path: string;
  readonly #lock = new KeyedLock();
  #descriptor: number | undefined;
  #isNameDurable = false;
  #seen: Stamp | undefined;
  /** Offset after the last line that was read. */
  #end = 0;
  #endsWithNewline = true;
  /** The last bytes before `#end`: if they are others, the file was rewritten in place. */
  #fingerprint = "";
  #torn: TornTail | undefined;
  #damaged: ByteRange[] = [];

  constructor(options: SessionFileOptions) {
    this.#options = options;
    this.#path = options.path;
  }

  get path(): string {
    return this.#path;
  }

  get bytes(): number {
    return this.#seen?.size ?? 0;
  }

  get exists(): boolean {
    return this.#seen !== undefined;
  }

  /** One after the other, also across awaits: reading, appending and renaming must not overlap. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.run("", work);
  }

  /** Reads what was appended by another process since, or the whole file if it was replaced. */
  async refresh(): Promise<void> {
    try {
      const stamp = await this.#stat();
      if (isDeepStrictEqual(stamp, this.#seen)) return;
      // From one handle: another process may give the file another name meanwhile.
      const wasThere =
        stamp && (await withFile(this.#path, "r", (file) => this.#read(file)).catch(ignoreMissing));
      if (wasThere === undefined) this.#reset();
    } catch (error) {
      throw toSessionFileError(error, "read", this.#path);
    }
  }

  /** Lines that were read before, from an offset on, until the callback returns false. To be called after `refresh`. */
  async readAgain(from: number, onLine: (bytes: Buffer) => boolean): Promise<void> {
    try {
      await withFile(this.#path, "r", (file) =>
        scanLines(file, { from, to: this.#end, limit: longestLine }, ({ bytes }) =>
          bytes === undefined ? undefined : onLine(bytes),
        ),
      );
    } catch (error) {
      throw toSessionFileError(error, "read", this.#path);
    }
  }

  /** In one write, unless they are very long. To be called after `refresh`, with nothing in between. */
  async append(lines: JsonLine[], { sync = false }: { sync?: boolean } = {}): Promise<void> {
    try {
      await this.#repairTail();
      const descriptor = this.#open();
      const written = this.#writeLines(descriptor, lines);
      this.#noteAppended(written, toStamp(fstatSync(descriptor)));
      let offset = this.#end - lines.reduce((sum, { bytes }) => sum + bytes + 1, 0);
      for (const line of lines) {
        this.#options.onWritten(line, offset);
        offset += line.bytes + 1;
      }
      if (sync) await this.sync();
    } catch (error) {
      throw toSessionFileError(error, "write", this.#path);
    } finally {
      this.#close();
    }
  }

  /** What was appended so far survives a loss of power. */
  async sync(): Promise<void> {
    if (!this.exists) return;
    await syncData(this.#open());
    if (!this.#isNameDurable) await syncFolder(dirname(this.#path));
    this.#isNameDurable = true;
    this.#close();
    await durabilityOf(this.#path).commit();
  }

  /** The object stays with its file: what is still appended lands under the new name. */
  async moveTo(path: string): Promise<void> {
    try {
      this.#close();
      const before = this.#path;
      await moveFile(before, path);
      this.#path = path;
      await moveFile(badPathOf(before), badPathOf(path)).catch(ignoreMissing);
      await syncFolder(dirname(path));
      await durabilityOf(path).commit();
    } catch (error) {
      throw toSessionFileError(error, "write", this.#path);
    }
  }

  async #stat(): Promise<Stamp | undefined> {
    // A link is not followed: what it leads to is not ours to read or to append to.
    // Synchronous, like the write: a trip through the thread pool takes ten times as long as the call itself.
    const status = lstatSync(this.#path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (status.isFile()) return toStamp(status);
    const facts = { content: "session", action: "read", path: this.#path, code: "EISDIR" } as const;
    throw new StoredFileError(facts);
  }

  async #read(file: FileHandle): Promise<true> {
    const stamp = toStamp(await file.stat());
    if (!(await this.#continues(file, stamp))) this.#reset();
    await this.#readOn(file, stamp);
    return true;
  }

  /** Whether the file that was read is still the beginning of this one. */
  async #continues(file: FileHandle, stamp: Stamp): Promise<boolean> {
    const seen = this.#seen;
    if (seen === undefined || seen.ino !== stamp.ino || seen.dev !== stamp.dev) return false;
    if (stamp.size <= seen.size) return false;
    return (await this.#readFingerprint(file)) === this.#fingerprint;
  }

  #reset(): void {
    this.#close();
    this.#seen = undefined;
    this.#end = 0;
    this.#endsWithNewline = true;
    this.#fingerprint = "";
    this.#torn = undefined;
    this.#damaged = [];
    this.#options.onReset();
  }

  async #readOn(file: FileHandle, stamp: Stamp): Promise<void> {
    this.#torn = undefined;
    const stretch = { from: this.#end, to: stamp.size, limit: longestLine };
    await scanLines(file, stretch, (line) => {
      this.#take(line);
    });
    this.#fingerprint = await this.#readFingerprint(file);
    this.#seen = stamp;
    this.#reportDamage();
  }

  #take({ start, end, bytes, isTerminated }: Line): void {
    const acceptance = bytes === undefined ? "refused" : this.#options.onLine(bytes, start);
    if (acceptance === "refused" && !isTerminated) {
      this.#torn = { start, end, isTooLong: bytes === undefined };
      return;
    }
    if (bytes === undefined)
      this.#options.log.warn("session-line-too-long", { path: this.#path, start, end });
    else if (acceptance !== "taken") this.#noteDamage(start, end);
    this.#end = end;
    this.#endsWithNewline = isTerminated;
  }

  #noteDamage(start: number, end: number): void {
    const last = this.#damaged.at(-1);
    if (last?.end === start) last.end = end;
    else this.#damaged.push({ start, end });
  }

  #reportDamage(): void {
    const ranges = [...this.#damaged, ...(this.#torn === undefined ? [] : [this.#torn])];
    if (ranges.length === 0) return;
    const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#options.log.warn("session-damaged", { path: this.#path, places: ranges.length, bytes });
  }

  /** The middle stays as it is, so that positions hold; a torn tail is cut once its bytes are safe. */
  async #repairTail(): Promise<void> {
    const torn = this.#torn;
    const leaving = torn === undefined || torn.isTooLong ? undefined : torn;
    if (this.#damaged.length === 0 && torn === undefined) return;
    await keepBadBytes({ path: this.#path, staying: this.#damaged, leaving });
    announceChange(badPathOf(this.#path));
    this.#damaged = [];
    if (leaving !== undefined) {
      ftruncateSync(this.#open(), leaving.start);
      announceChange(this.#path);
      this.#torn = undefined;
    } else if (torn !== undefined) {
      this.#endsWithNewline = false;
    }
  }

  #writeLines(descriptor: number, lines: readonly JsonLine[]): Written {
    try {
      return writeLines(descriptor, lines, this.#endsWithNewline);
    } finally {
      // Also of a part, which a full disk took.
      announceChange(this.#path);
    }
  }

  #open(): number {
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    this.#descriptor ??= openSync(this.#path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    return this.#descriptor;
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  async #readFingerprint(file: FileHandle): Promise<string> {
    const start = Math.max(0, this.#end - fingerprintSize);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(fingerprintSize), 0, this.#end - start, start);
    return toFingerprint(buffer.subarray(0, bytesRead));
  }

  #noteAppended({ length, last }: Written, stamp: Stamp): void {
    this.#end = (this.#torn?.end ?? this.#end) + length;
    this.#torn = undefined;
    this.#endsWithNewline = true;
    this.#fingerprint = last;
    // Another size means another writer: all is read again rather than trusted.
    this.#seen = stamp.size === this.#end ? stamp : { ...stamp, ino: -1 };
  }
}

interface Written {
  length: number;
  /** The fingerprint of its end. */
  last: string;
}

function writeLines(descriptor: number, lines: readonly JsonLine[], endsWithNewline: boolean): Written {
  const length = lines.reduce((sum, { bytes }) => sum + bytes + 1, endsWithNewline ? 0 : 1);
  const buffer = Buffer.allocUnsafe(Math.min(length, mostAtOnce));
  let filled = 0;
  let last = "";
  const write = () => {
    const data = buffer.subarray(0, filled);
    writeWhole(descriptor, data);
    last = (last + toFingerprint(data)).slice(-fingerprintSize);
    filled = 0;
  };
  for (const piece of joinLines(lines, endsWithNewline)) {
    if (filled + Buffer.byteLength(piece) > buffer.length) write();
    filled += buffer.write(piece, filled);
  }
  write();
  return { length, last };
}

function* joinLines(lines: readonly JsonLine[], endsWithNewline: boolean): Generator<string> {
  if (!endsWithNewline) yield "\n";
  for (const line of lines) {
    yield* line.pieces();
    yield "\n";
  }
}

/** As text: a few bytes of a buffer would keep the whole of it in memory. */
function toFingerprint(data: Buffer): string {
  return data.subarray(-fingerprintSize).toString("latin1");
}

/** A full disk takes a part and says so only when asked for the rest. */
function writeWhole(descriptor: number, data: Buffer): void {
  for (let written = 0; written < data.length; ) written += writeSync(descriptor, data, written);
}

function toStamp({ dev, ino, size, mtimeMs }: Stamp): Stamp {
  return { dev, ino, size, mtimeMs };
}
