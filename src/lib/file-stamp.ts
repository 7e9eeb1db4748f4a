// How a file or folder looks from outside: enough to know, without reading it, that nothing in it has changed.
import { lstatSync, type Stats } from "node:fs";

/** The time is that of the last change of any kind, which no program can set back. */
export type FileStamp = [path: string, inode: number, size: number, changedAt: number];

/** Undefined when nothing is there, or nothing that we may look at. Links are not followed. */
export function takeStamp(path: string): FileStamp | undefined {
  const status = lookAt(path);
  return status && [path, status.ino, status.size, status.ctimeMs];
}

// Asked for hundreds of files before each turn: one after the other takes a third of the time that promises take.
export function isUnchanged([path, inode, size, changedAt]: FileStamp): boolean {
  const status = lookAt(path);
  return status !== undefined && status.ctimeMs === changedAt && status.size === size && status.ino === inode;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
