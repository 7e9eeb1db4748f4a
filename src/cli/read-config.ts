// The config for a command: loaded, its problems as a failure, and the way to save a change.
import { createSaveConfig, type SaveConfig } from "../api/config/save-config.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { tellProblems } from "../config/problem.ts";
import { systemClock } from "../lib/clock.ts";
import { neutralise } from "../lib/visible-text.ts";
import { type HomePaths, resolveHome } from "../storage/home.ts";
import type { GlobalOptions } from "./command-line/options.ts";
import { CommandFailure } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

export async function readConfig(
  { config, workspace }: GlobalOptions,
  { env, words }: Pick<Terminal, "env" | "words">,
): Promise<{ paths: HomePaths; loaded: LoadedConfig }> {
  const paths = resolveHome({ env, configPath: config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  return { paths, loaded };
}

export interface OpenedConfig {
  paths: HomePaths;
  /** As it is now. */
  loaded(): LoadedConfig;
  saveConfig: SaveConfig;
}

/** The same, for a command that may change it. */
export async function openConfig(
  options: GlobalOptions,
  terminal: Pick<Terminal, "env" | "words">,
): Promise<OpenedConfig> {
  const { env } = terminal;
  const { paths, loaded } = await readConfig(options, terminal);
  let current: LoadedConfig = loaded;
  const reload = async () => {
    const fresh = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
    if (fresh.ok) current = fresh;
    return fresh.problems;
  };
  const saveConfig = createSaveConfig({ paths, env, clock: systemClock, reload });
  return { paths, loaded: () => current, saveConfig };
}
