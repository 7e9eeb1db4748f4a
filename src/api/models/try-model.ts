// One real question to a model that is about to be configured, at the international and the Chinese address of its host
// if there are two.
import { connectModel, type ModelParts } from "../../agent/models/connect-model.ts";
import { createSignInsLoader } from "../../agent/models/load-sign-ins.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { systemClock } from "../../lib/clock.ts";
import { chooseModel, type ModelChoice, phraseModelProblem } from "../../llm/choice/choose-model.ts";
import { usualWindow } from "../../llm/config.ts";
import { toPhrase } from "../../llm/errors/provider-error.ts";
import { findHost } from "../../llm/hosts/hosts.ts";
import type { Provider, ProviderErrorKind } from "../../llm/types.ts";
import { LearntWindows, type ModelLimits } from "../../llm/wrappers/with-window.ts";
import type { HomePaths } from "../../storage/home.ts";
import { type AskOptions, listHostModels } from "./host-models.ts";
import { type Plan, toTrialInput } from "./plan.ts";

export type Trial =
  /** `contextWindow`: what the config should say of the model's window, where its host tells another one. */
  | { ok: true; ms: number; contextWindow?: number }
  | { ok: false; kind: ProviderErrorKind | "not-possible"; problem: Phrase };

export type TryModel = (plan: Plan) => Promise<Trial>;

export interface TryModelOptions {
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Of the home, with the tokens of hosts that are used with a subscription. */
  paths: HomePaths;
  /** Default: not counted; there may be no home yet that could hold a ledger. */
  count?: ModelParts["count"];
}

const uncounted = () => (provider: Provider) => provider;

const question = "Reply with the single word: ok";

export function createTryModel(options: TryModelOptions): TryModel {
  const { loaded, env, signal, count = uncounted, paths } = options;
  const signIns = createSignInsLoader({ paths, clock: systemClock, env });
  return async (plan) => {
    const input = toTrialInput(plan, loaded, env);
    const chosen = chooseModel(input);
    if (!chosen.ok) return { ok: false, kind: "not-possible", problem: phraseModelProblem(chosen.problem) };
    // With the limits of a real message: a host that refuses them says so now, and what it says is kept.
    const windows = new LearntWindows();
    const name = `${chosen.choice.host.name}/${chosen.choice.model}`;
    const limits = await findLimits(chosen.choice, { env, signal });
    if (limits !== undefined) windows.learn(name, limits, { isReported: true });
    const { provider, settings } = await connectModel(chosen, {
      input,
      clock: systemClock,
      count,
      windows,
      signIns,
    });
    const startedAt = systemClock.elapsed();
    const request = {
      ...settings,
      messages: [{ role: "user" as const, content: question }],
      attribution: { cause: "user" as const, sessionKey: "onboard", turnId: "onboard" },
    };
    for await (const event of provider.stream(request, signal)) {
      if (event.type !== "reply-end") continue;
      const { error } = event.reply;
      if (error !== undefined) return { ok: false, kind: error.kind, problem: toPhrase(error) };
    }
    const ms = systemClock.elapsed() - startedAt;
    // Some servers load a model with its window when it is first asked.
    const loadedLimits = loadsLater.has(chosen.choice.host.name)
      ? await findLimits(chosen.choice, { env, signal })
      : undefined;
    const reportedWindow = loadedLimits?.window ?? windows.of(name);
    const contextWindow =
      reportedWindow && toSetting(reportedWindow, loaded.config.agents.defaults.contextWindowTokens);
    return { ok: true, ms, ...(contextWindow !== undefined && { contextWindow }) };
  };
}

/** Not more than usual, unless the config already says more; undefined where it can stay. */
function toSetting(reported: number, configured: number): number | undefined {
  if (reported < configured) return reported;
  const most = Math.min(reported, usualWindow);
  return most > configured ? most : undefined;
}

export interface TrialOnBothSides {
  trial: Trial;
  /** With the host that took the key. */
  plan: Plan;
}

/** A key that one endpoint of a vendor rejects may belong to the other one. */
export async function tryBothSides(wanted: Plan, tryModel: TryModel): Promise<TrialOnBothSides> {
  const { trial, plan } = await tryEach(wanted, tryModel);
  const { contextWindow } = trial.ok ? trial : {};
  return contextWindow === undefined ? { trial, plan } : { trial, plan: { ...plan, contextWindow } };
}

async function tryEach(plan: Plan, tryModel: TryModel): Promise<TrialOnBothSides> {
  const trial = await tryModel(plan);
  const twin = plan.host.twin === undefined ? undefined : findHost(plan.host.twin);
  const isRejected = !trial.ok && (trial.kind === "authentication" || trial.kind === "permission");
  if (!isRejected || twin === undefined || plan.apiBase !== undefined) return { trial, plan };
  const other: Plan = { ...plan, host: twin, key: toOwnKey(plan) };
  const second = await tryModel(other);
  return second.ok ? { trial: second, plan: other } : { trial, plan };
}

/** The variable of one side is not looked at for the other: the config has to name it. */
function toOwnKey({ key }: Plan): Plan["key"] {
  return key.kind === "environment" ? { kind: "variable", variable: key.variable } : key;
}

const patienceMs = 5_000;
const loadsLater = new Set(["ollama", "lm_studio"]);

/** Of the model, or of the only one that the host has. */
async function findLimits(choice: ModelChoice, options: AskOptions): Promise<ModelLimits | undefined> {
  if (
    choice.access.baseUrl === undefined ||
    choice.host.signIn ||
    choice.host.protocol === "anthropic-messages"
  )
    return undefined;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(patienceMs)]);
  const answer = await listHostModels(choice, { ...options, signal });
  options.signal.throwIfAborted();
  const models = answer.ok ? answer.models : [];
  const found = models.find(({ id }) => id === choice.model) ?? (models.length === 1 ? models[0] : undefined);
  return found && { window: found.window, answer: found.answer };
}
