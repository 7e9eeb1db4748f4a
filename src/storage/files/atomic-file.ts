// Whole files replaced in one step: a reader sees the old content or the new, never half of it.
import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { announceChange, durabilityOf } from "../served-homes.ts";
import { makeFolder } from "./change-files.ts";
import { ignoreMissing } from "./plain-file.ts";
import { failedWriting } from "./stored-file-error.ts";
import { syncFolder, withFile } from "./with-file.ts";

export interface AtomicWriteOptions {
  /** Mode of a new file; an existing one keeps its own unless `forceMode`. Default 0600. */
  mode?: number;
  forceMode?: boolean;
  /** Of a folder that is made for it. */
  folderMode?: number;
  /** Under which it is known, where the given path leads through an open folder. */
  realPath?: string;
  /** False where something that follows is committed and this with it. */
  commits?: boolean;
}

export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, forceMode = false, folderMode, realPath = path, commits = true }: AtomicWriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder, folderMode);
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
