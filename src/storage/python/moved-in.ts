// The mark that this home is ours, and which settings in its config are the Python original's defaults rather than a
// person's choice. It is outside the config, because the original refuses keys that it does not know.

import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject, ownValue } from "../../lib/json-tree.ts";
import { type StateContent, StateFile, StateFileError } from "../files/state-file.ts";
import type { HomePaths } from "../home.ts";

export interface MovedIn {
  /** Paths that still hold the original's default and count as not set. */
  unset: string[];
  /** The config was written by this program at least once. */
  isWritten: boolean;
}

/** The original writes every default into its file, also those that give access to everyone. */
const openDefaults: Array<[path: string, value: unknown]> = [
  ["tools.restrictToWorkspace", false],
  ["tools.exec.sandbox", ""],
];

/**
 * Of the settings that are less safe than ours, those that nobody chose go: all at first, later what is left of them.
 * Returns their paths.
 */
export function removeUnchosen(config: JsonObject, movedIn: MovedIn | undefined): string[] {
  const unchosen = openDefaults
    .filter(([path, value]) => getIn(config, path.split(".")) === value)
    .map(([path]) => path)
    .filter((path) => movedIn === undefined || movedIn.unset.includes(path));
  for (const path of unchosen) removeIn(config, path.split("."));
  return unchosen;
}

function removeIn(root: JsonObject, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    delete root[key];
    return;
  }
  const section = ownValue(root, key);
  if (isRecord(section)) removeIn(section, rest);
}

/** A mark that cannot be read is none: moving in again does no harm. */
export async function readMovedIn({ movedIn }: HomePaths): Promise<MovedIn | undefined> {
  const { value } = await new StateFile(movedIn).read().catch(ignoreUnreadable);
  if (value === undefined) return undefined;
  const { unset, isWritten } = value;
  return {
    unset: Array.isArray(unset) ? unset.filter((item) => typeof item === "string") : [],
    isWritten: isWritten === true,
  };
}

/** Throws a StateFileError for a mark that cannot be replaced. */
export async function writeMovedIn({ movedIn }: HomePaths, { unset, isWritten }: MovedIn): Promise<void> {
  await new StateFile(movedIn).write({ version: 1, unset, isWritten });
}

function ignoreUnreadable(error: unknown): StateContent {
  if (error instanceof StateFileError) return { value: undefined };
  throw error;
}
