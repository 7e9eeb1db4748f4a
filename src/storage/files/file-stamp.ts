// How a file or folder looks from outside: enough to know, without reading it, that nothing in it has changed.
import { lstatSync, type Stats, statSync } from "node:fs";

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

/**
 * Undefined when nothing is there, or nothing that can be looked at: a folder of another account, a mount whose server is
 * gone, a ring of links. Links are not followed.
 */
export function lookAt(path: string): Stats | undefined {
  return look(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** The same of what a link leads to. */
export function lookBehindLinks(path: string): Stats | undefined {
  return look(() => statSync(path, { throwIfNoEntry: false }));
}

function look(take: () => Stats | undefined): Stats | undefined {
  try {
    return take();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
