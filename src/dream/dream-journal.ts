// The redo journal of Dream: what is about to change, on the disk before anything does, so that after a crash all of it
// is done or none. What a person changed in between is left as the person wants it.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../guards/path-text.ts";
import { isRecord } from "../lib/is-record.ts";
import type { HistoryLog } from "../storage/documents/history-log.ts";
import type { Provenance, ProvenanceRecord } from "../storage/documents/provenance.ts";
import { readTracked, writeTracked } from "../storage/documents/tracked-file.ts";
import type { Version, Versions } from "../storage/documents/versions.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { makeFolder, removeFile } from "../storage/files/change-files.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import { syncFolder } from "../storage/files/with-file.ts";
import type { StagedChange } from "./dream-stage.ts";

export interface DreamLanding {
  /** The person's folder. */
  root: string;
  /** Where Dream has read to, afterwards. */
  cursor: number;
  /** With the hashes that say how far it got. */
  files: Array<{ path: string; before: string; after: string; text: string }>;
  records: ProvenanceRecord[];
}

/** The memory of one person. */
export interface DreamMemory {
  history: HistoryLog;
  provenance: Provenance;
  versions: Versions;
  /** Told of each skill that was written. */
  recordSkill(path: string): Promise<void>;
}

export interface FoundJournal {
  path: string;
  landing: DreamLanding;
}

export interface Landed {
  version: Version | undefined;
  /** Files that somebody else changed at that moment. */
  left: string[];
}

export const cursorFile = "memory/.dream_cursor";

export function toLandingFiles(changes: readonly StagedChange[]): DreamLanding["files"] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: before === undefined ? "absent" : hash(Buffer.from(before)),
    after: hash(Buffer.from(after)),
    text: after,
  }));
}

/** "absent" and "foreign" speak for themselves. */
export async function hashFile(root: string, path: string): Promise<string> {
  const content = await readTracked(root, path);
  return typeof content === "string" ? content : hash(content);
}

/** Durable when it returns. */
export async function writeJournal(folder: string, name: string, landing: DreamLanding): Promise<string> {
  const path = join(folder, `${name}.json`);
  await makeFolder(folder, 0o700);
  await writeFileAtomic(path, JSON.stringify(landing));
  await syncFolder(dirname(folder));
  return path;
}

/** Oldest first; of this workspace only, because a home may serve several. What is none of ours is passed over. */
export async function findJournals(folder: string, workspace: string): Promise<FoundJournal[]> {
  const names = ((await readdir(folder).catch(ignoreMissing)) ?? []).filter((name) => name.endsWith(".json"));
  const journals = names.sort().map(async (name) => {
    const path = join(folder, name);
    const landing = parseJournal((await readFile(path, "utf8").catch(ignoreMissing)) ?? "");
    return landing !== undefined && isInside(landing.root, workspace) ? [{ path, landing }] : [];
  });
  return (await Promise.all(journals)).flat();
}

/** Each step can be repeated, so that the next program that finds the journal can begin again. */
export async function land(path: string, landing: DreamLanding, memory: DreamMemory): Promise<Landed> {
  const { root, cursor, files, records } = landing;
  const { history, versions, provenance, recordSkill } = memory;
  const left: string[] = [];
  for (const file of files) {
    const now = await hashFile(root, file.path);
    if (now === file.before) await writeTracked(root, file.path, Buffer.from(file.text));
    else if (now !== file.after) left.push(file.path);
  }
  if ((await history.readDreamCursor()) < cursor) await history.writeDreamCursor(cursor);
  const landed = files.map((file) => file.path).filter((one) => !left.includes(one));
  for (const one of landed) if (one.startsWith("skills/")) await recordSkill(join(root, one));
  const version = await versions.commit({ kind: "dream", paths: [...landed, cursorFile] });
  await provenance.record(records.filter(({ file }) => !left.includes(file)));
  await removeFile(path);
  await syncFolder(dirname(path));
  return { version, left };
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function isLanding(value: unknown): value is DreamLanding {
  if (!isRecord(value) || typeof value.root !== "string" || !Number.isSafeInteger(value.cursor)) return false;
  const { files, records } = value;
  const isFile = (file: unknown) =>
    isRecord(file) &&
    [file.path, file.before, file.after, file.text].every((each) => typeof each === "string");
  return Array.isArray(files) && files.every(isFile) && Array.isArray(records) && records.every(isRecord);
}

function parseJournal(text: string): DreamLanding | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLanding(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
