// The layer of recent history: summaries that Dream has not processed yet, newest last, bounded.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { toOneLine } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
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
}

export function createRecentHistoryLayer(files: PromptFiles): Layer {
  let cached: { stamp: string; entries: Entry[] } | undefined;

  async function readEntries(path: string): Promise<Entry[]> {
    const handle = await open(path).catch(ignoreMissing);
    if (handle === undefined) return [];
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      const stamp = `${path} ${ino} ${size} ${mtimeMs}`;
      if (cached?.stamp !== stamp) {
        const start = Math.max(0, size - mostBytes);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, mostBytes)), {
          position: start,
        });
        cached = { stamp, entries: parseEntries(buffer.toString("utf8", 0, bytesRead)) };
      }
      return cached.entries;
    } finally {
      await handle.close();
    }
  }

  return {
    name: "history",
    async render({ personRoot }) {
      const cursor = await files.read(personRoot, "memory/.dream_cursor");
      const processed = Number.parseInt(cursor?.text ?? "0", 10) || 0;
      const entries = await readEntries(join(personRoot, "memory/history.jsonl"));
      const lines = takeNewest(entries.filter((entry) => entry.cursor > processed));
      if (lines.length === 0) return undefined;
      return {
        name: "history",
        source: "memory/history.jsonl",
        text: `# Recent History\n\n${lines.join("\n")}`,
      };
    },
  };
}

function takeNewest(entries: Entry[]): string[] {
  const lines: string[] = [];
  let tokens = 0;
  for (const { timestamp, content } of entries.slice(-mostEntries).reverse()) {
    const line = `- [${timestamp}] ${toOneLine(content, longestLine)}`;
    tokens += estimateTokens(line);
    if (tokens > mostTokens) break;
    lines.unshift(line);
  }
  return lines;
}

/** The first line may be cut in half; torn and foreign lines are passed over. */
function parseEntries(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const { cursor, timestamp, content } = (JSON.parse(line) ?? {}) as Partial<Entry>;
      if (cursor === undefined || !Number.isInteger(cursor) || typeof content !== "string") return [];
      return [{ cursor, content, timestamp: typeof timestamp === "string" ? timestamp : "" }];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EISDIR") return undefined;
  throw error;
}
