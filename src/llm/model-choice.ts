// A model that was chosen: its host, its name on the wire, its settings, how to reach it, and why it was taken.
import type { ModelPreset, ProviderSettings } from "./config.ts";
import type { Host } from "./host.ts";
import type { HostAccess } from "./host-access.ts";
import type { SelectedBy } from "./select-host.ts";
import type { ModelSettings } from "./types.ts";

export interface ModelChoice {
  host: Host;
  /** As it goes on the wire. */
  model: string;
  settings: ModelSettings;
  contextWindow: number;
  access: ConnectionSettings;
  why: ChoiceReason;
}

export interface ConnectionSettings
  extends Pick<ProviderSettings, "extraHeaders" | "extraBody" | "extraQuery" | "proxy" | "script"> {
  /** Absent for the models that need no host. */
  baseUrl?: string;
  apiKey?: string;
}

export type ChoiceReason =
  /** The user chose the model, or the provider. `variable` is where the key came from, if not from the config. */
  | { kind: "chosen"; by: SelectedBy; preset?: string; variable?: string }
  /** Nobody chose: the default model, at a host of the config. */
  | { kind: "default-model" }
  /** Nobody chose: the usual model of a host of the config, or of one whose key is in the environment. */
  | { kind: "host-in-config" }
  | { kind: "key-in-environment"; variable: string }
  /** Offline, for want of anything else. */
  | { kind: "no-config" }
  | { kind: "no-usable-host" }
  | { kind: "no-model-named"; host: string };

/** A model with its settings, as the config asks for it. */
export interface ModelWish extends ModelPreset {
  /** The preset that it comes from. */
  preset?: string;
  /** The user named this model; otherwise it is the default. */
  isModelChosen: boolean;
}

export interface Acceptance {
  wish: ModelWish;
  access: HostAccess;
  model: string;
  why: ChoiceReason;
}

export function toModelChoice({ wish, access, model, why }: Acceptance): ModelChoice {
  const { temperature, reasoningEffort, contextWindowTokens } = wish;
  const { host, apiKey, baseUrl = host.baseUrl, settings } = access;
  const { displayName: label = host.label, thinkingStyle = host.quirks.thinkingStyle } = settings ?? {};
  const { extraHeaders, extraBody, extraQuery, proxy, script } = settings ?? {};
  // An answer that may take the whole window would leave no room for the question.
  const maxTokens = Math.min(wish.maxTokens, Math.max(1, Math.floor(contextWindowTokens / 4)));
  return {
    host: { ...host, label, quirks: { ...host.quirks, thinkingStyle } },
    model,
    settings: { model, maxTokens, temperature, ...(reasoningEffort && { reasoningEffort }) },
    contextWindow: contextWindowTokens,
    access: { baseUrl, apiKey, extraHeaders, extraBody, extraQuery, proxy, script },
    why,
  };
}
