// What was typed in the terminal chat, kept across runs. The format is that of the Python original (a comment line
// with the time, then each line of the text behind a plus), so that its history goes on here.
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { neutralise } from "../lib/visible-text.ts";
import { appendToFile, makeFolder, writeFileAtomic } from "./files/change-files.ts";
import type { HomePaths } from "./home.ts";

const mostEntries = 1000;
const largestFile = 1024 * 1024;
const longestEntry = 64 * 1024;

export class TerminalHistory {
  readonly #path: string;
  readonly #clock: Clock;

  constructor({ terminalHistory }: Pick<HomePaths, "terminalHistory">, clock: Clock) {
    this.#path = terminalHistory;
    this.#clock = clock;
  }

  /** Entries, newest first; none where the file cannot be read. One that has grown too large is cut to its newest part. */
  async load(): Promise<string[]> {
    const { text, size } = await this.#readTail();
    const entries = parseEntries(text).slice(-mostEntries);
    if (size > largestFile)
      await writeFileAtomic(this.#path, entries.map((entry) => formatEntry(entry)).join(""));
    return [...new Set(entries.reverse().map(neutralise))];
  }

  /** One write at the end of the file, so that several processes can share it. */
  async append(entry: string): Promise<void> {
    if (entry.trim() === "" || entry.length > longestEntry) return;
    await makeFolder(dirname(this.#path));
    const time = toLocalIso(this.#clock.now()).replace("T", " ");
    await appendToFile(this.#path, formatEntry(entry, time));
  }

  async #readTail(): Promise<{ text: string; size: number }> {
    const file = await open(this.#path, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
    });
    if (file === undefined) return { text: "", size: 0 };
    try {
      const { size } = await file.stat();
      const length = Math.min(size, largestFile / 2);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const text = buffer.toString("utf8", 0, bytesRead);
      // The first entry of a cut-off beginning may be half a one.
      return { text: size > length ? text.slice(text.indexOf("\n#")) : text, size };
    } finally {
      await file.close();
    }
  }
}

function parseEntries(text: string): string[] {
  const entries: string[] = [];
  let lines: string[] = [];
  const close = () => {
    if (lines.length > 0) entries.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("+")) lines.push(line.slice(1));
    else close();
  }
  close();
  return entries;
}

function formatEntry(entry: string, time = ""): string {
  const lines = entry.toWellFormed().split("\n");
  return `\n# ${time}\n${lines.map((line) => `+${line}\n`).join("")}`;
}
