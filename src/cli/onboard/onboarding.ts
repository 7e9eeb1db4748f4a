// What the steps of onboarding share.

import type { Plan } from "../../api/models/plan.ts";
import { type Trial, type TryModel, tryBothSides } from "../../app/onboard/try-model.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { OnboardOptions } from "../command-line.ts";
import { formatDuration } from "../draw/figures.ts";
import type { CommandContext } from "../terminal.ts";

export interface Onboarding extends CommandContext {
  options: OnboardOptions;
  paths: HomePaths;
  loaded: LoadedConfig;
  tryModel: TryModel;
}

export function say({ terminal: { stderr } }: CommandContext, sentence: string): void {
  stderr.write(`${neutralise(sentence)}\n`);
}

/** Tries the plan and says what comes of it; the plan that comes back has the host that took the key. */
export async function tryAloud(plan: Plan, onboarding: Onboarding): Promise<{ trial: Trial; plan: Plan }> {
  const { onboard } = onboarding.terminal.words;
  say(onboarding, onboard.trying(plan.model, plan.host.label));
  const result = await tryBothSides(plan, onboarding.tryModel);
  if (result.trial.ok) {
    if (result.plan.host !== plan.host) say(onboarding, onboard.otherSide(result.plan.host.label));
    say(onboarding, onboard.works(formatDuration(result.trial.ms)));
  }
  return result;
}
