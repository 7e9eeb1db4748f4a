// A copy of a person's memory files in a folder of its own, for Dream to edit: nothing in it counts until it is landed.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Origin } from "../bus/types.ts";
import { createFileRoots, type FileRoots } from "../guards/file-roots.ts";
import { toShownPath } from "../guards/path-text.ts";
import { isBlank } from "../lib/text.ts";
import { readTracked, writeTracked } from "./tracked-file.ts";

/** Undefined where there is no file. */
export type FileText = string | undefined;

export interface StagedChange {
  path: string;
  before: FileText;
  after: string;
}

export const dreamOrigin: Origin = {
  channel: "dream",
  chatId: "dream",
  senderId: "dream",
  person: "owner",
  role: "owner",
  cause: "dream",
  format: "plain",
};

export interface StageOptions {
  /** The person's folder. */
  root: string;
  /** Where the copy is made. */
  parent: string;
  /** Begins the copy's name. */
  now: number;
  paths: readonly string[];
  /** Folders that may be read besides. */
  readRoots: readonly string[];
}

export class DreamStage {
  readonly folder: string;
  /** For tools: only what is in the copy can be written. */
  readonly roots: FileRoots;
  readonly #originals: ReadonlyMap<string, FileText>;
  readonly #root: string;

  private constructor(folder: string, { root, readRoots }: StageOptions, originals: Map<string, FileText>) {
    this.folder = folder;
    this.#root = root;
    this.#originals = originals;
    this.roots = createFileRoots({ workspaceFor: () => folder, readRoots, isRestricted: true });
  }

  /** What is a link or no text is left out: it is not Dream's. */
  static async create(options: StageOptions): Promise<DreamStage> {
    const { root, parent, now, paths } = options;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(parent, `${now}-`));
    const originals = new Map<string, FileText>();
    for (const path of paths) {
      const text = await readText(root, path);
      if (text === "foreign") continue;
      originals.set(path, text.content);
      if (text.content !== undefined) await writeTracked(folder, path, Buffer.from(text.content));
    }
    return new DreamStage(folder, options, originals);
  }

  /** The files that were copied, or that may be begun. */
  get paths(): string[] {
    return [...this.#originals.keys()];
  }

  async read(path: string): Promise<string> {
    const text = await readText(this.folder, path);
    return text === "foreign" ? "" : (text.content ?? "");
  }

  write(path: string, text: string): Promise<void> {
    return writeTracked(this.folder, path, Buffer.from(text));
  }

  /** When the original was last written, as far as the disk knows. */
  async dateOf(path: string): Promise<number> {
    if (this.#originals.get(path) === undefined) return Number.POSITIVE_INFINITY;
    return (await stat(join(this.#root, path))).mtimeMs;
  }

  async changes(): Promise<StagedChange[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const paths = files.map((entry) => toShownPath(join(entry.parentPath, entry.name), this.folder)).sort();
    const all = await Promise.all(
      paths.map(async (path) => ({ path, before: this.#originals.get(path), after: await this.read(path) })),
    );
    // A new file that was emptied again is none.
    return all.filter(({ before, after }) => before !== after && (before !== undefined || !isBlank(after)));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function readText(root: string, path: string): Promise<{ content: FileText } | "foreign"> {
  const content = await readTracked(root, path);
  if (content === "absent") return { content: undefined };
  return content === "foreign" || !isUtf8(content) ? "foreign" : { content: content.toString("utf8") };
}

export function hashText(text: FileText): string {
  return text === undefined ? "absent" : createHash("sha256").update(text).digest("hex");
}

/** Lines that one text has more of than the other; blank ones and their order do not count. */
export function compareLines(before: FileText, after: string): { added: string[]; removed: string[] } {
  return { added: linesBeyond(after, before), removed: linesBeyond(before, after) };
}

function linesBeyond(text: FileText, other: FileText): string[] {
  const counts = new Map<string, number>();
  for (const line of toLines(other)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return toLines(text).filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

export function toLines(text: FileText): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
