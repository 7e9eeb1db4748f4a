// An epoch: the stretch of a session in which system text and tool list are frozen, so that what was sent once is
// sent again byte for byte. Changes within it are announced with the next user message and merged at the next epoch.
import { createHash } from "node:crypto";
import { diffLines } from "../lib/line-diff.ts";
import { remember } from "../lib/remember.ts";
import { takeHead } from "../lib/text.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { EpochRecord } from "../storage/sessions/metadata.ts";
import type { PromptFileVersion } from "./layer.ts";
import type { Prefix } from "./prefix.ts";

/** Why the prompt is built again. The last two: summaries took the place of messages, or the window is full. */
export type NewEpochReason =
  | "first-turn"
  | "model-changed"
  | "idle"
  | "prefix-lost"
  | "consolidated"
  | "too-long";

export interface Epoch {
  record: EpochRecord;
  prefix: Prefix;
}

/** Notes come and go with their day, which is no news. */
const dailyNote = /^memory\/\d{4}-\d\d-\d\d\.md$/;
const longestAnnouncement = 4_000;
export const toolsKey = "tools";

export function toSeen(files: PromptFileVersion[], tools: readonly ToolDefinition[]): Record<string, string> {
  const seen = Object.fromEntries(files.map(({ name, hash }) => [name, hash]));
  return { ...seen, [toolsKey]: hashTools(tools) };
}

/** One note for each file that is not what the model has seen: a diff where that is shorter than the new text. */
export async function describeChanges(
  { record, prefix }: Epoch,
  files: PromptFileVersion[],
  tools: readonly ToolDefinition[],
): Promise<string[]> {
  const { seen } = record;
  const changed = files.filter(({ name, hash }) => seen[name] !== hash);
  const notes = await Promise.all(changed.map((file) => describeChange(file, prefix.sources[file.name])));
  const present = new Set(files.map(({ name }) => name));
  const removed = Object.keys(seen)
    .filter((name) => name !== toolsKey && !present.has(name) && !dailyNote.test(name))
    .map((name) => `${name} was removed; what it said no longer holds.`);
  const isSameTools = seen[toolsKey] === hashTools(tools);
  return [...notes, ...removed, ...(isSameTools ? [] : [describeTools(tools)])];
}

async function describeChange(
  { name, text }: PromptFileVersion,
  before: string | undefined,
): Promise<string> {
  const diff = before === undefined ? undefined : await diffLines(before, text, longestAnnouncement);
  if (diff === undefined || diff.length >= text.length) {
    return `${name} was changed. From now on it reads:\n${takeHead(text, longestAnnouncement)}`;
  }
  return `${name} was changed since this conversation began. The difference, which holds from now on:\n${diff}`;
}

function describeTools(tools: readonly ToolDefinition[]): string {
  return `The tools changed. Available now: ${tools.map(({ name }) => name).join(", ")}.`;
}

/** The list of an app is one object for its life. */
const hashTools = remember((tools: readonly ToolDefinition[]) =>
  createHash("sha256").update(JSON.stringify(tools)).digest("hex").slice(0, 16),
);
