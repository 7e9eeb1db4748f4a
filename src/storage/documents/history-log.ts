// memory/history.jsonl: the append-only archive of summaries, one entry a line, each with a cursor that only grows.
// The caller holds the home lock when it appends; within this process appends to one file wait for one another.
import { type FileHandle, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, toLocalIso } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { kindOf } from "../../lib/labels.ts";
import { isBlank, takeHead, toWellFormed } from "../../lib/text.ts";
import { stripThinking } from "../../llm/wire/think-tags.ts";
import { appendToFile, makeFolder, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { scanLines } from "../files/scan-lines.ts";
import { failedWriting } from "../files/stored-file-error.ts";
import { readTail, withFile } from "../files/with-file.ts";

export interface HistoryEntry {
  cursor: number;
  /** `2026-08-01 10:00`, local. */
  timestamp: string;
  content: string;
  session_key?: string;
  /** Id of the last message that the entry covers: found after a crash, it is adopted instead of written again. */
  through?: string;
  /** Sources of untrusted content in what it covers. */
  labels?: string[];
}

/** Represents a summary of content from outside where nobody has asked for it: a new conversation begins without any. */
export function describeHeldBack(labels: readonly string[]): string {
  const kinds = [...new Set(labels.map(kindOf))].join(", ");
  return `(A conversation with content from outside: ${kinds}. memory_search finds what was said.)`;
}

/** `timestamp`: default now. */
export type NewHistoryEntry = Omit<HistoryEntry, "cursor" | "timestamp"> & { timestamp?: string };

export const longestEntry = 64_000;
const mostKept = 1_000;
const longestLine = 1024 * 1024;
const tailBytes = 256 * 1024;
const lock = new KeyedLock();

export class HistoryLog {
  readonly path: string;
  readonly #folder: string;
  readonly #clock: Clock;

  /** `root` is the person's folder: the workspace, or a guest's or group's folder in it. */
  constructor(root: string, clock: Clock) {
    this.#folder = join(root, "memory");
    this.path = join(this.#folder, "history.jsonl");
    this.#clock = clock;
  }

  /** Undefined when nothing is left to store once thoughts are stripped. */
  async append({ content, ...facts }: NewHistoryEntry): Promise<HistoryEntry | undefined> {
    const text = takeHead(toWellFormed(stripThinking(content).text), longestEntry);
    if (isBlank(text)) return undefined;
    return lock.run(this.path, async () => {
      const { cursor: last, endsWithNewline } = await this.#readEnd();
      const timestamp = toTimestamp(this.#clock.now());
      const entry: HistoryEntry = { cursor: last + 1, timestamp, content: text, ...facts };
      await this.#write(entry, endsWithNewline);
      await writeFileAtomic(join(this.#folder, ".cursor"), String(entry.cursor));
      return entry;
    });
  }

  /** Lines without a cursor that hold `mark` and that `read` knows become entries in their place. Returns how many. */
  async adopt(mark: string, read: (line: string) => NewHistoryEntry | undefined): Promise<number> {
    return lock.run(this.path, async () => {
      const text = await readFile(this.path, "utf8").catch(ignoreMissing);
      if (text?.includes(mark) !== true) return 0;
      const lines = text.split("\n");
      const isForeign = (line: string) => line.includes(mark) && parseEntry(line) === undefined;
      const known = lines.map((line) => (isForeign(line) ? read(line) : undefined));
      if (known.every((entry) => entry === undefined)) return 0;
      let { cursor } = await this.#readEnd();
      cursor = Math.max(cursor, ...lines.map((line) => parseEntry(line)?.cursor ?? 0));
      const timestamp = toTimestamp((await stat(this.path)).mtimeMs);
      const next = lines.map((line, index) => {
        const entry = known[index];
        return entry === undefined ? line : JSON.stringify({ cursor: ++cursor, timestamp, ...entry });
      });
      await writeFileAtomic(this.path, next.join("\n"));
      await writeFileAtomic(join(this.#folder, ".cursor"), String(cursor));
      return known.filter((entry) => entry !== undefined).length;
    });
  }

  /** From now on these are passed over, and with the next compaction they are gone. */
  async forget(cursors: readonly number[]): Promise<void> {
    if (cursors.length === 0) return;
    await lock.run(this.path, async () => {
      const { endsWithNewline } = await this.#readEnd();
      await this.#write({ forgotten: cursors }, endsWithNewline);
    });
  }

  /** Takes these out of the file; everything else in it stays byte for byte. */
  async remove(cursors: readonly number[]): Promise<void> {
    const gone = new Set(cursors);
    await lock.run(this.path, async () => {
      const lines = (await readFile(this.path)).toString("latin1").split("\n");
      const isKept = (line: string) => {
        const cursor = parseEntry(Buffer.from(line, "latin1").toString("utf8"))?.cursor;
        return cursor === undefined || !gone.has(cursor);
      };
      await writeFileAtomic(this.path, Buffer.from(lines.filter(isKept).join("\n"), "latin1"));
    });
  }

  /** Entries beyond a cursor, oldest first. Torn, foreign and forgotten ones are passed over. */
  async read({ after = 0, most = Number.POSITIVE_INFINITY } = {}): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    const forgotten = new Set<number>();
    const scan = (file: FileHandle) =>
      scanLines(file, { limit: longestLine }, ({ bytes }) => {
        const text = bytes?.toString("utf8") ?? "";
        const entry = parseEntry(text);
        if (entry !== undefined && entry.cursor > after) entries.push(entry);
        for (const cursor of parseForgotten(text)) forgotten.add(cursor);
      });
    await withFile(this.path, "r", scan).catch(ignoreMissing);
    return entries.filter(({ cursor }) => !forgotten.has(cursor)).slice(0, most);
  }

  /** The newest entry of a session that covers one of these messages. */
  async findLast(
    sessionKey: string,
    isIts: (messageId: string) => boolean,
  ): Promise<HistoryEntry | undefined> {
    const { lines } = await this.#readTail();
    const named = JSON.stringify(sessionKey);
    return lines
      .filter((line) => line.includes(named))
      .map(parseEntry)
      .findLast((entry) => entry?.session_key === sessionKey && isIts(entry.through ?? ""));
  }

  async readDreamCursor(): Promise<number> {
    // One beyond the last entry is damaged: what is still to come must not count as read.
    const [cursor, end] = [await this.#readNumber(".dream_cursor"), await this.#readEnd()];
    return Math.min(cursor, end.cursor);
  }

  async writeDreamCursor(cursor: number): Promise<void> {
    await writeFileAtomic(join(this.#folder, ".dream_cursor"), String(cursor));
  }

  /** Keeps the newest thousand, everything that Dream has not read, and lines that are not entries byte for byte. */
  async compact(): Promise<void> {
    const read = await this.readDreamCursor();
    await lock.run(this.path, async () => {
      const lines = splitLines((await readFile(this.path).catch(ignoreMissing)) ?? Buffer.alloc(0));
      const forgotten = new Set(lines.flatMap(({ forgets }) => forgets));
      const entries = lines.filter(({ cursor }) => cursor !== undefined && !forgotten.has(cursor));
      const newest = new Set(entries.slice(-mostKept));
      const kept = entries.filter((line) => newest.has(line) || (line.cursor ?? 0) > read);
      if (kept.length === entries.length) return;
      const left = new Set(kept);
      const isForeign = ({ cursor, forgets }: HistoryLine) => cursor === undefined && forgets.length === 0;
      const stays = lines.filter((line) => left.has(line) || isForeign(line));
      await writeFileAtomic(this.path, Buffer.concat(stays.map(({ bytes }) => bytes)));
    });
  }

  async #write(record: object, endsWithNewline: boolean): Promise<void> {
    await makeFolder(this.#folder);
    const text = `${endsWithNewline ? "" : "\n"}${JSON.stringify(record)}\n`;
    await appendToFile(this.path, text, { sync: true }).catch(failedWriting(this.path));
  }

  /** The last cursor that was given out, also when its own file is lost or behind. */
  async #readEnd(): Promise<{ cursor: number; endsWithNewline: boolean }> {
    const { lines, endsWithNewline } = await this.#readTail();
    const cursors = lines.map((line) => parseEntry(line)?.cursor ?? 0);
    return { cursor: Math.max(await this.#readNumber(".cursor"), ...cursors, 0), endsWithNewline };
  }

  async #readTail(): Promise<{ lines: string[]; endsWithNewline: boolean }> {
    const text = (await readTail(this.path, tailBytes).catch(ignoreMissing)) ?? "";
    return { lines: text.split("\n"), endsWithNewline: text === "" || text.endsWith("\n") };
  }

  async #readNumber(name: string): Promise<number> {
    const text = await readFile(join(this.#folder, name), "utf8").catch(ignoreMissing);
    return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0;
  }
}

function toTimestamp(ms: number): string {
  return toLocalIso(ms).slice(0, 16).replace("T", " ");
}

interface HistoryLine {
  /** With its newline. */
  bytes: Buffer;
  /** Of an entry. */
  cursor: number | undefined;
  forgets: number[];
}

function splitLines(bytes: Buffer): HistoryLine[] {
  const lines: HistoryLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf("\n", start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = newline === -1 ? [bytes.subarray(start), Buffer.from("\n")] : [bytes.subarray(start, end)];
    const text = end - start > longestLine ? "" : bytes.toString("utf8", start, end);
    lines.push({
      bytes: Buffer.concat(line),
      cursor: parseEntry(text)?.cursor,
      forgets: parseForgotten(text),
    });
    start = end;
  }
  return lines;
}

/** The entries among some lines, as `read` gives them. */
export function parseEntries(lines: readonly string[]): HistoryEntry[] {
  const forgotten = new Set(lines.flatMap(parseForgotten));
  return lines.flatMap((line) => parseEntry(line) ?? []).filter(({ cursor }) => !forgotten.has(cursor));
}

/** Cursors of the entries that a line marks as forgotten. */
export function parseForgotten(line: string): number[] {
  if (!line.startsWith('{"forgotten":')) return [];
  const { forgotten } = (parseJson(line) ?? {}) as { forgotten?: unknown };
  return Array.isArray(forgotten) ? forgotten.filter(Number.isSafeInteger) : [];
}

/** Cursors that are no positive integers, and lines that are no entries, count for nothing. */
export function parseEntry(line: string): HistoryEntry | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  const { cursor, content, timestamp } = value;
  const isCursor = typeof cursor === "number" && Number.isSafeInteger(cursor) && cursor > 0;
  if (!isCursor || typeof content !== "string") return undefined;
  return { ...value, cursor, content, timestamp: typeof timestamp === "string" ? timestamp : "" };
}
