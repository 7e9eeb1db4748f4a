// The schedule where older versions of the Python original kept it: in the home. It belongs to the workspace now.
import { lstat, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { keepCopy, makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import type { HomePaths } from "../home.ts";
import { jobFilePath } from "../jobs/job-file.ts";
import { actionsPath } from "./replay-actions.ts";

export interface OldScheduleFile {
  from: string;
  to: string;
}

/** In the order in which they are to be moved. None when the workspace has jobs already. */
export async function listOldSchedule({ home }: HomePaths, workspace: string): Promise<OldScheduleFile[]> {
  if (await isFile(jobFilePath(workspace))) return [];
  // The jobs last: while they are in the old place, the move is not done.
  const files = [actionsPath, jobFilePath].map((place) => ({ from: place(home), to: place(workspace) }));
  const found = await Promise.all(files.map(({ from }) => isFile(from)));
  return files.filter((_, index) => found[index]);
}

/** Returns where a copy of the old file is. */
export async function moveOldSchedule(
  { from, to }: OldScheduleFile,
  place: { home: HomePaths; clock: Clock },
): Promise<string> {
  const copy = await keepCopy(from, place);
  await makeFolder(dirname(to));
  await writeFileAtomic(to, await readFile(from));
  await removeFile(from);
  return copy;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
