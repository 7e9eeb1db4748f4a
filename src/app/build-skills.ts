// The skills of the assistant, with what their requirements are measured against.
import { resolve } from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { createChildEnvironment } from "../guards/child-environment.ts";
import { createProgramLookup } from "../guards/program-lookup.ts";
import type { Log } from "../lib/log.ts";
import { SkillsLoader } from "../skills/loader.ts";
import { expandTilde, type HomePaths } from "../storage/home.ts";

export interface SkillParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Those that are not used now; default: as the config says. */
  disabledSkills?(): readonly string[];
}

/** `tools` names those that are registered; asked for only when skills are looked at. */
export function buildSkills(
  { paths, loaded, workspace, env, log, disabledSkills }: SkillParts,
  tools: () => string[],
): SkillsLoader {
  const { skills, agents, tools: settings } = loaded.config;
  const { pathPrepend, pathAppend, allowedEnvKeys } = settings.exec;
  const seen = createChildEnvironment({ from: env, pathPrepend, pathAppend, allowedKeys: allowedEnvKeys });
  const { PATH = "", PATHEXT } = seen;
  return new SkillsLoader({
    workspace,
    home: paths.home,
    directories: skills.directories.map((folder) => resolve(paths.home, expandTilde(folder, env))),
    disabled: disabledSkills ?? (() => agents.defaults.disabledSkills),
    summaryTokens: skills.summaryTokens,
    env,
    programs: createProgramLookup(PATH, PATHEXT?.split(";")),
    isPassedOn: (variable) => variable in seen,
    tools,
    log,
  });
}
