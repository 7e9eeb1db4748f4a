// Files below a root that are named by relative paths. Links are not followed, neither the file's nor its folders':
// what they lead to may belong to another person.
import { constants, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { removeFile, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { FileFaultError } from "../files/stored-file-error.ts";

/** "absent": there is none. "foreign": a link, a folder or a giant, which is left alone. */
export type TrackedContent = Buffer | "absent" | "foreign";

const largest = 4 * 1024 * 1024;

export async function readTracked(root: string, path: string): Promise<TrackedContent> {
  if (!isTrackable(root, path)) return "foreign";
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(join(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ignoreMissing);
  if (file === undefined) return "absent";
  try {
    const { size } = await file.stat();
    return size <= largest ? await file.readFile() : "foreign";
  } finally {
    await file.close();
  }
}

/** "" for what is not there or left alone. */
export async function readTrackedText(root: string, path: string): Promise<string> {
  const content = await readTracked(root, path);
  return typeof content === "string" ? "" : content.toString("utf8");
}

/** "absent" removes it. */
export async function writeTracked(root: string, path: string, content: TrackedContent): Promise<void> {
  if (content === "foreign" || !isTrackable(root, path))
    throw new FileFaultError("not-plain", join(root, path));
  if (content === "absent") await removeFile(join(root, path));
  else await writeFileAtomic(join(root, path), content);
}

function isTrackable(root: string, path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => /^(?:\.{0,2}|\.git)$|[\\\0]/i.test(part))) return false;
  return parts.every((_, index) => {
    const status = lstatSync(join(root, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
    return status === undefined || (index + 1 < parts.length ? status.isDirectory() : status.isFile());
  });
}
