// The skills as they are at one moment, and what a prompt takes from them. Never changes; knows no folder to look into.
import { toPlainLine, toWellFormed } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { SkillEntry } from "./skill.ts";

export interface SkillSetOptions {
  /** The first of each name. */
  entries: readonly SkillEntry[];
  /** Folders that skills are looked for in. */
  roots: readonly string[];
  /** Undefined when SKILL.md has been changed since, and nobody has looked at it yet. */
  readBody(entry: SkillEntry): Promise<string | undefined>;
  /** Most tokens of the summary. */
  summaryTokens: number;
}

/** Descriptions lose their ends before a skill loses its line; the first is the longest that the format allows. */
const descriptionLengths = [1024, 240, 80];
/** Tokens of the window for which `summaryTokens` are meant; a larger one holds more. */
const usualWindow = 200_000;

export interface SummaryOptions {
  contextWindow?: number;
  /** Skills that need one of these tools are left out. */
  withoutTools?: ReadonlySet<string>;
}
const mostMentioned = 5;
const mostDollars = 500;
const longestPath = 1000;

export class SkillSet {
  readonly #options: SkillSetOptions;
  readonly #byName: Map<string, SkillEntry>;
  readonly #summaries = new Map<string, string>();

  constructor(options: SkillSetOptions) {
    const sorted = options.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#options = options;
    this.#byName = new Map(sorted.map((entry) => [entry.name, entry]));
  }

  /** Sorted by name. */
  list({ withUnavailable = true }: { withUnavailable?: boolean } = {}): SkillEntry[] {
    return [...this.#byName.values()].filter(({ available }) => available || withUnavailable);
  }

  get(name: string): SkillEntry | undefined {
    return this.#byName.get(name);
  }

  /** Those whose bodies are in every prompt. */
  always(): SkillEntry[] {
    return this.list().filter(({ always }) => always);
  }

  /** What a usable skill teaches, without front matter. */
  async load(name: string): Promise<string | undefined> {
    const entry = this.get(name);
    return entry?.available ? await this.#options.readBody(entry) : undefined;
  }

  /** Several bodies under their names; what cannot be used is left out. */
  async loadForContext(names: readonly string[]): Promise<string> {
    const parts = await Promise.all([...new Set(names)].map((name) => this.#loadPart(name)));
    return parts.filter((part) => part !== "").join("\n\n---\n\n");
  }

  async #loadPart(name: string): Promise<string> {
    const body = await this.load(name);
    if (body === undefined) return "";
    const { files = [], folder = "" } = this.get(name) ?? {};
    const place = files.length > 1 ? `Files: ${toPlainLine(folder, longestPath)}\n\n` : "";
    return `### Skill: ${name}\n\n${place}${body}`;
  }

  /** One line for each skill that is not in the prompt anyway; "" when there is none. */
  summary({ contextWindow = usualWindow, withoutTools = new Set() }: SummaryOptions = {}): string {
    const most = Math.floor(this.#options.summaryTokens * Math.max(1, contextWindow / usualWindow));
    const key = [most, ...withoutTools].join(" ");
    const summary = this.#summaries.get(key) ?? this.#summarise(most, withoutTools);
    this.#summaries.set(key, summary);
    return summary;
  }

  #summarise(most: number, withoutTools: ReadonlySet<string>): string {
    const isUsable = ({ requires }: SkillEntry) => !requires.tools.some((tool) => withoutTools.has(tool));
    const shown = this.list().filter((entry) => isWorthALine(entry) && isUsable(entry));
    if (shown.length === 0) return "";
    for (const length of descriptionLengths) {
      const all = wrap(shown.map((entry) => toLine(entry, length)));
      if (estimateTokens(all) <= most) return all;
    }
    return this.#summariseSome(shown.toSorted(compareUse), most);
  }

  /** The most useful ones that fit, by name, and how to find the others. */
  #summariseSome(entries: SkillEntry[], most: number): string {
    const lines = entries.map((entry) => toLine(entry, descriptionLengths.at(-1) ?? 0));
    const render = (count: number) => {
      const hidden = `${lines.length - count} more skills are not listed. To find one, grep for its topic in SKILL.md files below: ${this.#options.roots.join(", ")}`;
      return count === 0 ? hidden : `${wrap(lines.slice(0, count).sort())}\n${hidden}`;
    };
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (estimateTokens(render(middle)) <= most) low = middle;
      else high = middle - 1;
    }
    return render(low);
  }

  /** Usable skills that a text names as `$name`, outside of code, in the order of the text. */
  findMentionedSkills(text: string): string[] {
    if (!text.includes("$")) return [];
    const usable = this.list({ withUnavailable: false }).filter(({ always }) => !always);
    // The longest first: `$pdf-forms` is not `$pdf`.
    const names = usable.map(({ name }) => name).sort((a, b) => b.length - a.length);
    const prose = text.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, " ");
    const dollars = prose.matchAll(/(?<![\w$\\])\$/g).take(mostDollars);
    const found = Array.from(dollars, ({ index }) => {
      const rest = prose.slice(index + 1, index + 200);
      return names.find((name) => rest.startsWith(name) && /^(?!\w|-\w)/.test(rest.slice(name.length)));
    });
    return [...new Set(found)].filter((name) => name !== undefined).slice(0, mostMentioned);
  }
}

/** Not what is in the prompt in full, nor what nobody could make usable by installing something. */
function isWorthALine({ always, available, reasons, missing }: SkillEntry): boolean {
  return !always && (available || reasons.length === missing.length);
}

/** Available ones first, then by name. */
function compareUse(a: SkillEntry, b: SkillEntry): number {
  if (a.available !== b.available) return a.available ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function wrap(lines: string[]): string {
  return ["<skills>", ...lines, "</skills>"].join("\n");
}

function toLine({ name, description, path, available, missing }: SkillEntry, length: number): string {
  const requires = missing.length === 0 ? "" : element("requires", missing.join(", "));
  const content = `${element("name", name)}${element("description", toPlainLine(description, length))}${element("location", path)}`;
  return `<skill available="${available}">${content}${requires}</skill>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function element(tag: string, text: string): string {
  const escaped = toWellFormed(text)
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? "");
  return `<${tag}>${escaped}</${tag}>`;
}
