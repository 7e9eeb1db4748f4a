// Sessions in the places and under the names of older versions, taken over at the start. Each is copied with
// verification, a second copy is kept under `<home>/backup/sessions`, and only then the old file goes.
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder } from "../lib/atomic-file.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import type { Log } from "../lib/log.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { copyAside, copyVerified } from "../lib/verified-copy.ts";
import { toSessionFileError } from "./session-file-error.ts";
import { readHead, type SessionHead } from "./session-list.ts";
import { fromStem, parseFileName, toFileName, toLegacyStem, toStem } from "./session-name.ts";

export interface MigrationOptions {
  /** `<home>/sessions`, which once held the files themselves. */
  root: string;
  workspace: string;
  /** Where the sessions of this workspace lie now. */
  folder: string;
  log: Log;
  /** Held while files move, so that two processes that start at once do not take over the same ones. */
  lock?: HomeLock | undefined;
}

interface Source {
  path: string;
  /** Where it was found, in a word: the folder of its copy. */
  origin: "flat" | "renamed" | "workspace";
}

export async function migrateSessions(options: MigrationOptions): Promise<void> {
  const { root, folder, log, lock } = options;
  if ((await findSources(options)).length === 0) return;
  const release = await lock?.acquire("taking over old sessions");
  try {
    const backup = join(dirname(root), "backup", "sessions", basename(folder));
    for (const { path, origin } of await findSources(options)) {
      await takeOver({ source: path, folder, backup: join(backup, origin), log });
    }
  } finally {
    release?.();
  }
}

async function findSources({ root, workspace, folder }: MigrationOptions): Promise<Source[]> {
  const inFolder = (await findFiles(folder)).filter((path) => parseFileName(basename(path)) === undefined);
  return [
    ...(await findFiles(root)).map((path) => ({ path, origin: "flat" as const })),
    ...inFolder.map((path) => ({ path, origin: "renamed" as const })),
    ...(await findFiles(join(workspace, "sessions"))).map((path) => ({ path, origin: "workspace" as const })),
  ];
}

async function findFiles(folder: string): Promise<string[]> {
  const isFolder = (await lstat(folder).catch(ignoreMissing))?.isDirectory() ?? false;
  if (!isFolder) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => join(folder, entry.name));
}

interface Takeover {
  source: string;
  folder: string;
  backup: string;
  log: Log;
}

async function takeOver(takeover: Takeover): Promise<void> {
  const { source, log } = takeover;
  try {
    const key = toKey(basename(source, ".jsonl"), await readHead(source));
    if (key !== undefined) return await move(takeover, key);
    log.warn("session-not-taken-over", { source, reason: "it names another key, or is no session" });
  } catch (error) {
    // A session begun in its place would be in its way later on.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === "ENOSPC" || code === "EDQUOT") {
      throw toSessionFileError(error, "move", source);
    }
    log.warn("session-not-taken-over", { source, reason: code });
  }
}

async function move({ source, folder, backup, log }: Takeover, key: string): Promise<void> {
  const target = join(folder, toFileName(toStem(key)));
  await copyAside(source, backup);
  if (await copyVerified(source, target)) {
    log.info("session-taken-over", { source, target });
  } else {
    const aside = await copyAside(source, join(folder, ".migration-conflicts"));
    log.warn("session-conflict", { source, target, aside });
  }
  await rm(source);
  await syncFolder(dirname(source));
}

/** A name in which characters were replaced counts only with the key that the file itself names. */
function toKey(stem: string, { isSession, key }: SessionHead): string | undefined {
  if (!isSession) return undefined;
  if (key === undefined) return fromStem(stem) ?? stem.replace("_", ":");
  return [toStem(key), toLegacyStem(key)].includes(stem) ? key : undefined;
}
