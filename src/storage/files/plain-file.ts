// Small files that must be what they seem: a link in their place is refused, a missing one is no error.
import { constants, linkSync, renameSync } from "node:fs";
import { lstat, realpath, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { announceChange } from "../served-homes.ts";
import { FileFaultError } from "./stored-file-error.ts";
import { openVerified } from "./verified-open.ts";
import { withFile } from "./with-file.ts";

/** What file systems without hard links say. */
const hasNoLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Handler for a promise about a path: undefined when nothing is there. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

/** Zeros and the like: what a power cut can leave in a file of ours, and no path or name of ours holds. */
export function hasControls(text: string): boolean {
  return [...text].some((sign) => sign < " " || sign === "\u007f" || sign === "\ufffd");
}

/** The text of a regular file, empty where it is larger than the limit; undefined when there is none. */
export async function readPlainFile(path: string, limit: number): Promise<string | undefined> {
  const status = await lstat(path).catch(ignoreMissing);
  if (status === undefined) return undefined;
  if (!status.isFile()) throw new FileFaultError("not-plain", path);
  // Nothing of ours is so large: it says nothing.
  if (status.size > limit) return "";
  const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
  return withFile(path, O_RDONLY | O_NOFOLLOW, (file) => file.readFile("utf8")).catch(ignoreMissing);
}

/** The beginning of a regular file below a folder; undefined when there is none. A link is refused if it leads out of the folder. */
export async function readBelow(folder: string, name: string, limit: number): Promise<string | undefined> {
  const path = join(folder, name);
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]).catch(
    (error) => ignoreMissing(error) ?? [],
  );
  if (root === undefined || real === undefined) return undefined;
  if (relative(root, real).split(sep)[0] === "..") throw new FileFaultError("not-plain", path);
  const file = await openVerified(real);
  try {
    if ((await file?.stat())?.isFile() !== true) throw new FileFaultError("not-plain", path);
    const result = await file?.read(Buffer.alloc(limit), 0, limit, 0);
    return result?.buffer.toString("utf8", 0, result.bytesRead);
  } finally {
    await file?.close();
  }
}

/** Gives a finished temporary file its name, which nobody may have yet; false when it is taken. */
export async function publishNew(temporary: string, path: string): Promise<boolean> {
  try {
    linkSync(temporary, path);
    announceChange(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!hasNoLinks.includes(code)) await rm(temporary, { force: true });
    if (code === "EEXIST") return false;
    if (!hasNoLinks.includes(code)) throw error;
    renameSync(temporary, path);
    announceChange(path);
    return true;
  }
  await rm(temporary);
  return true;
}

export async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(ignoreMissing);
  if (stats?.isSymbolicLink()) throw new FileFaultError("not-plain", path);
}
