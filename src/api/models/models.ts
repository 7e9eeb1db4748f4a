// Operations about the model that answers: what can be chosen, a trial with one real question, and the choice.
import * as z from "zod";
import type { ModelRuntime } from "../../agent/dependencies.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { maskedValue } from "../../config/mask.ts";
import { toModelInput } from "../../config/model-input.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { failAt } from "../../i18n/user-error.ts";
import { chooseModel, phraseModelProblem } from "../../llm/choice/choose-model.ts";
import { usualWindow } from "../../llm/config.ts";
import type { Host } from "../../llm/hosts/host.ts";
import { createCustomHost, findHost, knownHosts } from "../../llm/hosts/hosts.ts";
import { findKnownModel, findKnownPrice } from "../../llm/hosts/known-models.ts";
import type { ModelLimits } from "../../llm/wrappers/with-window.ts";
import { operation } from "../operation.ts";
import type { GatewayServices } from "../services.ts";
import { findLocalServers, type HostModel, listHostModels } from "./host-models.ts";
import { findKeyVariable, findSettings, needsKey, type Plan, toConfigPatch, toTrialInput } from "./plan.ts";

export interface HostCard {
  name: string;
  label: string;
  kind: "vendor" | "gateway" | "local" | "direct";
  needsKey: boolean;
  /** It has none of its own: one must be given. */
  needsAddress: boolean;
  defaultModel?: string;
  /** Where a key is to be had. */
  keyPage?: string;
  /** It is used with a subscription, by signing in. */
  signIn?: { isSignedIn: boolean };
  /** Never tried against the real service. */
  isUntried?: true;
  /** Where a key was found. */
  key?: { from: "config" } | { from: "environment"; variable: string };
}

export type ModelTrial =
  /** `host`: the one that took the key, such as the vendor's other side. */
  { ok: true; ms: number; host: string } | { ok: false; problem: Phrase };

export interface ModelState {
  model: string;
  host: string;
  /** No model of any host answers. */
  isOffline: boolean;
  /** Nobody has chosen anything yet. */
  isFirstRun: boolean;
  why: Phrase;
}

/** The models of an assistant. */
export interface ModelServices {
  /** The one that answers where no conversation has its own. */
  current(): ModelRuntime;
  /** One real question; the plan has the host that took the key. */
  try(plan: Plan, signal: AbortSignal): Promise<{ trial: PlanTrial; plan: Plan }>;
}

type PlanTrial = { ok: true; ms: number } | { ok: false; problem: Phrase };

/** `host` is a name of the list, or a name of the person's own with an address. Without a key: the one that is there. */
export type ModelPlan = z.input<typeof planSchema>;

const trialMs = 60_000;
const listMs = 15_000;
const nothing = z.strictObject({});
const planSchema = z.strictObject({
  host: z.string().trim().min(1).max(100),
  model: z.string().trim().min(1).max(200),
  apiKey: z.string().max(1_000).transform(withoutBlanks).optional(),
  apiBase: z
    .url({ protocol: /^https?$/ })
    .max(1_000)
    .optional(),
});

/** What copying from a page brings along and no key has: spaces, line ends, marks without a width. */
function withoutBlanks(key: string): string {
  return key.replaceAll(/[\s\p{Cf}]/gu, "");
}

const state = operation({
  name: "models.state",
  about: "Which model answers now, and why.",
  access: "owner",
  needs: "gateway",
  params: nothing,
  run({ models, loaded }): ModelState {
    const { settings, host, isOffline = false, why } = models.current();
    const { provider, model } = loaded().config.agents.defaults;
    const isWanted = provider === "offline" || model.startsWith("offline");
    return { model: settings.model, host, isOffline, isFirstRun: isOffline && !isWanted, why };
  },
});

const hosts = operation({
  name: "models.hosts",
  about: "The hosts that can be chosen, and where a key for each was found.",
  access: "owner",
  needs: "gateway",
  params: nothing,
  async run({ loaded, env, signIns }) {
    const shown = knownHosts.filter(isShown);
    const signedIn = new Set<string>();
    for (const { name } of shown.filter(({ signIn }) => signIn))
      if (await (await signIns()).isSignedIn(name)) signedIn.add(name);
    return { hosts: shown.map((host) => toCard(host, { ...loaded(), signedIn }, env)) };
  },
});

