// What onboarding begins with: the config as it is and a workspace that can be one. Changes nothing.
import { checkWorkspace } from "../../app/check-places.ts";
import { loadConfig } from "../../config/load.ts";
import { tellProblems } from "../../config/problem.ts";
import { resolveHome } from "../../storage/home.ts";
import { CommandFailure } from "../command-failure.ts";
import type { OnboardOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";
import type { Onboarding } from "./onboarding.ts";

/** A config that cannot be read is not built upon; one that only lacks variables may be repaired here. */
export async function openOnboarding(options: OnboardOptions, context: CommandContext): Promise<Onboarding> {
  const { terminal, signal } = context;
  const { env, words } = terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const place = { home: paths, env, workspaceOverride: options.workspace };
  const found = await loadConfig(place);
  const isRepairable =
    found.problems.length > 0 &&
    found.problems.every(({ phrase }) => phrase.code === "config.variable-not-set");
  const loaded = isRepairable ? await loadConfig({ ...place, leavesOutMissing: true }) : found;
  if (!loaded.ok || loaded.source === "last-good") {
    throw new CommandFailure(words.onboard.notSaved(tellProblems(loaded.problems, words).join("; ")));
  }
  const unusable = await checkWorkspace(loaded.config.agents.defaults.workspace, words);
  if (unusable !== undefined) throw new CommandFailure(unusable);
  const { createTryModel } = await import("../../app/onboard/try-model.ts");
  const tryModel = createTryModel({ loaded, env, signal });
  return { ...context, options, paths, loaded, tryModel };
}
