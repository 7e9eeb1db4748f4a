// Changes of files and folders of a home, each announced in the step that makes it visible. Whole files are replaced by
// atomic-file.ts; conversations and databases have writers of their own.

import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, copyFileSync, renameSync, rmdirSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { HomePaths } from "../home.ts";
import { announceChange, durabilityOf, refuseInGoneHome } from "../served-homes.ts";
import { makeFolders } from "./make-folders.ts";
import { ignoreMissing } from "./plain-file.ts";
import { failedWriting } from "./stored-file-error.ts";
import { syncFolder, withFile } from "./with-file.ts";

/** With all that lead to it, but for a served home. Ours are the owner's alone. */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  refuseInGoneHome(path);
  const first = makeFolders(path, mode);
  if (first !== undefined) announceChange(first);
}

/** Synchronous inside: a capture in between would find the file under neither name. */
export async function moveFile(from: string, to: string): Promise<void> {
  renameSync(from, to);
  announceChange(from);
  announceChange(to);
}

/** A folder with all that is in it. What is not there is no error. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  announceChange(path);
}

/** Does nothing where a folder is not empty, not there or no folder. */
export async function removeEmptyFolder(path: string): Promise<void> {
  try {
    rmdirSync(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes(code)) throw error;
    return;
  }
  announceChange(path);
}

/** For small texts: in one write. `sync`: it survives when this returns. */
export async function appendToFile(
  path: string,
  text: string,
  { mode = 0o600, sync = false }: { mode?: number; sync?: boolean } = {},
): Promise<void> {
  appendFileSync(path, text, { mode });
  announceChange(path);
  if (!sync) return;
  await withFile(path, "r+", (file) => file.datasync());
  await durabilityOf(path).commit();
}

export async function changeMode(path: string, mode: number): Promise<void> {
  chmodSync(path, mode);
  announceChange(path);
}

export async function copyToFile(source: string, target: string, flags?: number): Promise<void> {
  copyFileSync(source, target, flags);
  announceChange(target);
}

export interface AtomicWriteOptions {
  /** Mode of a new file; an existing one keeps its own unless `forceMode`. Default 0600. */
  mode?: number;
  forceMode?: boolean;
  /** Under which it is known, where the given path leads through an open folder. */
  realPath?: string;
  /** False where something that follows is committed and this with it. */
  commits?: boolean;
}

export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, forceMode = false, realPath = path, commits = true }: AtomicWriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomBytes(8).toString("hex")}.tmp`);
  const existing = forceMode ? undefined : await stat(path).catch(ignoreMissing);
  try {
    await withFile(temporary, "wx", async (file) => {
      await file.chmod((existing?.mode ?? mode) & 0o777);
      await file.writeFile(data);
      await file.sync();
    });
    renameSync(temporary, path);
    announceChange(realPath);
  } catch (error) {
    await rm(temporary, { force: true });
    failedWriting(path)(error);
  }
  await syncFolder(folder);
  if (commits) await durabilityOf(realPath).commit();
}

/** Copies a file of the home to the same place below `backup/<time>/`, and returns where that is. */
export async function keepCopy(
  path: string,
  { home, clock }: { home: HomePaths; clock: Clock },
): Promise<string> {
  const copy = join(home.backup, toFolderName(clock.now()), relative(home.home, path));
  await makeFolder(dirname(copy));
  await copyToFile(path, copy);
  await changeMode(copy, 0o600);
  return copy;
}

/** `2026-08-01-100000`, in UTC. */
function toFolderName(ms: number): string {
  const [date = "", time = ""] = new Date(ms).toISOString().split("T");
  return `${date}-${time.slice(0, 8).replaceAll(":", "")}`;
}
