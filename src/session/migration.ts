// Sessions in the places and under the names of older versions, taken over at the start. Each is copied with
// verification, a second copy is kept under `<home>/backup/sessions`, and only then the old file goes.
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder } from "../lib/atomic-file.ts";
import type { Log } from "../lib/log.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { copyAside, copyVerified } from "../lib/verified-copy.ts";
import { toSessionFileError } from "./session-file-error.ts";
import { readHead } from "./session-list.ts";
import { fromStem, parseFileName, toFileName, toLegacyStem, toStem } from "./session-name.ts";

export interface MigrationOptions {
  /** `<home>/sessions`, which once held the files themselves. */
  root: string;
  workspace: string;
  /** Where the sessions of this workspace lie now. */
  folder: string;
  log: Log;
}

export async function migrateSessions({ root, workspace, folder, log }: MigrationOptions): Promise<void> {
  const backup = join(dirname(root), "backup", "sessions", basename(folder));
  const take = (source: string, origin: string): Promise<void> =>
    takeOver({ source, folder, backup: join(backup, origin), log });
  for (const source of await findFiles(root)) await take(source, "flat");
  for (const source of await findFiles(folder)) {
    if (parseFileName(basename(source)) === undefined) await take(source, "renamed");
  }
  for (const source of await findFiles(join(workspace, "sessions"))) await take(source, "workspace");
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

async function takeOver({ source, folder, backup, log }: Takeover): Promise<void> {
  try {
    const key = toKey(basename(source, ".jsonl"), (await readHead(source)).key);
    if (key === undefined)
      return log.warn("session-not-taken-over", { source, reason: "its key is another" });
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
  } catch (error) {
    throw toSessionFileError(error, "move", source);
  }
}

/** A name in which characters were replaced counts only with the key that the file itself names. */
function toKey(stem: string, storedKey: string | undefined): string | undefined {
  if (storedKey === undefined) return fromStem(stem) ?? stem.replace("_", ":");
  return [toStem(storedKey), toLegacyStem(storedKey)].includes(stem) ? storedKey : undefined;
}
