// Onboarding with a person: asks for what no flag says, and again after a trial that failed.

import { findLocalServers } from "../../api/models/local-servers.ts";
import type { KeySource, Plan } from "../../api/models/plan.ts";
import { say as sayPhrase } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { knownHosts } from "../../llm/hosts.ts";
import { type Onboarding, say, tryAloud } from "./onboarding.ts";
import { findFlaggedHost } from "./plan-from-flags.ts";
import { type HostAnswer, OnboardQuestions } from "./questions.ts";

export async function planTogether(onboarding: Onboarding): Promise<Plan> {
  const { options, terminal } = onboarding;
  const questions = await OnboardQuestions.open(terminal);
  say(onboarding, terminal.words.onboard.intro);
  const { host, apiBase, models } = await findPlace(onboarding, questions);
  const key: KeySource =
    options.apiKeyEnv === undefined
      ? await questions.askKey(host)
      : { kind: "variable", variable: options.apiKeyEnv };
  const model = options.model ?? (await questions.askModel(host, models));
  const plan: Plan = { host, model, key, ...(apiBase !== undefined && { apiBase }) };
  return options.test ? tryUntilContent(plan, models, { ...onboarding, questions }) : plan;
}

async function findPlace(
  { options, terminal, signal }: Onboarding,
  questions: OnboardQuestions,
): Promise<HostAnswer> {
  const servers = await findLocalServers(knownHosts, signal);
  const host = findFlaggedHost(options, terminal.words);
  if (host === undefined) return questions.askHost(servers);
  const models = servers.find((server) => server.host.name === host.name)?.models ?? [];
  return { host, models, apiBase: options.apiBase };
}

async function tryUntilContent(
  first: Plan,
  models: string[],
  onboarding: Onboarding & { questions: OnboardQuestions },
): Promise<Plan> {
  const { terminal, questions } = onboarding;
  let plan = first;
  for (;;) {
    const { trial, plan: tried } = await tryAloud(plan, onboarding);
    if (trial.ok) return tried;
    terminal.stderr.write(
      `${terminal.sideStyle.bad(neutralise(sayPhrase(trial.problem, terminal.words)))}\n`,
    );
    const next = await questions.askAfterFailure(plan.host);
    if (next === "keep") return plan;
    if (next === "key") plan = { ...plan, key: await questions.enterKey(plan.host) };
    if (next === "model") plan = { ...plan, model: await questions.askModel(plan.host, models) };
  }
}
