// Copies that are known to be whole: written aside, compared by hash, then given their name at once.
// Nothing is ever overwritten, and everything can be repeated after a crash.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { makeFolder } from "./change-files.ts";
import { ignoreMissing, publishNew } from "./plain-file.ts";
import { FileFaultError } from "./stored-file-error.ts";
import { syncFolder, withFile } from "./with-file.ts";

/** False when the name is taken by something that does not begin with the same bytes. */
export async function copyVerified(source: string, target: string): Promise<boolean> {
  const { size, atime, mtime } = await stat(source);
  const hash = await hashStart(source, size);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${hash.slice(0, 16)}.tmp`);
  // A crash may have left it behind.
  await rm(temporary, { force: true });
  if ((await stat(target).catch(ignoreMissing)) !== undefined)
    return (await hashStart(target, size)) === hash;
  await makeFolder(dirname(target), 0o700);
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
export async function copyAside(source: string, folder: string): Promise<string> {
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
