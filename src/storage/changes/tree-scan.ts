// How a folder with everything below it looks at one moment, without reading a file. Links are seen, never followed. Works
// in short slices, so that others have their turn in between, and up to a number of entries.
import { type Dirent, lstatSync, type Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";

export interface FileLook {
  /** The same for a file that was only moved. */
  identity: string;
  /** Of the last change of any kind, which no program can set back. */
  changedAt: number;
  size: number;
  mode: number;
  isFile: boolean;
  isFolder: boolean;
}

export interface TreeLook {
  root: string;
  /** By path from the root, with `/`. */
  files: Map<string, FileLook>;
  /** Those that were listed to their end. */
  folders: Set<string>;
  /** Whether all of it was looked at. */
  isWhole: boolean;
}

export interface ScanOptions {
  /** Absolute; not entered. */
  skips?: readonly string[];
  mostEntries?: number;
}

const usualEntries = 20_000;
const sliceMs = 2;
/** Of tools, not of people: made again by the tool, and large. */
const passedOver = new Set([".git", "node_modules", ".nanobot", ".venv", "__pycache__"]);

export async function scanTree(
  root: string,
  { skips = [], mostEntries = usualEntries }: ScanOptions = {},
): Promise<TreeLook> {
  const look: TreeLook = { root, files: new Map(), folders: new Set(), isWhole: true };
  const pause = createPause();
  const waiting = [""];
  let left = mostEntries;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for await (const entry of list(join(root, folder))) {
      if (left === 0) return { ...look, isWhole: false };
      left -= 1;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!passedOver.has(entry.name) && !skips.includes(join(root, path))) waiting.push(path);
      } else {
        const status = lookAt(join(root, path));
        if (status !== undefined) look.files.set(path, toLook(status));
      }
      await pause();
    }
    look.folders.add(folder);
  }
  return look;
}

/** Waits a moment whenever a slice of time is used up. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

export function lookAtFile(path: string): FileLook | undefined {
  const status = lookAt(path);
  return status && toLook(status);
}

function toLook(status: Stats): FileLook {
  return {
    identity: `${status.dev}:${status.ino}:${status.size}:${status.mtimeMs}`,
    changedAt: status.ctimeMs,
    size: status.size,
    mode: status.mode & 0o777,
    isFile: status.isFile(),
    isFolder: status.isDirectory(),
  };
}

async function* list(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    // Gone meanwhile, or not ours to look into.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
