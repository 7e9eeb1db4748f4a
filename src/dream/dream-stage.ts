// A copy of a person's memory files in a folder of its own, for Dream to edit: nothing in it counts until it is landed.
import { isUtf8 } from "node:buffer";
import { mkdtemp, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFileRoots, type FileRoots } from "../guards/file-roots.ts";
import { toShownPath } from "../guards/path-text.ts";
import { isBlank } from "../lib/text.ts";
import { readTracked, readTrackedText, writeTracked } from "../storage/documents/tracked-file.ts";
import { makeFolder, removeFile } from "../storage/files/change-files.ts";

export interface StagedChange {
  path: string;
  /** Undefined where there was no file. */
  before: string | undefined;
  after: string;
  /** When the file was last written, as far as the disk knows. */
  changedAt: number;
}

export interface StageOptions {
  /** The person's folder. */
  root: string;
  /** Where the copy is made, under a name that begins with the time. */
  parent: string;
  now: number;
  paths: readonly string[];
  /** Folders that may be read besides. */
  readRoots: readonly string[];
}

const abandonedMs = 24 * 60 * 60 * 1000;

type Originals = ReadonlyMap<string, Pick<StagedChange, "before" | "changedAt">>;

export class DreamStage {
  readonly folder: string;
  /** For tools. */
  readonly roots: FileRoots;
  /** The files that were copied, or that may be begun. */
  readonly originals: Originals;

  private constructor(folder: string, originals: Originals, readRoots: readonly string[]) {
    this.folder = folder;
    this.originals = originals;
    this.roots = createFileRoots({ workspaceFor: () => folder, readRoots, isRestricted: true });
  }

  /** What is a link or no text is left out: it is not Dream's. */
  static async create({ root, parent, now, paths, readRoots }: StageOptions): Promise<DreamStage> {
    await makeFolder(parent, 0o700);
    await removeAbandoned(parent, now);
    const folder = await mkdtemp(join(parent, `${now}-`));
    const originals = new Map<string, { before: string | undefined; changedAt: number }>();
    for (const path of paths) {
      const content = await readTracked(root, path);
      if (content === "absent") originals.set(path, { before: undefined, changedAt: now });
      if (typeof content === "string" || !isUtf8(content)) continue;
      await writeTracked(folder, path, content);
      const { mtimeMs } = await stat(join(root, path));
      originals.set(path, { before: content.toString("utf8"), changedAt: mtimeMs });
    }
    return new DreamStage(folder, originals, readRoots);
  }

  read(path: string): Promise<string> {
    return readTrackedText(this.folder, path);
  }

  write(path: string, text: string): Promise<void> {
    return writeTracked(this.folder, path, Buffer.from(text));
  }

  async changes(): Promise<StagedChange[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const paths = files.map((entry) => toShownPath(join(entry.parentPath, entry.name), this.folder));
    const begun = { before: undefined, changedAt: 0 };
    const all = paths
      .sort()
      .map(async (path) => ({ path, ...(this.originals.get(path) ?? begun), after: await this.read(path) }));
    // A new file that was emptied again is none.
    return (await Promise.all(all)).filter(
      ({ before, after }) => before !== after && (before !== undefined || !isBlank(after)),
    );
  }

  async remove(): Promise<void> {
    await removeFile(this.folder);
  }
}

/** Copies of programs that died, after a day. */
async function removeAbandoned(parent: string, now: number): Promise<void> {
  const copies = (await readdir(parent)).filter((name) => /^\d+-\w+$/.test(name));
  for (const name of copies.filter((one) => now - Number.parseInt(one, 10) > abandonedMs))
    await removeFile(join(parent, name));
}

/** Lines that one text has more of than the other; blank ones and their order do not count. */
export function compareLines(before = "", after = ""): { added: string[]; removed: string[] } {
  return { added: linesBeyond(after, before), removed: linesBeyond(before, after) };
}

function linesBeyond(text: string, other: string): string[] {
  const counts = new Map<string, number>();
  for (const line of toLines(other)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return toLines(text).filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

export function toLines(text = ""): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
