// What operations about an installation work on: its config and files as they are. Nothing is opened for them.

import type { LoadedConfig } from "../config/load.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { HomePaths } from "../storage/home.ts";
import type { SaveConfig } from "./config/save-config.ts";
import type { StagedSkills } from "./skills/staged-skills.ts";

/** Of everything. */
export interface Surroundings {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  workspace: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Of times that name no zone. */
  timeZone: string;
  /** As it is now. */
  loaded(): LoadedConfig;
  saveConfig: SaveConfig;
}

export interface InstallationServices extends Surroundings {
  /** Judged as the assistant itself would judge them. */
  skills(): Promise<SkillsLoader>;
  stagedSkills: StagedSkills;
}
