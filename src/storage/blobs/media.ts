// Files of messages, read whole.
import { readFile, stat } from "node:fs/promises";
import { ignoreMissing } from "../files/plain-file.ts";

/** What is larger than `most` bytes is not read. */
export async function readMedia(path: string, most: number): Promise<Buffer | "gone" | "too-large"> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isFile() !== true) return "gone";
  return found.size > most ? "too-large" : readFile(path);
}
