// Everything below a folder, in a stable order, one folder at a time. Never follows a symbolic link.
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import type { FileRoots, OpenedFolder } from "../../guards/files/file-roots.ts";
import { ToolError } from "../../runner/tool.ts";

/** Folders of tools, not of people: nobody looks for something in them without naming them. */
export const skippedFolders: readonly string[] = [
  ".git",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
];

const skipped = new Set(skippedFolders);

/** Entries of one folder beyond this are left out. */
const mostEntries = 50_000;

export interface FolderEntry {
  /** Relative to the folder that was walked, with `/`. */
  path: string;
  kind: "file" | "folder" | "link";
}

interface WalkOptions {
  roots: FileRoots;
  origin: Origin;
  signal: AbortSignal;
  /** Default true; entries that begin with a dot. */
  includesHidden?: boolean;
}

/** Entries sorted by name, a folder before its content. The folder is the caller's to close. */
export async function* walkFolder(folder: OpenedFolder, options: WalkOptions): AsyncGenerator<FolderEntry> {
  yield* walk(folder, "", options);
}

/** The entries of one folder, sorted by name. */
export async function listFolder({ path }: { path: string }): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(path)) {
    entries.push({ path: entry.name, kind: kindOf(entry) });
    if (entries.length === mostEntries) break;
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function* walk(
  folder: OpenedFolder,
  prefix: string,
  options: WalkOptions,
): AsyncGenerator<FolderEntry> {
  const { roots, origin, signal, includesHidden = true } = options;
  for (const { path: name, kind } of await listFolder(folder)) {
    signal.throwIfAborted();
    if (!includesHidden && name.startsWith(".")) continue;
    if (kind === "folder" && skipped.has(name)) continue;
    yield { path: prefix + name, kind };
    if (kind !== "folder") continue;
    const inner = await openIfAllowed(roots, join(folder.realPath, name), origin);
    if (inner === undefined) continue;
    try {
      yield* walk(inner, `${prefix}${name}/`, options);
    } finally {
      await inner.close();
    }
  }
}

/** A folder that cannot be read, or is gone by now, does not spoil the rest. */
async function openIfAllowed(
  roots: FileRoots,
  path: string,
  origin: Origin,
): Promise<OpenedFolder | undefined> {
  try {
    return await roots.openFolder(path, origin);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  return entry.isDirectory() ? "folder" : "file";
}

interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** What a page may hold at most. */
const largestPage = 1000;

/** Stops asking for items once one beyond the page has come. */
export async function takePage<T>(items: AsyncIterable<T>, offset: number, limit: number): Promise<Page<T>> {
  const kept: T[] = [];
  let index = 0;
  for await (const item of items) {
    if (index++ < offset) continue;
    if (kept.length === limit) return { items: kept, hasMore: true };
    kept.push(item);
  }
  return { items: kept, hasMore: false };
}

/** 0 and anything above the largest page represent the largest page. */
export function toPageLimit(requested: number | undefined, usual: number): number {
  const limit = requested ?? usual;
  return limit === 0 ? largestPage : Math.min(limit, largestPage);
}

/** Empty when there is nothing more to say. */
export function describePage({ items, hasMore }: Page<unknown>, offset: number, noun: string): string {
  const end = offset + items.length;
  if (hasMore) return `\n(${noun} ${offset + 1}-${end}. Use offset=${end} to continue.)`;
  return offset > 0 && items.length > 0 ? `\n(${noun} ${offset + 1}-${end}, the last.)` : "";
}
