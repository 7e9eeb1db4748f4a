// A file that is open exactly while the work on it lasts, and ranges of one.
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

export async function withFile<T>(
  path: string,
  flags: string | number,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** At most `length` bytes from an offset on. A pipe in the file's place holds nobody up. */
export function readRange(path: string, start: number, length: number): Promise<Buffer> {
  return withFile(path, constants.O_RDONLY | constants.O_NONBLOCK, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  });
}

/** All of a file; undefined when it has more than `most` bytes. A pipe in the file's place holds nobody up. */
export function readWithin(path: string, most: number): Promise<Buffer | undefined> {
  return withFile(path, constants.O_RDONLY | constants.O_NONBLOCK, async (file) =>
    (await file.stat()).size > most ? undefined : file.readFile(),
  );
}

/** The last bytes as text; its first line may be cut. */
export async function readTail(path: string, most: number): Promise<string> {
  const { size } = await stat(path);
  return (await readRange(path, Math.max(0, size - most), Math.min(size, most))).toString("utf8");
}

/** Makes a new name durable. File systems that cannot sync a folder are left alone. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await withFile(folder, "r", (handle) => handle.sync()).catch((error: NodeJS.ErrnoException) => {
    if (!["EINVAL", "ENOTSUP", "EPERM"].includes(error.code ?? "")) throw error;
  });
}
