// What commands about jobs, people, messages and money work on: the gateway of this home if one runs, otherwise its
// files. Needs no model.

import { HomeState } from "../app/home-state.ts";
import { type Reached, reachControl } from "../app/reach-control.ts";
import type { HomePaths } from "../config/home.ts";
import { systemClock } from "../lib/clock.ts";
import { createHomeLock } from "../lib/home-lock.ts";
import { createIds } from "../lib/ids.ts";
import { silentLog } from "../lib/log.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";
import type { GlobalOptions } from "./command-line.ts";
import { readConfig } from "./read-config.ts";
import type { Terminal } from "./terminal.ts";

export interface OpenedControl extends Reached {
  paths: HomePaths;
  timeZone: string;
}

export async function withControl<T>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (opened: OpenedControl) => Promise<T>,
): Promise<T> {
  const { env, words } = terminal;
  const { paths, loaded } = await readConfig(options, terminal);
  const { workspace, timezone: timeZone = readSystemTimeZone(env) } = loaded.config.agents.defaults;
  const ids = createIds(systemClock);
  const ground = { paths, workspace, clock: systemClock, ids, log: silentLog, words, timeZone };
  const state = new HomeState(ground);
  const lock = createHomeLock({ home: paths.home, clock: systemClock });
  try {
    return await work({ ...(await reachControl({ paths, state, lock, words })), paths, timeZone });
  } finally {
    await state.close();
    lock.close();
  }
}
