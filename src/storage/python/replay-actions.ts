// cron/action.jsonl: what the Python original was asked for while its scheduler did not run, in its order. Brought into
// jobs.json once; each step can be repeated after a crash.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import { moveFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { StateFile } from "../files/state-file.ts";
import { jobFilePath } from "../jobs/job-file.ts";

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
