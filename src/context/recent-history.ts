// The layer of recent history: summaries that Dream has not processed yet, newest last, bounded.
import { constants, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { joinLabels, kindOf, labelsOf, withLabels } from "../lib/labels.ts";
import { toOneLine } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { describeHeldBack, parseForgotten } from "../memory/history-log.ts";
import type { Layer } from "./layer.ts";
import type { PromptFiles } from "./prompt-files.ts";

const mostEntries = 50;
const mostTokens = 2_000;
const mostBytes = 128 * 1024;
const longestLine = 300;

interface Entry {
  cursor: number;
  timestamp: string;
  content: string;
  labels: string[];
}

export function createRecentHistoryLayer(files: PromptFiles): Layer {
  let cached: { stamp: string; entries: Entry[] } | undefined;

  async function readEntries(path: string): Promise<Entry[]> {
    const status = lookAt(path);
    if (status?.isFile() !== true) return [];
    const stamp = `${path} ${status.ino} ${status.size} ${status.ctimeMs}`;
    if (cached?.stamp !== stamp) cached = { stamp, entries: parseEntries(await readEnd(path, status.size)) };
    return cached.entries;
  }

  return {
    name: "history",
    async render({ personRoot }) {
      const cursor = await files.read(personRoot, "memory/.dream_cursor");
      const processed = Number.parseInt(cursor?.text ?? "0", 10) || 0;
      const entries = await readEntries(join(personRoot, "memory/history.jsonl"));
      const { lines, labels } = takeNewest(entries.filter((entry) => entry.cursor > processed));
      if (lines.length === 0) return undefined;
      return {
        name: "history",
        source: "memory/history.jsonl",
        text: `# Recent History\n\n${lines.join("\n")}`,
        ...withLabels(labels),
      };
    },
  };
}

function takeNewest(entries: Entry[]): { lines: string[]; labels: string[] } {
  const lines: string[] = [];
  const shown: string[] = [];
  let tokens = 0;
  for (const { timestamp, content, labels } of entries.slice(-mostEntries).reverse()) {
    const isHeldBack = hasOutside(labels);
    const line = `- [${timestamp}] ${isHeldBack ? describeHeldBack(labels) : toOneLine(content, longestLine)}`;
    tokens += estimateTokens(line);
    if (tokens > mostTokens) break;
    lines.unshift(line);
    if (!isHeldBack) shown.push(...labels);
  }
  return { lines, labels: joinLabels(shown) };
}

/** In a group the guests' words are its history; everything else from outside has to be looked for. */
function hasOutside(labels: string[]): boolean {
  return labels.some((label) => kindOf(label) !== "guest");
}

/** The first line may be cut in half; torn, foreign and forgotten lines are passed over. */
function parseEntries(text: string): Entry[] {
  const lines = text.split("\n");
  const forgotten = new Set(lines.flatMap(parseForgotten));
  const entries = lines.flatMap((line) => {
    try {
      const entry = (JSON.parse(line) ?? {}) as Partial<Entry>;
      const { cursor, timestamp, content } = entry;
      if (cursor === undefined || !Number.isInteger(cursor) || typeof content !== "string") return [];
      const labels = labelsOf(entry);
      return [{ cursor, content, timestamp: typeof timestamp === "string" ? timestamp : "", labels }];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
  return entries.filter(({ cursor }) => !forgotten.has(cursor));
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

async function readEnd(path: string, size: number): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const length = Math.min(size, mostBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
