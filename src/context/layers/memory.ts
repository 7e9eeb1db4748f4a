// The layers of memory: long-term facts from the person's memory/MEMORY.md, and recent history.
import { joinLabels, kindOf, labelsOf, withLabels } from "../../lib/labels.ts";
import { packageRoot } from "../../lib/package-root.ts";
import { toOneLine } from "../../lib/text.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { describeHeldBack, type HistoryEntry, parseEntries } from "../../storage/documents/history-log.ts";
import { readTail } from "../../storage/files/with-file.ts";
import { cutToBudget, type Layer, type PromptFiles, takeFromBudget } from "./layer.ts";

const mostEntries = 50;
const mostTokens = 2_000;
/** Of the window, where that is small. */
const largestShare = 1 / 16;
const mostBytes = 128 * 1024;
const longestLine = 300;

export function createRecentHistoryLayer(files: PromptFiles): Layer {
  return {
    name: "history",
    async render({ personRoot, contextWindow = Number.POSITIVE_INFINITY }) {
      const cursor = await files.read(personRoot, "memory/.dream_cursor");
      const processed = Number.parseInt(cursor?.text ?? "0", 10) || 0;
      const entries = (await files.load(personRoot, "memory/history.jsonl", readNewest)) ?? [];
      const most = Math.min(mostTokens, Math.floor(contextWindow * largestShare));
      const { lines, labels } = takeNewest(
        entries.filter((entry) => entry.cursor > processed),
        most,
      );
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

async function readNewest(path: string): Promise<HistoryEntry[]> {
  return parseEntries((await readTail(path, mostBytes)).split("\n")).slice(-mostEntries);
}

function takeNewest(entries: HistoryEntry[], most: number): { lines: string[]; labels: string[] } {
  const lines: string[] = [];
  const shown: string[] = [];
  let tokens = 0;
  for (const entry of entries.toReversed()) {
    const labels = labelsOf(entry);
    const isHeldBack = hasOutside(labels);
    const text = isHeldBack ? describeHeldBack(labels) : toOneLine(entry.content, longestLine);
    const line = `- [${entry.timestamp}] ${text}`;
    tokens += estimateTokens(line);
    if (tokens > most) break;
    lines.unshift(line);
    if (!isHeldBack) shown.push(...labels);
  }
  return { lines, labels: joinLabels(shown) };
}

/** In a group the guests' words are its history; everything else from outside has to be looked for. */
function hasOutside(labels: string[]): boolean {
  return labels.some((label) => kindOf(label) !== "guest");
}

const name = "memory/MEMORY.md";
const heading = "# Memory\n\n## Long-term Memory\n\n";

export function createMemoryLayer(files: PromptFiles): Layer {
  return {
    name: "memory",
    async render({ personRoot, budget }) {
      const file = await files.read(personRoot, name);
      const template = await files.read(packageRoot, `templates/${name}`);
      if (file === undefined || file.text === "" || file.hash === template?.hash) return undefined;
      const text = heading + cutToBudget(file, takeFromBudget(budget, heading));
      return { name: "memory", source: name, text, files: [file] };
    },
  };
}
