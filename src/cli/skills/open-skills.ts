// The skills of an installation for a command, judged as the assistant itself would judge them.
import { join } from "node:path";
import { buildTools } from "../../app/build-tools.ts";
import { createScheduleTool } from "../../app/schedule-tool.ts";
import { type HomePaths, resolveHome } from "../../config/home.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { tellProblems } from "../../config/problem.ts";
import { TaintedFiles } from "../../guards/tainted-files.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { createRedactor } from "../../lib/redact.ts";
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

function neverCalled(): never {
  throw new Error("a tool was called while skills were looked at");
}

/** Tools that need the running assistant: a skill that requires one is judged by its name. */
const namedOnly = {
  memory: { search: neverCalled, read: neverCalled },
  message: { canReach: neverCalled, publish: neverCalled, folder: "" },
  spawn: neverCalled,
  cron: createScheduleTool(neverCalled, "UTC"),
};

export async function openSkills(options: GlobalOptions, { env, words }: Terminal): Promise<OpenedSkills> {
  const paths = resolveHome({ env, configPath: options.config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  const { workspace } = loaded.config.agents.defaults;
  const guards = { redactor: createRedactor(), tainted: new TaintedFiles(join(paths.home, "taint.jsonl")) };
  const parts = { paths, loaded, workspace, env, clock: systemClock, log: silentLog, ...guards };
  const built = buildTools({ ...parts, ...namedOnly });
  return { paths, loaded, loader: built.skills };
}
