// Which files of a folder were changed between two moments: what a command wrote, which says nothing of it beforehand.
// Looks at a bounded number of files, so that a giant folder costs no more than a large one.
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "../storage/files/file-stamp.ts";

export type FileTimes = ReadonlyMap<string, number>;

const mostEntries = 3_000;
const passedOver = new Set([".git", "node_modules", ".nanobot", ".venv", "__pycache__"]);

/** By path; the time is that of the last change of any kind, which no program can set back. */
export function takeTimes(root: string): FileTimes {
  const times = new Map<string, number>();
  const folders = [root];
  let looked = 0;
  for (let folder = folders.shift(); folder !== undefined && looked < mostEntries; folder = folders.shift()) {
    for (const entry of list(folder)) {
      looked += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !passedOver.has(entry.name)) folders.push(path);
      if (entry.isFile()) times.set(path, lookAt(path)?.ctimeMs ?? 0);
    }
  }
  return times;
}

export function findChanged(before: FileTimes, after: FileTimes): string[] {
  return [...after].filter(([path, time]) => before.get(path) !== time).map(([path]) => path);
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Gone meanwhile, or not ours to look into.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
