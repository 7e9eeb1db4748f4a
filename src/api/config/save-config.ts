// Writes a change of the config and applies it at once where possible.

import type { Problem } from "../../config/problem.ts";
import { type ConfigEdit, type ConfigPatch, saveConfig } from "../../config/save.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { HomePaths } from "../../storage/home.ts";

/**
 * Throws a UserError for what is not written, at that field of the params; gives what was written and cannot be used as
 * it is.
 */
export type SaveConfig = (change: ConfigPatch | ConfigEdit, field?: string) => Promise<Problem[]>;

export interface SaveConfigParts {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Uses what the file says now; gives why that cannot be. */
  reload(): Promise<Problem[]>;
}

export function createSaveConfig({ paths, env, clock, reload }: SaveConfigParts): SaveConfig {
  return async (change, field) => {
    const saved = await saveConfig({ home: paths, env, clock, change });
    if (saved.ok) return reload();
    const fields = saved.problems.map(({ path, ...problem }) => ({ ...problem, path: field ?? path }));
    throw new UserError(phrase("config.not-saved"), { fields });
  };
}
