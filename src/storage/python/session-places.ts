// Sessions in the places and under the names of older versions of the Python original, taken over at the start. Each is copied with
// verification, a second copy is kept under `<home>/backup/sessions`, and only then the old file goes.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile, lstat, readdir, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { makeFolder, removeFile } from "../files/change-files.ts";
import { ignoreMissing, publishNew } from "../files/plain-file.ts";
import { FileFaultError, toSessionFileError } from "../files/stored-file-error.ts";
import { syncFolder, withFile } from "../files/with-file.ts";
import { readHead, type SessionHead } from "../sessions/session-cards.ts";
import type { SessionManagerOptions } from "../sessions/session-folder.ts";
import { fromStem, parseFileName, toFileName, toStem } from "../sessions/session-name.ts";

export interface MigrationOptions extends SessionManagerOptions {
  /** Where the sessions of this workspace are now. */
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

/** False when the name is taken by something that does not begin with the same bytes. */
async function copyVerified(source: string, target: string): Promise<boolean> {
  const { size, atime, mtime } = await stat(source);
  const hash = await hashStart(source, size);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${hash.slice(0, 16)}.tmp`);
  // A crash may have left it behind.
  await rm(temporary, { force: true });
  if ((await stat(target).catch(ignoreMissing)) !== undefined)
    return (await hashStart(target, size)) === hash;
  await makeFolder(dirname(target));
  await copyFile(source, temporary);
  await chmod(temporary, 0o600);
  await utimes(temporary, atime, mtime);
  await withFile(temporary, "r+", (file) => file.sync());
  if ((await hashStart(temporary, size)) !== hash) throw new FileFaultError("changed-while-copied", source);
  const isNew = await publishNew(temporary, target);
  await syncFolder(dirname(target));
  return isNew || (await hashStart(target, size)) === hash;
}

/** Under the first of the names `x.jsonl`, `x.2.jsonl`, `x.3.jsonl` ... that is free or already holds these bytes. */
async function copyAside(source: string, folder: string): Promise<string> {
  const { base, name, ext } = parse(source);
  for (let number = 1; ; number++) {
    const target = join(folder, number === 1 ? base : `${name}.${number}${ext}`);
    if (await copyVerified(source, target)) return target;
  }
}

/** Of the first bytes: a file that was appended to since still counts as the copy that it was. */
async function hashStart(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  if (size > 0) for await (const chunk of createReadStream(path, { end: size - 1 })) hash.update(chunk);
  return hash.digest("hex");
}
