// `nanobot onboard`: finds out which model shall answer, tries it, and only then writes config and workspace.

import { type Plan, toConfigPatch } from "../api/models/plan.ts";
import { copyTemplates } from "../app/workspace.ts";
import { loadConfig } from "../config/load.ts";
import { tellProblems } from "../config/problem.ts";
import { saveConfig } from "../config/save.ts";
import { systemClock } from "../lib/clock.ts";
import { CommandFailure } from "./command-failure.ts";
import type { OnboardOptions } from "./command-line.ts";
import { type Onboarding, say } from "./onboard/onboarding.ts";
import { openOnboarding } from "./onboard/open-onboarding.ts";
import { checkFlags } from "./onboard/plan-from-flags.ts";
import type { CommandContext } from "./terminal.ts";

export async function runOnboard(options: OnboardOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const { onboard } = terminal.words;
  checkFlags(options, terminal.words);
  if (options.yes !== true && !terminal.isInteractive) throw new CommandFailure(onboard.needsTerminal, 2);
  const onboarding = await openOnboarding(options, context);
  const plan =
    options.yes === true
      ? await (await import("./onboard/plan-silently.ts")).planSilently(onboarding)
      : await (await import("./onboard/plan-together.ts")).planTogether(onboarding);
  signal.throwIfAborted();
  await write(plan, onboarding);
  return 0;
}

async function write(plan: Plan, onboarding: Onboarding): Promise<void> {
  const { options, terminal, paths: home, loaded } = onboarding;
  const { env, words } = terminal;
  const folder = loaded.config.agents.defaults.workspace;
  const workspace = options.workspace === undefined ? undefined : folder;
  const saved = await saveConfig({ home, env, clock: systemClock, change: toConfigPatch(plan, workspace) });
  if (!saved.ok)
    throw new CommandFailure(words.onboard.notSaved(tellProblems(saved.problems, words).join("; ")));
  say(onboarding, words.onboard.saved(home.config));
  const made = await copyTemplates(folder, { hasBootstrap: options.skipBootstrap !== true });
  if (made.length > 0) say(onboarding, words.onboard.templates(made.length, folder));
  const { problems, warnings } = await loadConfig({ home, env });
  const missing = warnings.filter(({ phrase }) => phrase.code === "config.variable-not-set");
  for (const problem of tellProblems([...problems, ...missing], words)) say(onboarding, problem);
  say(onboarding, words.onboard.done);
}
