// The mark that this home is ours, and which settings in its config are the Python original's defaults rather than a
// person's wish. It lies outside the config, because the original refuses keys that it does not know.

import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject, ownValue } from "../../lib/json-tree.ts";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { readJsonFile } from "../files/json-file.ts";

export interface MovedIn {
  /** Paths that still hold the original's default and count as not set. */
  unset: string[];
  /** The config was written by this program at least once. */
  isWritten: boolean;
}

/** The original writes every default into its file, also those that leave the door open. */
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
export async function readMovedIn(path: string): Promise<MovedIn | undefined> {
  const read = await readJsonFile(path);
  if (read.state !== "read") return undefined;
  const { unset, isWritten } = read.value;
  return {
    unset: Array.isArray(unset) ? unset.filter((item) => typeof item === "string") : [],
    isWritten: isWritten === true,
  };
}

export async function writeMovedIn(path: string, { unset, isWritten }: MovedIn): Promise<void> {
  const text = `${JSON.stringify({ version: 1, unset, isWritten }, null, 2)}\n`;
  await writeFileAtomic(path, text, { mode: 0o600, forceMode: true });
}
