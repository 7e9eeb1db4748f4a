// Sessions in the places and under the names of older versions of the Python original, taken over at the start. Each is copied with
// verification, a second copy is kept under `<home>/backup/sessions`, and only then the old file goes.

import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { toSessionFileError } from "../files/stored-file-error.ts";
import { copyAside, copyVerified } from "../files/verified-copy.ts";
import { syncFolder } from "../files/with-file.ts";
import type { SessionManagerOptions } from "../sessions/session-folder.ts";
import { readHead, type SessionHead } from "../sessions/session-head.ts";
import { fromStem, parseFileName, toFileName, toStem } from "../sessions/session-name.ts";

export interface MigrationOptions extends SessionManagerOptions {
  /** Where the sessions of this workspace lie now. */
  folder: string;
}

interface Source {
  path: string;
  /** Where it was found, in a word: the folder of its copy. */
  origin: "flat" | "renamed" | "workspace";
}

export async function migrateSessions(options: MigrationOptions): Promise<void> {
  if ((await findSources(options)).length === 0) return;
  const release = await options.lock?.acquire("taking over old sessions");
  try {
    for (const source of await findSources(options)) await takeOver(source, options);
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

async function takeOver(source: Source, options: MigrationOptions): Promise<void> {
  const { path } = source;
  const giveUp = (reason: string) => options.log.warn("session-not-taken-over", { source: path, reason });
  try {
    const key = toKey(basename(path, ".jsonl"), await readHead(path));
    if (key === undefined) giveUp("it names another key, or is no session");
    else await move(source, key, options);
  } catch (error) {
    // A session begun in its place would be in its way later on.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === "ENOSPC" || code === "EDQUOT") {
      throw toSessionFileError(error, "move", path);
    }
    giveUp(code);
  }
}

async function move(
  { path: source, origin }: Source,
  key: string,
  { root, folder, log }: MigrationOptions,
): Promise<void> {
  const target = join(folder, toFileName(toStem(key)));
  await copyAside(source, join(dirname(root), "backup", "sessions", basename(folder), origin));
  if (await copyVerified(source, target)) {
    log.info("session-taken-over", { source, target });
  } else {
    const aside = await copyAside(source, join(folder, ".migration-conflicts"));
    log.warn("session-conflict", { source, target, aside });
  }
  await removeFile(source);
  await syncFolder(dirname(source));
}

/** A name in which characters were replaced counts only with the key that the file itself names. */
function toKey(stem: string, { isSession, key }: SessionHead): string | undefined {
  if (!isSession) return undefined;
  if (key === undefined) return fromStem(stem) ?? stem.replace("_", ":");
  return [toStem(key), toReplacedStem(key)].includes(stem) ? key : undefined;
}

/** The name that old versions gave: not reversible. */
function toReplacedStem(key: string): string {
  return key.replaceAll(/[<>:"/\\|?*]/g, "_").trim();
}
