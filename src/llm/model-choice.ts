// A model that was chosen: its host, its name on the wire, its settings, how to reach it, and why it was taken.
import type { ModelPreset, ProviderSettings } from "./config.ts";
import type { Host } from "./host.ts";
import type { FoundAccess } from "./host-access.ts";
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
  host: Host;
  model: string;
  access?: FoundAccess;
  why: ChoiceReason;
}

export function toModelChoice({ wish, host, model, access, why }: Acceptance): ModelChoice {
  const { temperature, reasoningEffort, contextWindowTokens } = wish;
  // An answer that may take the whole window would leave no room for the question.
  const maxTokens = Math.min(wish.maxTokens, Math.max(1, Math.floor(contextWindowTokens / 4)));
  return {
    host: applySettings(host, access?.settings),
    model,
    settings: { model, maxTokens, temperature, ...(reasoningEffort && { reasoningEffort }) },
    contextWindow: contextWindowTokens,
    access: toConnectionSettings(host, access),
    why,
  };
}

function applySettings(host: Host, settings: ProviderSettings | undefined): Host {
  const { displayName: label = host.label, thinkingStyle = host.quirks.thinkingStyle } = settings ?? {};
  return { ...host, label, quirks: { ...host.quirks, thinkingStyle } };
}

function toConnectionSettings(host: Host, access: FoundAccess | undefined): ConnectionSettings {
  const { apiBase, extraHeaders, extraBody, extraQuery, proxy, script } = access?.settings ?? {};
  const baseUrl = access?.hasBase ? apiBase?.trim() : host.baseUrl;
  return { baseUrl, apiKey: access?.apiKey, extraHeaders, extraBody, extraQuery, proxy, script };
}
