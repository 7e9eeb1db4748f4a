// What the Python original left of its schedule: files that older versions kept in the home and that belong to the workspace
// now, and cron/action.jsonl, what it was asked for while its scheduler did not run. Each step can be repeated after a crash.
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import { keepCopy, makeFolder, moveFile, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { StateFile } from "../files/state-file.ts";
import type { HomePaths } from "../home.ts";
import { jobFilePath } from "../jobs/job-file.ts";

export interface OldScheduleFile {
  from: string;
  to: string;
}

/** In the order in which they are to be moved. None when the workspace has jobs already. */
export async function listOldSchedule({ home }: HomePaths, workspace: string): Promise<OldScheduleFile[]> {
  if (await isFile(jobFilePath(workspace))) return [];
  // The jobs last: while they are in the old place, the move is not done.
  const files = [actionsPath, jobFilePath].map((place) => ({ from: place(home), to: place(workspace) }));
  const existing = await Promise.all(files.map(({ from }) => isFile(from)));
  return files.filter((_, index) => existing[index]);
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

export function actionsPath(workspace: string): string {
  return join(workspace, "cron", "action.jsonl");
}

/** Returns how many jobs were changed, and where the file is now; undefined when there is none. */
export async function replayActions(
  workspace: string,
  now: number,
): Promise<{ jobs: number; kept: string } | undefined> {
  const path = actionsPath(workspace);
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  if (text === undefined) return undefined;
  const actions = text.split("\n").flatMap((line) => toAction(parseJson(line)));
  if (actions.length > 0) await apply(new StateFile(jobFilePath(workspace), { keepsMode: true }), actions);
  // Lines that were not understood stay in it.
  const kept = `${path}.replayed-${now}`;
  await moveFile(path, kept);
  return { jobs: new Set(actions.map(({ id }) => id)).size, kept };
}

interface Action {
  id: string;
  /** Undefined: it is removed. */
  job: JsonObject | undefined;
}

async function apply(file: StateFile, actions: readonly Action[]): Promise<void> {
  const { jobs, ...keys } = (await file.read()).value ?? { version: 1 };
  const rows: unknown[] = Array.isArray(jobs) ? [...jobs] : [];
  for (const { id, job } of actions) {
    const at = rows.findIndex((row) => isRecord(row) && row.id === id);
    if (at === -1 && job !== undefined) rows.push(job);
    else if (at !== -1)
      rows.splice(at, 1, ...(job === undefined ? [] : [{ ...(rows[at] as JsonObject), ...job }]));
  }
  await file.write({ ...keys, jobs: rows });
}

function toAction(value: unknown): Action[] {
  if (!isRecord(value) || !isRecord(value.params)) return [];
  const { action, params } = value;
  const id = params.id ?? params.job_id ?? params.jobId;
  if (typeof id !== "string" || id === "") return [];
  if (action === "del" || action === "remove") return [{ id, job: undefined }];
  return action === "add" || action === "update" ? [{ id, job: params }] : [];
}
