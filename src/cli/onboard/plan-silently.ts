// Onboarding without a question: flags and environment say everything, or it fails and says what is missing.

import { findLocalServers } from "../../api/models/local-servers.ts";
import type { Plan } from "../../api/models/plan.ts";
import { say } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { knownHosts } from "../../llm/hosts.ts";
import { CommandFailure } from "../command-failure.ts";
import { readPipedText } from "../piped-text.ts";
import { type Onboarding, tryAloud } from "./onboarding.ts";
import { planFromFlags } from "./plan-from-flags.ts";

export async function planSilently(onboarding: Onboarding): Promise<Plan> {
  const { options, terminal, loaded, signal } = onboarding;
  const { env, words } = terminal;
  const plan = await planFromFlags({
    options,
    env,
    words,
    loaded,
    ...(options.apiKeyStdin === true && { pipedKey: await readKey(onboarding) }),
    findServers: () => findLocalServers(knownHosts, signal),
  });
  if (!options.test) return plan;
  checkVariable(plan, onboarding);
  const { trial, plan: tried } = await tryAloud(plan, onboarding);
  if (!trial.ok) throw new CommandFailure(neutralise(words.onboard.trialFailed(say(trial.problem, words))));
  return tried;
}

async function readKey({ terminal, signal }: Onboarding): Promise<string> {
  const { stdin, words } = terminal;
  const text = await readPipedText({ stdin, hasMessage: false, words, say: () => {}, signal });
  const key = text.trim();
  if (key === "" || /\s/.test(key)) throw new CommandFailure(words.onboard.noKeyOnStdin, 2);
  return key;
}

function checkVariable({ key }: Plan, { terminal: { env, words } }: Onboarding): void {
  if (key.kind !== "variable" || env[key.variable]?.trim()) return;
  throw new CommandFailure(words.onboard.variableNotSet(key.variable));
}
