// MemoryStore: the files of one person's memory, and nothing but files.
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { failedWriting } from "../lib/file-write-error.ts";
import { toOneLine } from "../lib/text.ts";
import { HistoryLog } from "./history-log.ts";

export interface MemoryStoreOptions {
  /** The workspace, or a guest's or group's folder in it. */
  root: string;
  clock: Clock;
  /** The day of a note, in the assistant's time zone. */
  toDay(ms: number): string;
}

const longestNoteLine = 500;

export class MemoryStore {
  readonly root: string;
  readonly history: HistoryLog;
  readonly #options: MemoryStoreOptions;

  constructor(options: MemoryStoreOptions) {
    this.root = options.root;
    this.#options = options;
    this.history = new HistoryLog(options.root, options.clock);
  }

  /** One line in today's note. */
  async addNote(line: string): Promise<void> {
    const { clock, toDay } = this.#options;
    const path = join(this.root, "memory", `${toDay(clock.now())}.md`);
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, `- ${toOneLine(line, longestNoteLine)}\n`).catch(failedWriting(path));
  }
}