const local = operation({
  name: "models.local",
  about: "Model servers on the gateway's machine that answered, with their models.",
  access: "owner",
  needs: "gateway",
  params: nothing,
  async run() {
    const servers = await findLocalServers(knownHosts, AbortSignal.timeout(5_000));
    return { servers: servers.map(({ host, models }) => ({ host: host.name, label: host.label, models })) };
  },
});

export interface ListedModels {
  /** The host that was asked: its name and label. */
  host: string;
  label: string;
  models: HostModel[];
  /** Why there is no list. */
  problem?: Phrase;
}

const list = operation({
  name: "models.list",
  about: "The models that a host says it has; without `host`, the one that answers now.",
  access: "owner",
  needs: "installation",
  params: planSchema.omit({ model: true }).partial({ host: true }),
  async run(services, { host: name, ...access }): Promise<ListedModels> {
    const { env } = services;
    const loaded = services.loaded();
    const wanted = { ...access, model: "any" };
    const input =
      name === undefined
        ? toModelInput(loaded, env)
        : toTrialInput(toPlan({ ...wanted, host: name }, services), loaded, env);
    const chosen = chooseModel(input);
    const none = { host: name ?? "", label: findHost(name ?? "")?.label ?? name ?? "", models: [] };
    if (!chosen.ok) return { ...none, problem: phraseModelProblem(chosen.problem) };
    const { host, access: settings } = chosen.choice;
    const hostName = { host: host.name, label: host.label };
    if (settings.baseUrl === undefined || host.signIn) return { ...hostName, models: [] };
    const answer = await listHostModels(chosen.choice, { env, signal: AbortSignal.timeout(listMs) });
    if (answer.ok) services.learnLimits?.(toLimits(host, answer.models));
    return answer.ok
      ? { ...hostName, models: answer.models.map((model) => withPrice(host, model)) }
      : { ...hostName, models: [], problem: answer.problem };
  },
});

const test = operation({
  name: "models.test",
  about: "Asks a model one real question; nothing is changed.",
  access: "owner",
  needs: "gateway",
  params: planSchema,
  run: async (services, wanted): Promise<ModelTrial> =>
    (await tryPlan(toPlan(wanted, services), services)).trial,
});

// Without `changes`: nothing of the home may wait for the trial. Saving the config is safe without the home lock.
const use = operation({
  name: "models.use",
  about: "Uses a model from now on. It is tried first, unless `isUntested`, and kept only when it answered.",
  access: "owner",
  needs: "gateway",
  params: planSchema.extend({ isUntested: z.boolean().optional() }),
  async run(services, { isUntested, ...wanted }): Promise<ModelTrial> {
    const planned = toPlan(wanted, services);
    const { trial, plan } = isUntested === true ? untried(planned) : await tryPlan(planned, services);
    const [fault] = trial.ok ? await services.saveConfig(toConfigPatch(plan)) : [];
    return fault === undefined ? trial : { ok: false, problem: fault.phrase };
  },
});

export const modelOperations = [state, hosts, local, list, test, use] as const;

/** Larger windows change nothing: the usual setting is smaller. */
function toLimits({ name }: Host, models: readonly HostModel[]): Array<[string, ModelLimits]> {
  const small = models.filter(
    ({ window, answer }) => Math.min(window ?? usualWindow, answer ?? usualWindow) < usualWindow,
  );
  return small.map(({ id, window, answer }) => [
    `${name}/${id}`,
    { ...(window !== undefined && { window }), ...(answer !== undefined && { answer }) },
  ]);
}

/** Known facts about a model that its host does not report. */
function withPrice({ name }: Host, model: HostModel): HostModel {
  const known = findKnownModel(model.id);
  const price = model.price ?? findKnownPrice(`${name}/${model.id}`);
  const window = model.window ?? known?.window;
  return { ...model, ...(window !== undefined && { window }), ...(price && { price }) };
}

/** Those that cannot be configured by a name and a key are for the config file. */
function isShown({ protocol, name }: Host): boolean {
  return protocol !== "scripted" && protocol !== "offline" && name !== "custom";
}

