// Folders and files that a person or a program put somewhere: listed without following a link, read within bounds. What the
// file system refuses is undefined.
import { type Dirent, opendirSync, realpathSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { ignoreMissing } from "./plain-file.ts";
import { openVerified } from "./verified-open.ts";

/** The first bytes of a regular file without links in its path; undefined when it cannot be read. */
export type ReadBytes = (realPath: string, limit: number) => Promise<Buffer | undefined>;

/** Sorted by name, and not many more than `most`. Undefined if it is not a folder, or none that we may open. */
export function listEntries(path: string, most: number): Dirent[] | undefined {
  const entries: Dirent[] = [];
  const folder = ignoreFailure(() => opendirSync(path));
  if (folder === undefined) return undefined;
  try {
    for (let entry = folder.readSync(); entry !== null && entries.length <= most; entry = folder.readSync())
      entries.push(entry);
  } finally {
    folder.closeSync();
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where a path really leads; undefined when that is nowhere. */
export function toRealTarget(path: string): string | undefined {
  return ignoreFailure(() => realpathSync.native(path));
}

export const readFirstBytes: ReadBytes = async (realPath, limit) => {
  const file = await openVerified(realPath).catch(ignoreCode);
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    if (!status.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(limit, status.size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

function ignoreFailure<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    return ignoreCode(error);
  }
}

function ignoreCode(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
}

export interface FileFacts {
  size: number;
  at: number;
  isFolder: boolean;
}

/** Undefined when nothing is there any more. */
export async function lookAt(real: string): Promise<FileFacts | undefined> {
  const found = await lstat(real).catch(ignoreMissing);
  return found && { size: found.size, at: Math.trunc(found.mtimeMs), isFolder: found.isDirectory() };
}
