// What every action of `nanobot mcp` works on, and the one way in which it changes the config.
import { type HomePaths, resolveHome } from "../../config/home.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { type Problem, tellProblems } from "../../config/problem.ts";
import { type ConfigPatch, saveConfig } from "../../config/save.ts";
import type { Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { CommandFailure } from "../command-failure.ts";
import type { McpOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";

export interface McpRequest {
  options: McpOptions;
  context: CommandContext;
  paths: HomePaths;
  loaded: LoadedConfig;
}

export async function openRequest(options: McpOptions, context: CommandContext): Promise<McpRequest> {
  const { env, words, stderr, sideStyle } = context.terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  if (!loaded.ok) throw toFailure(loaded.problems, words);
  for (const sentence of tellProblems(loaded.warnings, words))
    stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
  return { options, context, paths, loaded };
}

/** Servers to add, or null for those to remove. What else the file holds stays as it is. */
export async function saveServers({ context, paths }: McpRequest, mcpServers: ConfigPatch): Promise<void> {
  const { env, words } = context.terminal;
  const change = { tools: { mcpServers } };
  const saved = await saveConfig({ home: paths, env, clock: systemClock, change });
  if (!saved.ok) throw toFailure(saved.problems, words);
}

function toFailure(problems: Problem[], words: Words): CommandFailure {
  return new CommandFailure(neutralise(tellProblems(problems, words).join("\n")));
}
