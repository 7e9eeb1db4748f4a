// Where the lines of memory came from, in memory/.provenance.jsonl beside the files, so that they stay pleasant to read.
// Lines are only appended; once there are many, those about text that stands nowhere any more are left out.
import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { isRecord } from "../lib/is-record.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { readPlainFile } from "../lib/plain-file.ts";

export interface ProvenanceRecord {
  /** Relative to the person's root. */
  file: string;
  /** The line as it stands in the file, trimmed. */
  line: string;
  at: number;
  /** Entries of the history that it was drawn from. */
  cursors?: number[];
  sessionKey?: string;
  turn?: string;
  labels?: string[];
}

const compactAbove = 512 * 1024;
const largest = 16 * 1024 * 1024;
const mostOfOneLine = 8;
const lock = new KeyedLock();

export class Provenance {
  readonly #root: string;
  readonly #path: string;

  /** `root` is the person's folder: the workspace, or a guest's or group's folder in it. */
  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, "memory", ".provenance.jsonl");
  }

  async record(records: ProvenanceRecord[]): Promise<void> {
    if (records.length === 0) return;
    const text = records
      .map((record) => `${JSON.stringify({ ...record, line: record.line.trim() })}\n`)
      .join("");
    await lock.run(this.#path, async () => {
      const size = await this.#append(text);
      if (size > compactAbove) await this.#compact();
    });
  }

  /** The line itself before lines that hold it, before lines that hold all of its words; newer before older. */
  async find(text: string): Promise<ProvenanceRecord[]> {
    const wanted = fold(text);
    if (wanted === "") return [];
    const words = wanted.split(" ");
    const rank = (line: string): number => {
      if (line === wanted) return 3;
      if (line.includes(wanted)) return 2;
      return words.every((word) => line.includes(word)) ? 1 : 0;
    };
    const ranked = (await this.#read()).map((record) => ({ record, rank: rank(fold(record.line)) }));
    return ranked
      .filter((one) => one.rank > 0)
      .sort((a, b) => b.rank - a.rank || b.record.at - a.record.at)
      .map(({ record }) => record);
  }

  /** When each of the lines was last written or confirmed; those of unknown origin are missing. */
  async ageOf(file: string, lines: readonly string[]): Promise<Map<string, number>> {
    const known = new Map<string, number>();
    for (const { file: of, line, at } of await this.#read()) {
      if (of === file) known.set(line, Math.max(at, known.get(line) ?? 0));
    }
    return new Map(
      lines.flatMap((line) => {
        const at = known.get(line.trim());
        return at === undefined ? [] : [[line, at] as const];
      }),
    );
  }

  async #read(): Promise<ProvenanceRecord[]> {
    const text = (await readPlainFile(this.#path, largest)) ?? "";
    return text.split("\n").flatMap((line) => parseRecord(line) ?? []);
  }

  /** Returns the size of the file. */
  async #append(text: string): Promise<number> {
    await mkdir(join(this.#root, "memory"), { recursive: true });
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const file = await open(this.#path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(1), { position: Math.max(0, size - 1) });
      // A crash may have left half a line: the next one must not be lost with it.
      await file.writeFile(size > 0 && buffer.toString() !== "\n" ? `\n${text}` : text);
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async #compact(): Promise<void> {
    const records = await this.#read();
    const standing = new Map<string, Set<string>>();
    for (const file of new Set(records.map((record) => record.file))) {
      const text = (await readPlainFile(join(this.#root, file), largest)) ?? "";
      standing.set(file, new Set(text.split("\n").map((line) => line.trim())));
    }
    const counts = new Map<string, number>();
    const kept = records.toReversed().filter(({ file, line }) => {
      const key = `${file}\n${line}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return standing.get(file)?.has(line) === true && (counts.get(key) ?? 0) <= mostOfOneLine;
    });
    await writeFileAtomic(
      this.#path,
      kept
        .reverse()
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    );
  }
}

/** As people repeat a line: without its mark, in any case and spacing. */
function fold(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)]|#+)\s+/, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

function parseRecord(line: string): ProvenanceRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || typeof value.file !== "string" || typeof value.line !== "string")
      return undefined;
    const { file, line: text, at, cursors, sessionKey, turn, labels } = value;
    return {
      file,
      line: text,
      at: typeof at === "number" ? at : 0,
      ...(Array.isArray(cursors) && { cursors: cursors.filter(Number.isSafeInteger) }),
      ...(typeof sessionKey === "string" && { sessionKey }),
      ...(typeof turn === "string" && { turn }),
      ...(Array.isArray(labels) && { labels: labels.map(String) }),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
