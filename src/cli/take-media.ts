// Files that a person hands over with a message. Those outside of the workspace are copied to where the file tools may
// read them: naming a file is a yes to that one, not to its folder.

import { stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { copyToFile, makeFolder } from "../storage/files/change-files.ts";
import { CommandFailure } from "./command-failure.ts";

export interface MediaPlace {
  /** Files in it are read where they are. */
  workspace?: string;
  /** The home's folder of media. */
  folder: string;
  clock: Clock;
  words: Words;
}

export function takeMedia(paths: readonly string[], place: MediaPlace): Promise<string[]> {
  return Promise.all(paths.map((path, index) => takeOne(resolve(path), index, place)));
}

async function takeOne(
  path: string,
  index: number,
  { workspace, folder, clock, words }: MediaPlace,
): Promise<string> {
  const target = join(folder, "cli", `${clock.now()}-${index}-${basename(path)}`);
  try {
    const isFile = (await stat(path)).isFile();
    // What is no plain file is explained where the message is put together.
    const isReadable = workspace !== undefined && !relative(workspace, path).startsWith("..");
    if (!isFile || isReadable) return path;
    await makeFolder(join(folder, "cli"), 0o700);
    await copyToFile(path, target);
    return target;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailure(words.failure.noMedia(path, code), 2);
  }
}
