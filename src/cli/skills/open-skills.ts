// The skills of an installation for a command, judged as the assistant itself would judge them.
import { buildTools } from "../../app/build-tools.ts";
import { type HomePaths, resolveHome } from "../../config/home.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { tellProblems } from "../../config/problem.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import { CommandFailure } from "../command-failure.ts";
import type { GlobalOptions } from "../command-line.ts";
import type { Terminal } from "../terminal.ts";

export interface OpenedSkills {
  paths: HomePaths;
  loaded: LoadedConfig;
  loader: SkillsLoader;
}

export async function openSkills(options: GlobalOptions, { env, words }: Terminal): Promise<OpenedSkills> {
  const paths = resolveHome({ env, configPath: options.config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  const { workspace } = loaded.config.agents.defaults;
  const built = buildTools({ paths, loaded, workspace, env, clock: systemClock, log: silentLog });
  return { paths, loaded, loader: built.skills };
}
