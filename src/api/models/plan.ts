// What onboarding wants to write: a host, a key and a model, as data. Pure; asks nobody and opens no connection.
import type { LoadedConfig } from "../../config/load.ts";
import { toModelInput } from "../../config/model-input.ts";
import type { ConfigPatch } from "../../config/save.ts";
import type { ChooseModelInput } from "../../llm/choice/choose-model.ts";
import {
  type ProviderSettings,
  type Providers,
  providerSchema,
  simplifyProviderName,
} from "../../llm/config.ts";
import type { Host } from "../../llm/hosts/host.ts";

/** environment: the host finds it there on its own; variable: the config refers to it by name. */
export type KeySource =
  | { kind: "none" }
  | { kind: "environment"; variable: string }
  | { kind: "variable"; variable: string }
  | { kind: "value"; value: string };

export interface Plan {
  host: Host;
  model: string;
  apiBase?: string;
  key: KeySource;
  /** Tokens, if the host reports it. */
  contextWindow?: number;
}

export function findKeyVariable({ keyVariables }: Host, env: NodeJS.ProcessEnv): string | undefined {
  return keyVariables.find((name) => env[name]?.trim());
}

export function needsKey({ kind }: Host): boolean {
  return kind === "vendor" || kind === "gateway";
}

/** How the config spells a host, and what it says about it. */
export function findSettings(
  { name }: Host,
  providers: Providers,
): { spelling: string; settings?: ProviderSettings } {
  const wanted = simplifyProviderName(name);
  const spelling = Object.keys(providers).find((one) => simplifyProviderName(one) === wanted) ?? name;
  return { spelling, settings: providers[spelling] };
}

/** The config as it would be with the plan, for the choice of a model. */
export function toTrialInput(plan: Plan, loaded: LoadedConfig, env: NodeJS.ProcessEnv): ChooseModelInput {
  const input = toModelInput(loaded, env);
  const { host, model, apiBase } = plan;
  const { spelling, settings = providerSchema.parse({}) } = findSettings(host, input.providers);
  const apiKey = plan.key.kind === "value" ? plan.key.value : readVariable(plan.key, env);
  const changed = { ...settings, ...(apiKey && { apiKey }), ...(apiBase && { apiBase }) };
  return {
    ...input,
    defaults: { ...input.defaults, provider: host.name, model, modelPreset: undefined, fallbackModels: [] },
    providers: { ...input.providers, [spelling]: changed },
    isModelChosen: true,
    hasConfig: true,
  };
}

function readVariable(key: KeySource, env: NodeJS.ProcessEnv): string | undefined {
  return key.kind === "variable" || key.kind === "environment" ? env[key.variable] : undefined;
}

/** Only what the plan is about: everything else in the file stays. */
export function toConfigPatch(
  { host, model, apiBase, key, contextWindow }: Plan,
  workspace?: string,
): ConfigPatch {
  const apiKey =
    key.kind === "value" ? key.value : key.kind === "variable" ? `\${${key.variable}}` : undefined;
  const settings = { ...(apiKey !== undefined && { apiKey }), ...(apiBase !== undefined && { apiBase }) };
  return {
    agents: {
      defaults: {
        provider: host.name,
        model,
        modelPreset: null,
        ...(contextWindow !== undefined && { contextWindowTokens: contextWindow }),
        ...(workspace !== undefined && { workspace }),
      },
    },
    ...(Object.keys(settings).length > 0 && { providers: { [toSpelling(host)]: settings } }),
  };
}

/** `lm_studio` is written as `lmStudio`, like every key of the config. */
function toSpelling({ name }: Host): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
