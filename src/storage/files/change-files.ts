// Changes of files and folders of a home, each announced in the step that makes it visible. Whole files are replaced by
// atomic-file.ts; conversations and databases have writers of their own.
import { appendFileSync, chmodSync, copyFileSync, renameSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { announceChange, durabilityOf, refuseInGoneHome } from "../served-homes.ts";
import { withFile } from "./with-file.ts";

/** With all that lead to it, but for a served home. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  refuseInGoneHome(path);
  const first = await mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) });
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
