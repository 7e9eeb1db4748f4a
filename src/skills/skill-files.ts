// The files of one skill's folder, listed without following a link. Knows nothing of their content.
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { isInside } from "../guards/files/real-path.ts";
import { type FileStamp, takeStamp } from "../storage/files/file-stamp.ts";
import { listEntries, toRealTarget } from "../storage/files/folder-entries.ts";
import { skippedFolders } from "../tools/files/walk-folder.ts";

export interface SkillFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** `unreadable`: pipes and the like, and folders that cannot be opened. */
  kind: "file" | "inner-link" | "outer-link" | "unreadable";
  size: number;
}

export interface FileListing {
  /** Sorted by path. */
  files: SkillFile[];
  /** Of all files and folders. */
  stamps: FileStamp[];
  /** There is more than is listed. */
  isCut: boolean;
}

const mostFiles = 500;
const mostEntries = 5000;
const deepest = 8;

/** What tools leave behind while a skill is used. It is never installed with a skill, and never part of it. */
const skipped = new Set([...skippedFolders, ".DS_Store"]);

/** `root` has no links in its path. */
export function listFiles(root: string): FileListing {
  const listing: FileListing = { files: [], stamps: [], isCut: false };
  walk(root, "", listing);
  listing.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return listing;
}

function walk(root: string, prefix: string, listing: FileListing): void {
  const stamp = takeStamp(join(root, prefix));
  const entries = listEntries(join(root, prefix), mostEntries);
  // However many others there are, the one that counts must be among those that are listed.
  entries?.sort((a, b) => Number(isMain(b.name)) - Number(isMain(a.name)));
  if (stamp !== undefined) listing.stamps.push(stamp);
  if (entries === undefined) listing.files.push({ path: prefix, kind: "unreadable", size: 0 });
  for (const entry of entries ?? []) {
    if (skipped.has(entry.name)) continue;
    if (listing.stamps.length >= mostFiles || prefix.split("/").length > deepest) {
      listing.isCut = true;
      return;
    }
    if (entry.isDirectory()) walk(root, `${prefix}${entry.name}/`, listing);
    else addFile(root, prefix, entry, listing);
  }
}

/** Some file systems and some people do not tell capitals apart. */
export function isMain(path: string): boolean {
  return path.toLowerCase() === "skill.md";
}

function addFile(root: string, prefix: string, entry: Dirent, listing: FileListing): void {
  const path = prefix + entry.name;
  const stamp = takeStamp(join(root, path));
  if (stamp === undefined) return;
  listing.stamps.push(stamp);
  listing.files.push({ path, kind: kindOf(entry, root, path), size: stamp[2] });
}

function kindOf(entry: Dirent, root: string, path: string): SkillFile["kind"] {
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return "unreadable";
  const target = toRealTarget(join(root, path));
  return target !== undefined && isInside(target, root) ? "inner-link" : "outer-link";
}
