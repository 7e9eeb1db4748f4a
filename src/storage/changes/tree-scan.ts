// How a folder with everything below it looks at one moment, without reading a file. Links are seen, never followed. Works
// in short slices, so that others have their turn in between, and up to a number of entries.
import { type Dirent, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { lookAt } from "../files/file-stamp.ts";

export interface FileLook {
  device: number;
  inode: number;
  /** Of its content, as programs say. */
  modifiedAt: number;
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
  /** Folders of tools, not looked into, by path: when they changed last. */
  skipped: Map<string, number>;
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
  const look: TreeLook = { root, files: new Map(), folders: new Set(), skipped: new Map(), isWhole: true };
  const pause = createPause();
  const waiting = [""];
  let left = mostEntries;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const base = join(root, folder);
    for (const entry of listFolder(base)) {
      if (left === 0) return { ...look, isWhole: false };
      left -= 1;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (passedOver.has(entry.name)) look.skipped.set(path, lookAt(join(root, path))?.ctimeMs ?? 0);
        else if (!skips.includes(join(root, path))) waiting.push(path);
      } else {
        const status = lookAt(`${base}/${entry.name}`);
        if (status !== undefined) look.files.set(path, toLook(status));
      }
      const due = pause();
      if (due !== undefined) await due;
    }
    look.folders.add(folder);
  }
  return look;
}

/** Waits a moment whenever a slice of time is used up. An `await` for each of many files would take as long as to look. */
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
    device: status.dev,
    inode: status.ino,
    modifiedAt: status.mtimeMs,
    changedAt: status.ctimeMs,
    size: status.size,
    mode: status.mode & 0o777,
    isFile: status.isFile(),
    isFolder: status.isDirectory(),
  };
}

/** The same for a file that was only moved. */
export function identityOf({ device, inode, size, modifiedAt }: FileLook): string {
  return `${device}:${inode}:${size}:${modifiedAt}`;
}

export function isSameLook(a: FileLook, b: FileLook): boolean {
  return (
    a.changedAt === b.changedAt &&
    a.modifiedAt === b.modifiedAt &&
    a.inode === b.inode &&
    a.device === b.device &&
    a.size === b.size
  );
}

/** Gone meanwhile, or not ours to look into: nothing. At once, as one by one takes twice the time. */
export function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
