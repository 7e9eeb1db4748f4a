// An epoch: the stretch of a session in which system text and tool list are frozen, so that what was sent once is
// sent again byte for byte. Changes within it are announced with the next user message and merged at the next epoch.
import { createHash } from "node:crypto";
import { diffLines } from "../lib/formats/line-diff.ts";
import { isRecord } from "../lib/is-record.ts";
import { remember } from "../lib/remember.ts";
import { takeHead } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { estimateToolTokens } from "../llm/message-tokens.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { PrefixFiles } from "../storage/blobs/content-files.ts";
import type { EpochRecord } from "../storage/sessions/metadata.ts";
import {
  joinLayers,
  type LayerPart,
  layerSeparator,
  type PromptFileVersion,
  type RenderedLayer,
} from "./layers/layer.ts";

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
  // An epoch that an earlier version began does not name all files that its system text holds.
  const isHeld = ({ name, text }: PromptFileVersion) =>
    seen[name] === undefined && prefix.system.includes(text);
  const changed = files.filter((file) => seen[file.name] !== file.hash && !isHeld(file));
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
  if (text === before) return `${name} is again what it was when this conversation began.`;
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

/** What an epoch freezes: system text and tool list, with enough to tell later what they were made of. */
export interface Prefix {
  system: string;
  tools: ToolDefinition[];
  /** Texts of the files that it was made from, by name: what later changes are compared with. */
  sources: Record<string, string>;
  /** The layers of the system text, in their order. */
  layers: LayerRecord[];
}

interface LayerRecord {
  name: string;
  source: string;
  characters: number;
  parts?: Array<{ name: string; characters: number; tokens: number }>;
}

interface LayerSlice extends LayerRecord {
  /** Where in the system text it begins. */
  start: number;
  text: string;
}

/** The list of tools of an app is one object for its life, and layers seldom change: usually this is the last one. */
const lastPrefixes = new WeakMap<ToolDefinition[], { layers: readonly RenderedLayer[]; prefix: Prefix }>();

export function toPrefix(layers: readonly RenderedLayer[], tools: ToolDefinition[]): Prefix {
  const last = lastPrefixes.get(tools);
  if (last !== undefined && isSame(last.layers, layers)) return last.prefix;
  const prefix = renderPrefix(layers, tools);
  lastPrefixes.set(tools, { layers, prefix });
  return prefix;
}

function isSame(a: readonly RenderedLayer[], b: readonly RenderedLayer[]): boolean {
  if (a.length !== b.length) return false;
  return a.every(({ name, source, text, files }, index) => {
    const other = b[index];
    if (other?.text !== text || other.name !== name || other.source !== source) return false;
    return files === other.files || hashesOf(files) === hashesOf(other.files);
  });
}

function hashesOf(files: readonly PromptFileVersion[] = []): string {
  return files.map(({ name, hash }) => `${name} ${hash}`).join("\n");
}

function renderPrefix(layers: readonly RenderedLayer[], tools: ToolDefinition[]): Prefix {
  const sources = Object.fromEntries(filesOf(layers).map(({ name, text }) => [name, text]));
  return { system: joinLayers(layers), tools, sources, layers: layers.map(toRecord) };
}

function toRecord({ name, source, text, parts }: RenderedLayer): LayerRecord {
  const record = { name, source, characters: text.length };
  return parts === undefined ? record : { ...record, parts: parts.map(toPartRecord) };
}

function toPartRecord({ name, text }: LayerPart) {
  return { name, characters: text.length, tokens: estimateTokens(text) };
}

export function filesOf(layers: readonly RenderedLayer[]): PromptFileVersion[] {
  return layers.flatMap((layer) => layer.files ?? []);
}

export const hashPrefix = remember((prefix: Prefix) =>
  createHash("sha256").update(JSON.stringify(prefix)).digest("hex").slice(0, 32),
);

export const estimatePrefix = remember(
  ({ system, tools }: Prefix) => estimateTokens(system) + estimateToolTokens(tools),
);

/** The system text by layer. */
export function splitLayers({ system, layers }: Prefix): LayerSlice[] {
  let next = 0;
  return layers.map((layer) => {
    const start = next;
    const end = start + layer.characters;
    next = end + layerSeparator.length;
    return { ...layer, start, text: system.slice(start, end) };
  });
}

const mostCached = 16;

/** The prefixes that were sent. */
export class PrefixStore {
  readonly #files: PrefixFiles;
  readonly #cache = new Map<string, Prefix>();

  constructor(files: PrefixFiles) {
    this.#files = files;
  }

  async save(prefix: Prefix): Promise<string> {
    const hash = hashPrefix(prefix);
    if ((await this.load(hash)) === undefined) await this.#files.write(hash, prefix);
    this.#remember(hash, prefix);
    return hash;
  }

  /** Undefined when it is gone or damaged: the caller begins a new epoch. */
  async load(hash: string): Promise<Prefix | undefined> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const value = await this.#files.read(hash);
    if (!isRecord(value) || typeof value.system !== "string" || !isRecord(value.sources)) return undefined;
    if (!Array.isArray(value.tools) || !Array.isArray(value.layers)) return undefined;
    const prefix = value as unknown as Prefix;
    this.#remember(hash, prefix);
    return prefix;
  }

  #remember(hash: string, prefix: Prefix): void {
    this.#cache.set(hash, prefix);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > mostCached && !oldest.done) this.#cache.delete(oldest.value);
  }
}
