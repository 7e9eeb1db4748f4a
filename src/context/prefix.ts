// A prefix: what an epoch freezes, system text and tool list, with enough beside it to tell later what it was made of.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { remember } from "../lib/remember.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { estimateToolTokens } from "../llm/message-tokens.ts";
import type { ToolDefinition } from "../llm/types.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import {
  joinLayers,
  type LayerPart,
  layerSeparator,
  type PromptFileVersion,
  type RenderedLayer,
} from "./layer.ts";

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

export interface LayerSlice extends LayerRecord {
  /** Where in the system text it begins. */
  start: number;
  text: string;
}

/** The list of tools of an app is one object for its life, and layers seldom change: mostly this is the last one. */
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

/** Those that were sent, each once by its hash, beside the sessions. */
export class PrefixStore {
  readonly #folder: string;
  readonly #cache = new Map<string, Prefix>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(prefix: Prefix): Promise<string> {
    const hash = hashPrefix(prefix);
    if ((await this.load(hash)) === undefined)
      await writeFileAtomic(this.#pathOf(hash), JSON.stringify(prefix));
    this.#remember(hash, prefix);
    return hash;
  }

  /** Undefined when it is gone or damaged: the caller begins a new epoch. */
  async load(hash: string): Promise<Prefix | undefined> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const text = await readFile(this.#pathOf(hash), "utf8").catch(ignoreMissing);
    const value = parseJson(text ?? "");
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

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.json`);
  }
}
