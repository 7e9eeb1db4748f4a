// Makes a home of the Python original ours at the first start. Sessions are moved by storage/; the config stays as
// it is until it is saved.

import { dirname, relative } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { StateFileError } from "../storage/files/state-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { readMovedIn, writeMovedIn } from "../storage/python/moved-in.ts";
import {
  actionsPath,
  listOldSchedule,
  moveOldSchedule,
  replayActions,
} from "../storage/python/old-schedule.ts";
import { takeTriggers } from "../storage/python/old-triggers.ts";
import { findPythonGateway } from "../storage/python/python-gateway.ts";
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
  const moved = [...(await moveSchedule(options)), ...(await replayPending(options))];
  return [...moved, ...(await moveTriggers(options)), ...(await leaveMark(options))];
}

async function leaveMark({ home, load }: MoveInOptions): Promise<Problem[]> {
  if (load.source === "last-good") return [];
  const { movedIn, unchosen } = load;
  if (movedIn !== undefined && movedIn.unset.length === unchosen.length) return [];
  return await attempt(home.movedIn, home, async () => {
    await writeMovedIn(home, { unset: unchosen, isWritten: movedIn?.isWritten ?? false });
    return [];
  });
}

/** Older versions kept the schedule in the home; now it belongs to the workspace. */
async function moveSchedule({ home, load, clock }: MoveInOptions): Promise<Problem[]> {
  if (load.isWorkspaceOverridden) return [];
  const warnings: Problem[] = [];
  for (const file of await listOldSchedule(home, load.config.agents.defaults.workspace)) {
    const moved = await attempt(file.from, home, async () => {
      const copy = await moveOldSchedule(file, { home, clock });
      return [toProblem(relative(home.home, file.from), "config.moved", { to: file.to, copy })];
    });
    warnings.push(...moved);
  }
  return warnings;
}

/** Jobs that the original's commands have left for its gateway. */
async function replayPending({ home, load, clock }: MoveInOptions): Promise<Problem[]> {
  const { workspace } = load.config.agents.defaults;
  const path = actionsPath(workspace);
  return attempt(path, home, async () => {
    const replayed = await replayActions(workspace, clock.now());
    return replayed === undefined || replayed.jobs === 0
      ? []
      : [toProblem(relative(home.home, path), "config.jobs-taken-over", replayed)];
  });
}

/** Once: one that was removed here does not come back. */
async function moveTriggers({ home, load, clock }: MoveInOptions): Promise<Problem[]> {
  if (load.movedIn !== undefined || load.isWorkspaceOverridden) return [];
  return attempt(home.triggers, home, async () => {
    const count = await takeTriggers(load.config.agents.defaults.workspace, home.triggers, clock.now());
    return count === 0 ? [] : [toProblem("triggers", "config.triggers-taken-over", { count })];
  });
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

/** Settings that wait for the owner to confirm them, as they are now. */
export async function listUnconfirmed(home: HomePaths, { unchosen }: LoadedConfig): Promise<string[]> {
  const movedIn = await readMovedIn(home);
  return unchosen.filter((path) => movedIn?.unset.includes(path) ?? true);
}

/** Those that still wait; all others hold from the next start on. */
export async function keepUnconfirmed(home: HomePaths, unset: string[]): Promise<void> {
  const isWritten = (await readMovedIn(home))?.isWritten ?? false;
  await writeMovedIn(home, { unset, isWritten });
}
