// MemoryStore: the files of one person's memory, and nothing but files.
import { dirname, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import { appendToFile, makeFolder } from "../files/change-files.ts";
import { failedWriting } from "../files/stored-file-error.ts";
import { describeHeldBack, type HistoryEntry, HistoryLog } from "./history-log.ts";

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
  async addNote(entry: NotedEntry): Promise<void> {
    const { clock, toDay } = this.#options;
    const path = join(this.root, "memory", `${toDay(clock.now())}.md`);
    await makeFolder(dirname(path));
    await appendToFile(path, `${toNoteLine(entry)}\n`, { mode: 0o666 }).catch(failedWriting(path));
  }
}

type NotedEntry = Pick<HistoryEntry, "content" | "labels"> & { session_key: string };

/** What stands in a daily note of an entry of the history: content from outside is not shown unasked. */
export function toNoteLine({ session_key, content, labels = [] }: NotedEntry): string {
  const noted = labels.length === 0 ? toOneLine(content, 160) : describeHeldBack(labels);
  return `- ${toOneLine(`${session_key}: ${noted}`, longestNoteLine)}`;
}
