// The skills of an installation: their folders, and what their requirements are checked against.
import { createChildEnvironment, createProgramLookup } from "../guards/sandbox/child-environment.ts";
import type { Log } from "../lib/log.ts";
import type { HomePaths } from "../storage/home.ts";
import type { ExecConfig } from "../tools/config.ts";
import type { SkillsConfig } from "./config.ts";
import { SkillsLoader } from "./loader.ts";

export interface OpenSkillsOptions {
  paths: HomePaths;
  workspace: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  settings: SkillsConfig;
  /** Skills require programs and variables that commands can use. */
  exec: Pick<ExecConfig, "pathPrepend" | "pathAppend" | "allowedEnvKeys">;
  /** Names of skills that are not used at the moment. */
  disabled(): readonly string[];
  /** Names of the registered tools; called when skills are judged. */
  tools(): readonly string[];
}

export function openSkills(options: OpenSkillsOptions): SkillsLoader {
  const { paths, env, settings, exec } = options;
  const { pathPrepend, pathAppend, allowedEnvKeys: allowedKeys } = exec;
  const passedOn = createChildEnvironment({ from: env, pathPrepend, pathAppend, allowedKeys });
  const { PATH = "", PATHEXT } = passedOn;
  return new SkillsLoader({
    ...options,
    home: paths.home,
    directories: settings.directories,
    summaryTokens: settings.summaryTokens,
    programs: createProgramLookup(PATH, PATHEXT?.split(";")),
    isPassedOn: (variable) => variable in passedOn,
  });
}
