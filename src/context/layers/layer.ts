// A layer is one section of the system prompt: a name, where it came from, and its text.
import { createHash } from "node:crypto";
import { packageRoot } from "../../lib/package-root.ts";
import { stripBom, takeHead } from "../../lib/text.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { CachedFiles } from "../../storage/documents/cached-files.ts";
import { readRange } from "../../storage/files/with-file.ts";

export interface LayerInput {
  /** Whose files are read: the workspace, or a guest's or group's folder in it. */
  personRoot: string;
  workspace: string;
  /** What prompt files may still take together. */
  budget: TextBudget;
  /** Tokens that the model takes; default: plenty. */
  contextWindow?: number;
  /** The prompt is only looked at: nothing at all may be written. */
  isPreview?: boolean;
}

export interface TextBudget {
  characters: number;
  tokens: number;
}

export interface RenderedLayer {
  name: string;
  source: string;
  text: string;
  /** What a later change is measured against: source file -> hash of its text. */
  files?: PromptFileVersion[];
  /** It takes nothing of what prompt files may take together. */
  isOutsideBudget?: true;
  /** Sources of untrusted content in its text. */
  labels?: string[];
  /** What its text is put together from, where that is worth a separate row. */
  parts?: LayerPart[];
}

export interface LayerPart {
  name: string;
  text: string;
}

export interface PromptFileVersion {
  name: string;
  hash: string;
  text: string;
}

/** An implementer must not read what has not changed, and must leave out by returning undefined, not "". */
export interface Layer {
  name: string;
  render(input: LayerInput): Promise<RenderedLayer | undefined>;
}

export const layerSeparator = "\n\n---\n\n";

export function joinLayers(layers: readonly RenderedLayer[]): string {
  return layers.map(({ text }) => text).join(layerSeparator);
}

/** Markdown files of the prompt are read only when they changed, cleaned, and bounded. */
export const largestPromptFile = 20_000;
const mostBytes = largestPromptFile * 4;

/** Absent, unreadable and non-regular files are undefined; `onProblem` is given the reason where there is one. */
export class PromptFiles extends CachedFiles {
  read(root: string, name: string): Promise<PromptFileVersion | undefined> {
    return this.load(root, name, async (path) =>
      toPromptFile(name, (await readRange(path, 0, mostBytes + 1)).toString("utf8")),
    );
  }

  /** An instruction for a model: the one in the workspace, or the one that came with the program; "" without either. */
  async readInstruction(workspace: string, name: string): Promise<string> {
    const path = `prompts/${name}`;
    const file = (await this.read(workspace, path)) ?? (await this.read(packageRoot, `templates/${path}`));
    return file?.text ?? "";
  }
}

function toPromptFile(name: string, raw: string): PromptFileVersion {
  const clean = stripBom(raw).replaceAll("\r\n", "\n").replaceAll("\0", "").trim();
  return toVersion(name, cutAtLine(clean, largestPromptFile, name));
}

export function toVersion(name: string, text: string): PromptFileVersion {
  return { name, text, hash: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** Cut at a line, with a mark that names the file and how to read the rest. */
export function cutAtLine(text: string, limit: number, name: string): string {
  if (text.length <= limit) return text;
  const mark = `\n[... ${name} is longer than the prompt takes; read the rest with read_file]`;
  const head = takeHead(text, Math.max(0, limit - mark.length));
  const lastLine = head.lastIndexOf("\n");
  return (lastLine > 0 ? head.slice(0, lastLine) : head) + mark;
}

/** Of a budget too small for anything the mark is left. */
export function cutToBudget({ name, text }: PromptFileVersion, { characters, tokens }: TextBudget): string {
  let limit = Math.min(text.length, characters);
  for (;;) {
    const cut = cutAtLine(text, limit, name);
    const estimate = estimateTokens(cut);
    if (estimate <= tokens || limit <= 0) return cut;
    // Chinese costs three times as much: the same share of the text may need another round.
    limit = Math.floor((limit * Math.max(0, tokens)) / estimate);
  }
}

export function takeFromBudget({ characters, tokens }: TextBudget, text: string): TextBudget {
  return { characters: characters - text.length, tokens: tokens - estimateTokens(text) };
}
