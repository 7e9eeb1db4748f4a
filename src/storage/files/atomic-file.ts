// Whole files replaced in one step: a reader sees the old content or the new, never half of it.
import { randomBytes } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../home-presence.ts";
import { ignoreMissing } from "./plain-file.ts";
import { failedWriting } from "./stored-file-error.ts";
import { withFile } from "./with-file.ts";

export interface AtomicWriteOptions {
  /** Mode of a new file; an existing one keeps its own unless `forceMode`. Default 0600. */
  mode?: number;
  forceMode?: boolean;
}

export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, forceMode = false }: AtomicWriteOptions = {},
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
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    failedWriting(path)(error);
  }
  await syncFolder(folder);
}

/** Makes a new name durable. File systems that cannot sync a folder are left alone. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await withFile(folder, "r", (handle) => handle.sync()).catch((error: NodeJS.ErrnoException) => {
    if (!["EINVAL", "ENOTSUP", "EPERM"].includes(error.code ?? "")) throw error;
  });
}
