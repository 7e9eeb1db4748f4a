// A file that is open exactly as long as the work on it lasts.
import { type FileHandle, open } from "node:fs/promises";

export async function withFile<T>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
