// Which model answers: what there is to choose from, a trial with one real question, and the choice itself.
import * as z from "zod";
import type { LoadedConfig } from "../../config/load.ts";
import type { Host } from "../../llm/host.ts";
import { createCustomHost, findHost, knownHosts } from "../../llm/hosts.ts";
import { type MethodTable, WishError } from "../../server/methods.ts";
import {
  type ConfigMethods,
  type HostCard,
  type ModelPlan,
  type ModelState,
  type ModelTrial,
  maskedValue,
} from "../../server/protocol/config.ts";
import type { App } from "../build-app.ts";
import { findLocalServers } from "../onboard/local-servers.ts";
import { findKeyVariable, findSettings, needsKey, type Plan, toConfigPatch } from "../onboard/plan.ts";
import { createTryModel, tryBothSides } from "../onboard/try-model.ts";
import type { ChangeParts } from "./change-config.ts";
import { saveOrRefuse, speak } from "./config-methods.ts";
import { keyPages } from "./key-pages.ts";

export interface ModelMethodParts extends ChangeParts {
  app: Pick<App, "reload" | "current" | "currentModel" | "count">;
}

type Name = "model.state" | "model.hosts" | "model.local" | "model.test" | "model.use";

const trialMs = 60_000;
const planSchema = z.object({
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

export function createModelMethods(parts: ModelMethodParts): MethodTable<Pick<ConfigMethods, Name>> {
  const { app, env } = parts;
  return {
    "model.state": { params: z.object({}), run: (_, caller) => describeState(speak(parts, caller)) },
    "model.hosts": {
      params: z.object({}),
      run: () => ({ hosts: knownHosts.filter(isShown).map((host) => toCard(host, app.current(), env)) }),
    },
    "model.local": {
      params: z.object({}),
      async run() {
        const servers = await findLocalServers(knownHosts, AbortSignal.timeout(5_000));
        return {
          servers: servers.map(({ host, models }) => ({ host: host.name, label: host.label, models })),
        };
      },
    },
    "model.test": {
      params: planSchema,
      async run(wish, caller) {
        const told = speak(parts, caller);
        return (await tryPlan(toPlan(wish, told), told)).trial;
      },
    },
    "model.use": {
      params: planSchema.extend({ isUntested: z.boolean().optional() }),
      async run({ isUntested, ...wish }, caller) {
        const told = speak(parts, caller);
        const wanted = toPlan(wish, told);
        const { trial, plan } = isUntested === true ? untried(wanted) : await tryPlan(wanted, told);
        const faults = trial.ok ? await saveOrRefuse(toConfigPatch(plan), told) : [];
        return faults.length === 0
          ? trial
          : { ok: false, message: faults.map(({ message }) => message).join(" ") };
      },
    },
  };
}

function describeState({ app, words }: ModelMethodParts): ModelState {
  const { settings, host, isOffline = false, describeWhy } = app.currentModel();
  const { provider, model } = app.current().config.agents.defaults;
  const isWanted = provider === "offline" || model.startsWith("offline");
  return {
    model: settings.model,
    host,
    isOffline,
    isFirstRun: isOffline && !isWanted,
    why: describeWhy(words),
  };
}

/** Those that cannot be configured by a name and a key are for the config file. */
function isShown({ protocol, name }: Host): boolean {
  return protocol !== "scripted" && protocol !== "offline" && name !== "custom";
}

function toCard(host: Host, { config }: LoadedConfig, env: NodeJS.ProcessEnv): HostCard {
  const { name, label, kind, defaultModel } = host;
  const variable = findKeyVariable(host, env);
  const own = findSettings(host, config.providers).settings;
  const key = own?.apiKey ? { from: "config" as const } : toVariableKey(variable);
  const keyPage = keyPages[name];
  return {
    name,
    label,
    kind,
    needsKey: needsKey(host),
    needsAddress: host.baseUrl === undefined && !own?.apiBase,
    ...(defaultModel && { defaultModel }),
    ...(keyPage && { keyPage }),
    ...(key && { key }),
  };
}

function toVariableKey(variable: string | undefined): HostCard["key"] {
  return variable === undefined ? undefined : { from: "environment", variable };
}

function toPlan(
  { host: name, model, apiKey, apiBase }: ModelPlan,
  { app, env, words }: ModelMethodParts,
): Plan {
  const host = findHost(name) ?? (apiBase === undefined ? undefined : createCustomHost(name));
  if (host === undefined)
    throw new WishError(words.onboard.unknownHost(name), [{ path: "host", message: name }]);
  if (/[^\x21-\x7e]/.test(apiKey?.replaceAll(maskedValue, "") ?? ""))
    throw new WishError(words.web.oddKey, [{ path: "apiKey", message: words.web.oddKey }]);
  const given = apiKey === undefined || apiKey === "" || apiKey === maskedValue ? undefined : apiKey;
  const variable = findKeyVariable(host, env);
  const hasOwn = Boolean(findSettings(host, app.current().config.providers).settings?.apiKey);
  const found: Plan["key"] =
    !hasOwn && variable !== undefined ? { kind: "environment", variable } : { kind: "none" };
  const known = findSettings(host, app.current().config.providers).settings?.apiBase ?? host.baseUrl;
  const hasKey = given === undefined && (hasOwn || variable !== undefined);
  if (hasKey && apiBase !== undefined && toAddress(apiBase) !== toAddress(known))
    throw new WishError(words.web.keyElsewhere, [{ path: "apiKey", message: words.web.keyElsewhere }]);
  const key: Plan["key"] = given === undefined ? found : { kind: "value", value: given };
  return { host, model, key, ...(apiBase !== undefined && { apiBase }) };
}

function toAddress(url: string | undefined): string {
  return (url ?? "").replace(/\/+$/, "");
}

async function tryPlan(wanted: Plan, { app, env, words }: ModelMethodParts): Promise<Tried> {
  const signal = AbortSignal.timeout(trialMs);
  const tryModel = createTryModel({ loaded: app.current(), env, words, signal, count: app.count });
  try {
    const { trial, plan } = await tryBothSides(wanted, tryModel);
    return { plan, trial: trial.ok ? { ok: true, ms: trial.ms, host: plan.host.name } : trial };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { plan: wanted, trial: { ok: false, message: words.web.trialTooLong(trialMs / 1000) } };
  }
}

interface Tried {
  plan: Plan;
  trial: ModelTrial;
}

function untried(plan: Plan): Tried {
  return { plan, trial: { ok: true, ms: 0, host: plan.host.name } };
}
