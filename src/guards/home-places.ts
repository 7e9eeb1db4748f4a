// What of the assistant's home is open: an allow list. Whatever else lies there, whatever it is called and whenever it
// came, is kept. Judges real paths.
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./file-error.ts";
import { isInside } from "./path-text.ts";
import { toRealRoot } from "./real-path.ts";

export interface Home {
  folder: string;
  /** The owner's, inside of the home or elsewhere; people and groups have folders in it. */
  workspace: string;
}

const mostEntries = 50_000;

/** A place opens what is in it. One that is the home, or lies around it, opens nothing of the home. */
export function isOpen(real: string, home: string, places: readonly string[]): boolean {
  return openPlaces(home, places).some((place) => isInside(real, place));
}

/** In the home and not in the workspace: only the places that a person has besides are open there. */
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

/** Whether a file with several names has one among what is kept. In a giant home only the first part is looked at. */
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
