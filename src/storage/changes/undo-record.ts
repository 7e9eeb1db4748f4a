// The record of one turn, as a file: what it changed, in which order, and what of it cannot be undone.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import { makeFolder, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { fromStored, mapPaths, toRealHome, toStored } from "../stored-path.ts";

export interface Change {
  path: string;
  /** By its hash; null for a file that was not there; undefined for one that was too large to be kept. */
  before: string | null | undefined;
  /** By its hash; of one that is too large for that by its look. */
  after: string | null;
  /** It was renamed: its path before. */
  from?: string;
  mode?: number;
}

/** A job before and after the turn, as its file holds it; null where there was none. */
export interface JobChange {
  id: string;
  before: JsonObject | null;
  after: JsonObject | null;
}

/** With real paths; in its file they are relative to the home. */
export interface TurnRecord {
  turnId: string;
  at: number;
  changes: Change[];
  /** Made in the turn: they go with it when they are empty. */
  folders?: string[];
  commands: string[];
  jobs?: JobChange[];
  areJobsUndone?: boolean;
  /** What commands changed beyond the bounds: the first paths, and how many in all. */
  lost?: { paths: string[]; count: number };
  /** Not all files were looked at. */
  isPartial?: boolean;
  isUndone?: boolean;
}

function isTurnRecord(value: unknown): value is TurnRecord {
  if (!isRecord(value) || typeof value.turnId !== "string" || typeof value.at !== "number") return false;
  const { changes, commands } = value;
  const isChange = (change: unknown) => isRecord(change) && typeof change.path === "string";
  return Array.isArray(changes) && changes.every(isChange) && Array.isArray(commands);
}

function withPaths(record: TurnRecord, change: (path: string) => string): TurnRecord {
  const { changes, folders, lost } = record;
  return {
    ...record,
    changes: changes.map(({ path, from, ...rest }) => ({
      ...rest,
      path: change(path),
      ...(from !== undefined && { from: change(from) }),
    })),
    ...(folders && { folders: mapPaths(folders, change) }),
    ...(lost && { lost: { ...lost, paths: mapPaths(lost.paths, change) } }),
  };
}

export async function readRecord(path: string, home: string): Promise<TurnRecord | undefined> {
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  // A damaged one counts as none: what it remembered cannot be undone any more.
  const value = parseJson(text ?? "null");
  const real = toRealHome(home);
  return isTurnRecord(value) ? withPaths(value, (stored) => fromStored(real, stored)) : undefined;
}

/** Not committed on its own: what follows is. */
export async function writeRecord(path: string, record: TurnRecord, home: string): Promise<void> {
  await makeFolder(dirname(path));
  const stored = withPaths(record, (place) => toStored(home, place));
  await writeFileAtomic(path, JSON.stringify(stored), { mode: 0o600, commits: false });
}
