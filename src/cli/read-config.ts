// The home and the config of a command; a config that cannot be used is a failure that says why.
import { type HomePaths, resolveHome } from "../config/home.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { tellProblems } from "../config/problem.ts";
import { neutralise } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { GlobalOptions } from "./command-line.ts";
import type { Terminal } from "./terminal.ts";

export async function readConfig(
  { config, workspace }: GlobalOptions,
  { env, words }: Pick<Terminal, "env" | "words">,
): Promise<{ paths: HomePaths; loaded: LoadedConfig }> {
  const paths = resolveHome({ env, configPath: config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  return { paths, loaded };
}
