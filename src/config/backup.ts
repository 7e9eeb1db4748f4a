// Copies of what is about to be changed, in a folder named after the time: the way back.

import { dirname, join, relative } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { changeMode, copyToFile, makeFolder } from "../storage/files/change-files.ts";
import type { HomePaths } from "../storage/home.ts";

/** Copies a file of the home to the same place below `backup/<time>/`, and returns where that is. */
export async function keepCopy(
  path: string,
  { home, clock }: { home: HomePaths; clock: Clock },
): Promise<string> {
  const copy = join(home.backup, toFolderName(clock.now()), relative(home.home, path));
  await makeFolder(dirname(copy), 0o700);
  await copyToFile(path, copy);
  await changeMode(copy, 0o600);
  return copy;
}

/** `2026-08-01-100000`, in UTC. */
function toFolderName(ms: number): string {
  const [date = "", time = ""] = new Date(ms).toISOString().split("T");
  return `${date}-${time.slice(0, 8).replaceAll(":", "")}`;
}
