// Opens exactly the path that was checked. Between check and open a folder can be replaced by a symbolic link, so what
// was opened is looked at again; on Linux through the open file itself, which no later replacement can change.
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";

// Without O_NONBLOCK a pipe put in place of the file would block until another process writes to it.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined when something else was there by the time it was opened. `real` is free of symbolic links. */
export async function openVerified(real: string, extraFlags = 0): Promise<FileHandle | undefined> {
  const handle = await openNoFollow(real, readFlags | extraFlags);
  if (handle === undefined) return undefined;
  try {
    if (await isAt(handle, real)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** A folder that stays the same one while it is held, whatever happens to its name. */
export interface HeldFolder {
  /** Leads into the held folder; for system calls, not for showing. */
  path: string;
  close(): Promise<void>;
}

export async function holdFolder(real: string): Promise<HeldFolder | undefined> {
  // Windows opens no folders; there its name has to do.
  if (process.platform === "win32") return { path: real, close: async () => {} };
  const handle = await openVerified(real, constants.O_DIRECTORY);
  if (handle === undefined) return undefined;
  const path = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : real;
  return { path, close: () => handle.close() };
}

async function openNoFollow(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return undefined;
    throw error;
  }
}

async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  if (process.platform === "linux") return (await readlink(`/proc/self/fd/${handle.fd}`)) === real;
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev && (await realpath(real)) === real;
}
