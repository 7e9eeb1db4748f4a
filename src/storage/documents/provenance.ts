// Where the lines of memory came from, in memory/.provenance.jsonl next to the files, so that they stay pleasant to
// read. Only appended to; once it is large, records of lines that no longer exist are left out.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { makeFolder, writeFileAtomic } from "../files/change-files.ts";
import { announceChange } from "../served-homes.ts";
import { readTrackedText } from "./tracked-file.ts";

export interface ProvenanceRecord {
  /** Relative to the person's root. */
  file: string;
  /** The line as it is in the file, trimmed. */
  line: string;
  at: number;
  /** Entries of the history that it was drawn from. */
  cursors?: number[];
  sessionKey?: string;
  turn?: string;
  labels?: string[];
}

const name = "memory/.provenance.jsonl";
const compactAbove = 512 * 1024;
const mostOfOneLine = 8;
const lock = new KeyedLock();

export class Provenance {
  readonly #root: string;

  /** `root` is the person's folder: the workspace, or a guest's or group's folder in it. */
  constructor(root: string) {
    this.#root = root;
  }

  async record(records: ProvenanceRecord[]): Promise<void> {
    if (records.length === 0) return;
    const text = toLines(records.map((record) => ({ ...record, line: record.line.trim() })));
    const size = await lock.run(this.#root, () => this.#append(text));
    if (size > compactAbove) await this.compact();
  }

  /** The line itself before lines that hold it, before lines that hold all of its words; newer before older. */
  async find(text: string): Promise<ProvenanceRecord[]> {
    const wanted = fold(text);
    const words = wanted.split(" ");
    const rank = (line: string): number => {
      if (line === wanted) return 3;
      if (line.includes(wanted)) return 2;
      return words.every((word) => line.includes(word)) ? 1 : 0;
    };
    if (wanted === "") return [];
    const ranked = (await this.#read()).map((record) => ({ record, rank: rank(fold(record.line)) }));
    const relevant = ranked.filter((one) => one.rank > 0);
    return relevant.sort((a, b) => b.rank - a.rank || b.record.at - a.record.at).map(({ record }) => record);
  }

  /** When each of the lines was last written or confirmed; those of unknown origin are missing. */
  async ageOf(file: string, lines: readonly string[]): Promise<Map<string, number>> {
    const ofFile = (await this.#read()).filter((record) => record.file === file);
    const known = new Map(ofFile.sort((a, b) => a.at - b.at).map(({ line, at }) => [line, at]));
    const aged = lines.map((line) => [line, known.get(line.trim())] as const);
    return new Map(aged.flatMap(([line, at]) => (at === undefined ? [] : [[line, at]])));
  }

  /** Keeps what speaks of lines that are in their files, the newest few of each. */
  compact(): Promise<void> {
    return lock.run(this.#root, async () => {
      const lines = await this.#readLines();
      const records = lines.flatMap(({ record }) => record ?? []);
      const counts = new Map<string, number>();
      for (const file of new Set(records.map((record) => record.file))) {
        const text = await readTrackedText(this.#root, file);
        for (const line of text.split("\n")) counts.set(`${file}\n${line.trim()}`, mostOfOneLine);
      }
      // What is no record of ours stays.
      const kept = lines.toReversed().filter(({ record }) => {
        if (record === undefined) return true;
        const key = `${record.file}\n${record.line}`;
        const left = counts.get(key) ?? 0;
        counts.set(key, left - 1);
        return left > 0;
      });
      if (kept.length === lines.length) return;
      const text = kept.reverse().map((line) => `${line.text}\n`);
      await writeFileAtomic(join(this.#root, name), text.join(""));
    });
  }

  async #read(): Promise<ProvenanceRecord[]> {
    return (await this.#readLines()).flatMap(({ record }) => record ?? []);
  }

  async #readLines(): Promise<Array<{ text: string; record: ProvenanceRecord | undefined }>> {
    const lines = (await readTrackedText(this.#root, name)).split("\n").filter((line) => line !== "");
    return lines.map((text) => ({ text, record: parseRecord(text) }));
  }

  /** Returns the size of the file. */
  async #append(text: string): Promise<number> {
    await makeFolder(join(this.#root, "memory"));
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const file = await open(join(this.#root, name), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(1), { position: Math.max(0, size - 1) });
      // A crash may have left half a line: the next one must not be lost with it.
      await file.writeFile(size > 0 && buffer.toString() !== "\n" ? `\n${text}` : text);
      announceChange(join(this.#root, name));
      return size + text.length;
    } finally {
      await file.close();
    }
  }
}

/** As people repeat a line: without its mark, in any case and spacing. */
function fold(line: string): string {
  const text = line.trim().replace(/^(?:[-*+]|\d+[.)]|#+)\s+/, "");
  return text.replaceAll(/\s+/g, " ").toLowerCase();
}

function toLines(records: ProvenanceRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function parseRecord(text: string): ProvenanceRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.file !== "string" || typeof value.line !== "string")
      return undefined;
    const { file, line, at, cursors, sessionKey, turn, labels } = value;
    const facts = { file, line, at: typeof at === "number" ? at : 0 };
    const isOfTurn = typeof sessionKey === "string" && typeof turn === "string";
    return {
      ...facts,
      ...(Array.isArray(cursors) && { cursors: cursors.filter(Number.isSafeInteger) }),
      ...(isOfTurn && { sessionKey, turn }),
      ...(Array.isArray(labels) && { labels: labels.map(String) }),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
