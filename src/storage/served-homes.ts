// The homes that this process serves, each with what makes its writes durable. A home that is removed or moved away
// meanwhile is not made again: an empty one in its place would hide that everything is missing, and lose what is written.

import { existsSync, realpathSync } from "node:fs";
import { dirname, relative } from "node:path";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { PhrasedError } from "../i18n/user-error.ts";
import { type HomeDurability, localDurability } from "./durability.ts";

export class HomeGoneError extends PhrasedError {
  override readonly name = "HomeGoneError";
  override readonly phrase: Phrase;
  readonly home: string;

  constructor(home: string) {
    super(`${home} was removed or moved away`);
    this.home = home;
    this.phrase = phrase("home.gone", { home });
  }
}

interface ServedHome {
  durability: HomeDurability;
  users: number;
}

const served = new Map<string, ServedHome>();

/** Until the result is called. A second server of the home shares its durability, unless it brings one of its own. */
export function serveHome(home: string, durability?: HomeDurability): () => void {
  const known = durability === undefined ? served.get(home) : undefined;
  const entry = known ?? { durability: durability ?? localDurability, users: 0 };
  entry.users += 1;
  // Files may be named by their real path.
  const names = [...new Set([home, existsSync(home) ? realpathSync(home) : home])];
  for (const name of names) served.set(name, entry);
  return () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    for (const name of names) if (served.get(name) === entry) served.delete(name);
  };
}

/** Of the home that the path is in; the local disk where that is not served. */
export function durabilityOf(path: string): HomeDurability {
  return findHome(path)?.durability ?? localDurability;
}

/** A file or folder was written, renamed or removed: called in the step that made it visible. */
export function announceChange(path: string): void {
  const servedHome = findHome(path);
  if (servedHome !== undefined) servedHome.durability.changed(relative(servedHome.home, path));
}

/** A database was made, migrated or replaced. */
export function announceSnapshot(path: string): void {
  const servedBy = findHome(path);
  if (servedBy !== undefined) servedBy.durability.snapshot(relative(servedBy.home, path));
}

export function isHomeGone(home: string): boolean {
  return served.has(home) && !existsSync(home);
}

/** Before anything is made at this path. */
export function refuseInGoneHome(path: string): void {
  const home = findHome(path)?.home;
  if (home !== undefined && isHomeGone(home)) throw new HomeGoneError(home);
}

function findHome(path: string): { home: string; durability: HomeDurability } | undefined {
  for (let folder = served.size === 0 ? "" : path; folder !== ""; ) {
    const entry = served.get(folder);
    if (entry !== undefined) return { home: folder, durability: entry.durability };
    const parent = dirname(folder);
    folder = parent === folder ? "" : parent;
  }
  return undefined;
}
