// Files that a person hands over with a message. Those outside of the workspace are copied to where the file tools may
// read them: naming a file is a yes to that one, not to its folder.
import { copyFile, mkdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { Clock } from "../lib/clock.ts";

export interface MediaPlace {
  workspace: string;
  /** The home's folder of media. */
  folder: string;
  clock: Clock;
}

export function takeMedia(paths: readonly string[], place: MediaPlace): Promise<string[]> {
  return Promise.all(paths.map((path, index) => takeOne(resolve(path), index, place)));
}

async function takeOne(
  path: string,
  index: number,
  { workspace, folder, clock }: MediaPlace,
): Promise<string> {
  const isInside = !relative(workspace, path).startsWith("..");
  if (isInside) return path;
  const target = join(folder, "cli", `${clock.now()}-${index}-${basename(path)}`);
  try {
    // What is no plain file is explained where the message is put together.
    if (!(await stat(path)).isFile()) return path;
    await mkdir(join(folder, "cli"), { recursive: true, mode: 0o700 });
    await copyFile(path, target);
    return target;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return path;
  }
}