function toCard(
  host: Host,
  { config, signedIn }: LoadedConfig & { signedIn: ReadonlySet<string> },
  env: NodeJS.ProcessEnv,
): HostCard {
  const { name, label, kind, defaultModel, isUntried } = host;
  const variable = findKeyVariable(host, env);
  const hostSettings = findSettings(host, config.providers).settings;
  const key = hostSettings?.apiKey ? { from: "config" as const } : toVariableKey(variable);
  const keyPage = keyPages[name];
  return {
    name,
    label,
    kind,
    needsKey: needsKey(host),
    needsAddress: host.baseUrl === undefined && !hostSettings?.apiBase,
    ...(defaultModel && { defaultModel }),
    ...(keyPage && { keyPage }),
    ...(host.signIn && { signIn: { isSignedIn: signedIn.has(name) } }),
    ...(isUntried && { isUntried }),
    ...(key && { key }),
  };
}

function toVariableKey(variable: string | undefined): HostCard["key"] {
  return variable === undefined ? undefined : { from: "environment", variable };
}

function toPlan(
  { host: name, model, apiKey, apiBase }: z.output<typeof planSchema>,
  { loaded, env }: Pick<GatewayServices, "loaded" | "env">,
): Plan {
  const host = findHost(name) ?? (apiBase === undefined ? undefined : createCustomHost(name));
  if (host === undefined) throw failAt("host", "models.unknown-host", { host: name });
  if (/[^\x21-\x7e]/.test(apiKey?.replaceAll(maskedValue, "") ?? ""))
    throw failAt("apiKey", "models.odd-key");
  const newKey = apiKey === undefined || apiKey === "" || apiKey === maskedValue ? undefined : apiKey;
  const variable = findKeyVariable(host, env);
  const saved = findSettings(host, loaded().config.providers).settings;
  const hasOwn = Boolean(saved?.apiKey);
  const keySource: Plan["key"] =
    !hasOwn && variable !== undefined ? { kind: "environment", variable } : { kind: "none" };
  const known = saved?.apiBase ?? host.baseUrl;
  const hasKey = newKey === undefined && (hasOwn || variable !== undefined);
  if (hasKey && apiBase !== undefined && toAddress(apiBase) !== toAddress(known))
    throw failAt("apiKey", "models.key-elsewhere");
  const key: Plan["key"] = newKey === undefined ? keySource : { kind: "value", value: newKey };
  return { host, model, key, ...(apiBase !== undefined && { apiBase }) };
}

function toAddress(url: string | undefined): string {
  return (url ?? "").replace(/\/+$/, "");
}

interface Tried {
  plan: Plan;
  trial: ModelTrial;
}

async function tryPlan(wanted: Plan, { models }: GatewayServices): Promise<Tried> {
  const signal = AbortSignal.timeout(trialMs);
  try {
    const { trial, plan } = await models.try(wanted, signal);
    if (trial.ok) return { plan, trial: { ok: true, ms: trial.ms, host: plan.host.name } };
    return { plan, trial: { ok: false, problem: trial.problem } };
  } catch (error) {
    if (!signal.aborted) throw error;
    const problem = phrase("models.trial-too-long", { seconds: trialMs / 1000 });
    return { plan: wanted, trial: { ok: false, problem } };
  }
}

function untried(plan: Plan): Tried {
  return { plan, trial: { ok: true, ms: 0, host: plan.host.name } };
}

const keyPages: Readonly<Record<string, string>> = {
  anthropic: "https://platform.claude.com/settings/keys",
  openai: "https://platform.openai.com/api-keys",
  openrouter: "https://openrouter.ai/settings/keys",
  deepseek: "https://platform.deepseek.com/api_keys",
  gemini: "https://aistudio.google.com/apikey",
  groq: "https://console.groq.com/keys",
  mistral: "https://console.mistral.ai/api-keys",
  xai: "https://console.x.ai",
  dashscope: "https://bailian.console.aliyun.com/?tab=model#/api-key",
  moonshot: "https://platform.moonshot.ai/console/api-keys",
  zhipu: "https://open.bigmodel.cn/usercenter/proj-mgmt/apikeys",
  zai: "https://z.ai/manage-apikey/apikey-list",
  minimax: "https://platform.minimax.io/user-center/basic-information/interface-key",
  siliconflow: "https://cloud.siliconflow.cn/account/ak",
  volcengine: "https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey",
  huggingface: "https://huggingface.co/settings/tokens",
  modelscope: "https://modelscope.cn/my/myaccesstoken",
};
