// Markdown files that become part of the prompt: read only when they changed, cleaned, and bounded.
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripBom, takeHead } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { readRange } from "../storage/files/with-file.ts";
import type { PromptFileVersion, TextBudget } from "./layer.ts";

export const largestPromptFile = 20_000;
const mostBytes = largestPromptFile * 4;

export interface PromptFilesOptions {
  onProblem?(path: string, reason: string): void;
  /** Whether the real place of a file may be read under this name: a command can put a link there. Default: always. */
  mayRead?(real: string, path: string): boolean;
}

/** Absent, unreadable and non-regular files are undefined; `onProblem` hears why when there is a reason to say. */
export class PromptFiles {
  readonly #cache = new Map<string, { stamp: string; content: unknown }>();
  readonly #onProblem: (path: string, reason: string) => void;
  readonly #mayRead: (real: string, path: string) => boolean;

  constructor({ onProblem = () => {}, mayRead = () => true }: PromptFilesOptions = {}) {
    this.#onProblem = onProblem;
    this.#mayRead = mayRead;
  }

  read(root: string, name: string): Promise<PromptFileVersion | undefined> {
    return this.load(join(root, name), async (path) =>
      toPromptFile(name, (await readRange(path, 0, mostBytes + 1)).toString("utf8")),
    );
  }

  /** What is made of a file, the same while the file is; of one path always by the same function. */
  async load<T>(path: string, make: (path: string) => Promise<T>): Promise<T | undefined> {
    try {
      // Asked for a dozen files before each turn: at once it takes a fifth of the time that promises take.
      const status = statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return undefined;
      const stamp = `${status.ino} ${status.mtimeMs} ${status.ctimeMs} ${status.size}`;
      const cached = this.#cache.get(path);
      if (cached?.stamp === stamp) return cached.content as T | undefined;
      const real = realpathSync.native(path);
      const problem = status.isFile() ? undefined : "is not a regular file";
      const refusal = this.#mayRead(real, path) ? problem : "leads to what may not be read";
      if (refusal !== undefined) this.#onProblem(path, refusal);
      const content = refusal === undefined ? await make(real) : undefined;
      this.#cache.set(path, { stamp, content });
      return content;
    } catch (error) {
      return this.#explain(path, error);
    }
  }

  #explain(path: string, error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") this.#onProblem(path, code);
    return undefined;
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
