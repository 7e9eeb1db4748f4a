// Places that tools must not touch: internal files of a workspace (never written), device files (never read), and all of
// the assistant's home that is not on its allow list. path-resolver.ts resolves paths first.
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./file-error.ts";
import { isInside, toRealRoot } from "./real-path.ts";

const protectedAnywhere = new Set([".git", "git~1", ".nanobot"]);

/** In a workspace, and in a person's or group's root. */
export const protectedFolders = ["sessions", "cron", "prompts"];
const protectedFiles = [
  "memory/history.jsonl",
  "memory/.cursor",
  "memory/.dream_cursor",
  "memory/.provenance.jsonl",
];

const protectedAtRoot = [...protectedFolders, ...protectedFiles];

/** The protected place that a path relative to a workspace is in, if any. A person's or group's root counts as one. */
export function findProtectedPlace(relativePath: string): string | undefined {
  const names = relativePath.split(/[\\/]/).map(toComparable);
  const nested = names.find((name) => protectedAnywhere.has(name));
  if (nested !== undefined) return nested;
  const isPersonal = names[0] === "people" || names[0] === "groups";
  const path = `${(isPersonal ? names.slice(2) : names).join("/")}/`;
  return protectedAtRoot.find((place) => path.startsWith(`${place}/`));
}

/** Device files, and the parts of /proc that lead to open files, memory or secrets of a process. */
export function isDevicePath(path: string): boolean {
  return /^\/dev(\/|$)|^\/proc\/(.*\/)?(fd|fdinfo|environ|mem|map_files|kcore|kmem)(\/|$)/.test(path);
}

/** As a file system that ignores case, look-alike forms, invisible characters or a trailing dot would see a name. */
function toComparable(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
}

export interface Home {
  folder: string;
  /** The owner's, inside of the home or elsewhere; people and groups have folders in it. */
  workspace: string;
}

const mostEntries = 50_000;

/** A place opens what is in it. One that is the home, or contains it, opens nothing of the home. */
export function isOpen(real: string, home: string, places: readonly string[]): boolean {
  return openPlaces(home, places).some((place) => isInside(real, place));
}

/** In the home and not in the workspace: only a person's further places are open there. */
export function isOwn(real: string, { folder, workspace }: Home): boolean {
  const home = toRealRoot(folder);
  return isInside(real, home) && !isOpen(real, home, [toRealRoot(workspace)]);
}

/**
 * Whether the program itself may read for a person what a name in this person's root leads to. The owner may link to
 * files elsewhere on the machine; nobody into the home, and others not out of their own root.
 */
export function mayReadFor(root: string, real: string, home: Home): boolean {
  if (isInside(real, toRealRoot(root))) return !isOwn(real, home);
  return root === home.workspace && !isOwn(real, home);
}

/** Whether a hard-linked file has a name inside the home. In a giant home only the first part is checked. */
export async function hasKeptName(
  { dev, ino, nlink }: BigIntStats,
  home: string,
  places: readonly string[],
): Promise<boolean> {
  if (nlink < 2n) return false;
  const open = new Set(openPlaces(home, places));
  const folders = [home];
  let left = mostEntries;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of await list(folder)) {
      left -= 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !open.has(path)) folders.push(path);
      if (!entry.isFile()) continue;
      const status = await lstat(path, { bigint: true }).catch(ignoreRefusal);
      if (status?.ino === ino && status.dev === dev) return true;
    }
  }
  return false;
}

function openPlaces(home: string, places: readonly string[]): string[] {
  return places.filter((place) => place !== home && isInside(place, home));
}

async function list(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreRefusal)) ?? [];
}

/** Gone meanwhile, or not ours to look into. */
function ignoreRefusal(error: unknown): undefined {
  if (codeOf(error) === undefined) throw error;
}
