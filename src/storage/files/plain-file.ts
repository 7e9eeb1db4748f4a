// Small files that must be what they seem: a link in their place is refused, a missing one is no error.
import { constants, linkSync, renameSync } from "node:fs";
import { lstat, rm } from "node:fs/promises";
import { announceChange } from "../served-homes.ts";
import { FileFaultError } from "./stored-file-error.ts";
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
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new FileFaultError("not-plain", path);
  // Nothing of ours is so large: it says nothing.
  if (found.size > limit) return "";
  const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
  return withFile(path, O_RDONLY | O_NOFOLLOW, (file) => file.readFile("utf8")).catch(ignoreMissing);
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
  const found = await lstat(path).catch(ignoreMissing);
  if (found?.isSymbolicLink()) throw new FileFaultError("not-plain", path);
}
