// The skills of an installation for a command, judged as the assistant itself would judge them.
import { join } from "node:path";
import { buildTools } from "../../app/build-tools.ts";
import type { HomePaths } from "../../config/home.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { TaintedFiles } from "../../guards/tainted-files.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { createRedactor } from "../../lib/redact.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import type { GlobalOptions } from "../command-line.ts";
import { readConfig } from "../read-config.ts";
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
  cron: { open: neverCalled, timeZone: "UTC" },
};

export async function openSkills(options: GlobalOptions, terminal: Terminal): Promise<OpenedSkills> {
  const { env } = terminal;
  const { paths, loaded } = await readConfig(options, terminal);
  const { workspace } = loaded.config.agents.defaults;
  const guards = { redactor: createRedactor(), tainted: new TaintedFiles(join(paths.home, "taint.jsonl")) };
  const parts = { paths, loaded, workspace, env, clock: systemClock, log: silentLog, ...guards };
  const built = buildTools({ ...parts, ...namedOnly });
  return { paths, loaded, loader: built.skills };
}
