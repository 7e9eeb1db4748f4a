// Makes a home of the Python original ours at the first start. Sessions are moved by their own room; the config stays as
// it is until it is saved.

import { lstat, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { makeFolder, removeFile } from "../storage/files/change-files.ts";
import { StateFileError } from "../storage/files/state-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { writeMovedIn } from "../storage/python/moved-in.ts";
import { findPythonGateway } from "../storage/python/python-gateway.ts";
import { replayActions } from "../storage/python/replay-actions.ts";
import { keepCopy } from "./backup.ts";
import type { LoadedConfig } from "./load.ts";
import { type Problem, toProblem } from "./problem.ts";

export interface MoveInOptions {
  home: HomePaths;
  load: LoadedConfig;
  clock: Clock;
}

/** Returns what the user should know. Every step can be repeated, and a step that fails leaves the old state. */
export async function moveIn(options: MoveInOptions): Promise<Problem[]> {
  const pid = await findPythonGateway(options.home.run);
  if (pid !== undefined) return [toProblem("", "config.python-gateway", { pid })];
  return [...(await moveSchedule(options)), ...(await replayPending(options)), ...(await leaveMark(options))];
}

async function leaveMark({ home, load }: MoveInOptions): Promise<Problem[]> {
  if (load.source === "last-good") return [];
  const { movedIn, unchosen } = load;
  if (movedIn !== undefined && movedIn.unset.length === unchosen.length) return [];
  return await attempt(home.movedIn, home, async () => {
    await writeMovedIn(home.movedIn, { unset: unchosen, isWritten: movedIn?.isWritten ?? false });
    return [];
  });
}

/** Older versions kept the schedule beside the config; now it belongs to the workspace. */
async function moveSchedule({ home, load, clock }: MoveInOptions): Promise<Problem[]> {
  if (load.isWorkspaceOverridden) return [];
  const target = join(load.config.agents.defaults.workspace, "cron");
  const source = join(home.home, "cron");
  const hasOld = (await isFile(join(source, "jobs.json"))) || (await isFile(join(source, "action.jsonl")));
  if (!hasOld || (await isFile(join(target, "jobs.json")))) return [];
  const warnings: Problem[] = [];
  // The jobs last: as long as they stand in the old place, the move is not done.
  for (const name of ["action.jsonl", "jobs.json"]) {
    const from = join(source, name);
    if (!(await isFile(from))) continue;
    const moved = await attempt(from, home, async () => {
      const copy = await keepCopy(from, { home, clock });
      await makeFolder(target);
      await writeFileAtomic(join(target, name), await readFile(from));
      await removeFile(from);
      return [toProblem(relative(home.home, from), "config.moved", { to: join(target, name), copy })];
    });
    warnings.push(...moved);
  }
  return warnings;
}

/** Jobs that the original's commands have left for its gateway. */
async function replayPending({ home, load, clock }: MoveInOptions): Promise<Problem[]> {
  const folder = join(load.config.agents.defaults.workspace, "cron");
  const path = join(folder, "action.jsonl");
  return attempt(path, home, async () => {
    const replayed = await replayActions(folder, clock.now());
    return replayed === undefined || replayed.jobs === 0
      ? []
      : [toProblem(relative(home.home, path), "config.jobs-taken-over", replayed)];
  });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

async function attempt(path: string, home: HomePaths, step: () => Promise<Problem[]>): Promise<Problem[]> {
  try {
    return await step();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const shown = relative(home.home, path);
    if (error instanceof StateFileError) return [{ path: shown, phrase: error.phrase }];
    if (code === undefined) throw error;
    return [toProblem(shown, "config.not-moved", { folder: dirname(path), errno: code })];
  }
}
