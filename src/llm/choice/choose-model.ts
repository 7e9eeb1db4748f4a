// Decides which model answers, from the config, the usable hosts and the environment, and why, also as coded phrases. Pure;
// opens no connection. What the user chose is used or refused with a reason; what is left open gets the best available.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { ownValue } from "../../lib/json-tree.ts";
import { toOneLine } from "../../lib/text.ts";
import {
  type FallbackModel,
  type ModelDefaults,
  type ModelPreset,
  type ProviderSettings,
  type Providers,
  usualWindow,
} from "../config.ts";
import { type Host, speaksOpenAI } from "../hosts/host.ts";
import { findHost } from "../hosts/hosts.ts";
import { findKnownModel } from "../hosts/known-models.ts";
import type { ModelSettings } from "../types.ts";
import {
  type Environment,
  findAccess,
  type HostAccess,
  isAtHand,
  isUsable,
  listHostAccess,
  type ModelProblem,
  toMissingAccess,
  toProviderPath,
} from "./host-access.ts";
import { type SelectedBy, selectHost, splitPrefix } from "./select-host.ts";

export interface ModelChoice {
  host: Host;
  /** As it goes on the wire. */
  model: string;
  settings: ModelSettings;
  contextWindow: number;
  access: ConnectionSettings;
  why: ChoiceReason;
}

interface ConnectionSettings
  extends Pick<ProviderSettings, "extraHeaders" | "extraBody" | "extraQuery" | "proxy" | "script"> {
  /** Absent for the models that need no host. */
  baseUrl?: string;
  apiKey?: string;
}

export type ChoiceReason =
  /** The user chose the model, or the provider. `variable` is where the key came from, if not from the config. */
  | { kind: "chosen"; by: SelectedBy; preset?: string; variable?: string }
  /** Not chosen: the default model, at a host of the config. */
  | { kind: "default-model" }
  /** Not chosen: the usual model of a host of the config, or of one whose key is in the environment. */
  | { kind: "host-in-config" }
  | { kind: "key-in-environment"; variable: string }
  /** Offline, because nothing else is usable. */
  | { kind: "no-config" }
  | { kind: "no-usable-host" }
  | { kind: "no-model-named"; host: string };

/** A model with its settings, as the config requests it. */
interface RequestedModel extends ModelPreset {
  /** The preset that it comes from. */
  preset?: string;
  /** The user named this model; otherwise it is the default. */
  isModelChosen: boolean;
}

interface Acceptance {
  requested: RequestedModel;
  access: HostAccess;
  model: string;
  why: ChoiceReason;
}

export interface ChooseModelInput {
  defaults: ModelDefaults;
  presets: Readonly<Record<string, ModelPreset>>;
  providers: Providers;
  environment: Environment;
  /** `agents.defaults.model` was set by the user, not by default. */
  isModelChosen: boolean;
  /** There is a config file. */
  hasConfig: boolean;
}

export type ChooseModelResult =
  | {
      ok: true;
      choice: ModelChoice;
      fallbacks: ModelChoice[];
      /** Fallback models that cannot be used. */
      skipped: ModelProblem[];
      /** The smallest window of the chain: what fits it fits every model. */
      contextWindow: number;
    }
  | { ok: false; problem: ModelProblem };

type Hosts = readonly HostAccess[];
type Decision = { ok: true; choice: ModelChoice } | { ok: false; problem: ModelProblem };
type Reading = { ok: true; requested: RequestedModel } | { ok: false; problem: ModelProblem };

export function chooseModel(input: ChooseModelInput): ChooseModelResult {
  const reading = readRequested(input.defaults.modelPreset ?? "default", input, input.isModelChosen);
  if (!reading.ok) return reading;
  const { requested } = reading;
  const hosts = listHostAccess(input.providers, input.environment);
  const isOpen = !requested.isModelChosen && requested.provider === "auto";
  const first = isOpen ? chooseFreely(requested, hosts, input.hasConfig) : chooseRequested(requested, hosts);
  if (!first.ok) return first;
  const { chain, skipped } = addFallbacks(first.choice, requested, input, hosts);
  const contextWindow = Math.min(...chain.map((choice) => choice.contextWindow));
  return { ok: true, choice: first.choice, fallbacks: chain.slice(1), skipped, contextWindow };
}

/** `default` means the single settings of `agents.defaults`. */
function readRequested(
  preset: string,
  { defaults, presets }: ChooseModelInput,
  isModelChosen: boolean,
): Reading {
  if (preset === "default") return { ok: true, requested: { ...defaults, isModelChosen } };
  const settings = ownValue(presets, preset);
  if (settings !== undefined) return { ok: true, requested: { ...settings, preset, isModelChosen: true } };
  return { ok: false, problem: { kind: "unknown-preset", preset, known: Object.keys(presets) } };
}

/** The user named no model and no host: hosts of the config first, then keys in the environment, then offline. */
function chooseFreely(requested: RequestedModel, hosts: Hosts, hasConfig: boolean): Decision {
  const atHand = hosts.filter(isAtHand);
  const configured = atHand.filter(({ isConfigured }) => isConfigured);
  const selected = selectHost(requested, configured);
  if (selected.ok && selected.by !== "only-host") {
    return accept({ ...selected, requested, why: { kind: "default-model" } });
  }
  // A user with a configured server is not sent to a cloud because of a key in the environment.
  const open = configured.length > 0 ? configured : atHand;
  const usual = open.find(({ host }) => host.defaultModel !== undefined);
  if (usual === undefined) return goOffline(requested, hosts, whyOffline(configured, hasConfig));
  const { isConfigured, variable = "" } = usual;
  const key: ChoiceReason = { kind: "key-in-environment", variable };
  return acceptUsual(requested, usual, isConfigured ? { kind: "host-in-config" } : key);
}

function goOffline(requested: RequestedModel, hosts: Hosts, why: ChoiceReason): Decision {
  const access = findAccess("offline", hosts);
  if (access === undefined) throw new Error("the table of hosts has no row for the offline model");
  return acceptUsual(requested, access, why);
}

/** A host of the config could be used if a model were named for it. */
function whyOffline([first]: Hosts, hasConfig: boolean): ChoiceReason {
  if (first !== undefined) return { kind: "no-model-named", host: first.host.name };
  return { kind: hasConfig ? "no-usable-host" : "no-config" };
}

function chooseRequested(requested: RequestedModel, hosts: Hosts): Decision {
  const selected = selectHost(requested, hosts);
  if (!selected.ok) return selected;
  const { access, by } = selected;
  const problem = findGap(requested, access, hosts);
  if (problem !== undefined) return { ok: false, problem };
  const why: ChoiceReason = { kind: "chosen", by, preset: requested.preset, variable: access.variable };
  return isFor(requested, access.host)
    ? accept({ ...selected, requested, why })
    : acceptUsual(requested, access, why);
}

/** What the host lacks before it can be called. */
function findGap(requested: RequestedModel, access: HostAccess, hosts: Hosts): ModelProblem | undefined {
  const { host, settings } = access;
  if (host.protocol === "scripted") {
    if (settings?.script !== undefined) return undefined;
    return { kind: "missing-script", path: toProviderPath(access, "script") };
  }
  if (!isUsable(access)) return toMissingAccess(access, requested.model, hosts);
  if (isFor(requested, host) || host.defaultModel !== undefined) return undefined;
  return { kind: "missing-model", host: host.label, path: "agents.defaults.model" };
}

/** A chosen model is meant for the chosen host; the default one makes sense at its vendor or at a gateway. */
function isFor({ isModelChosen, model }: RequestedModel, host: Host): boolean {
  return isModelChosen || host.kind === "gateway" || findHost(splitPrefix(model).prefix ?? "") === host;
}

/** The usual model of a host, with its window where that is smaller than the setting. */
function acceptUsual(requested: RequestedModel, access: HostAccess, why: ChoiceReason): Decision {
  const { name, defaultModel = name, defaultWindow = requested.contextWindowTokens } = access.host;
  const contextWindowTokens = Math.min(requested.contextWindowTokens, defaultWindow);
  return accept({ requested: { ...requested, contextWindowTokens }, access, model: defaultModel, why });
}

function accept(acceptance: Acceptance): Decision {
  return { ok: true, choice: toModelChoice(acceptance) };
}

function addFallbacks(first: ModelChoice, requested: RequestedModel, input: ChooseModelInput, hosts: Hosts) {
  const chain = [first];
  const skipped: ModelProblem[] = [];
  for (const entry of input.defaults.fallbackModels) {
    const reading =
      typeof entry === "string" ? readRequested(entry, input, true) : readInline(entry, requested);
    const decision = reading.ok ? chooseRequested(reading.requested, hosts) : reading;
    if (!decision.ok) skipped.push(decision.problem);
    else if (!chain.some((known) => isSame(known, decision.choice))) chain.push(decision.choice);
  }
  return { chain, skipped };
}

/** What an inline entry leaves out is as for the first model, except the effort: another model may not know it. */
function readInline(entry: FallbackModel, first: RequestedModel): Reading {
  const requested: RequestedModel = {
    ...entry,
    maxTokens: entry.maxTokens ?? first.maxTokens,
    contextWindowTokens: entry.contextWindowTokens ?? first.contextWindowTokens,
    temperature: entry.temperature ?? first.temperature,
    isModelChosen: true,
  };
  return { ok: true, requested };
}

function isSame(a: ModelChoice, b: ModelChoice): boolean {
  return a.host.name === b.host.name && a.model === b.model;
}

function toModelChoice({ requested, access, model, why }: Acceptance): ModelChoice {
  const { temperature, reasoningEffort } = requested;
  const known = findKnownModel(model);
  // The usual value is written into many config files: a smaller window of a known model is nearer to the truth.
  const isUsual = requested.contextWindowTokens === usualWindow;
  const contextWindowTokens = isUsual
    ? Math.min(usualWindow, known?.window ?? usualWindow)
    : requested.contextWindowTokens;
  const { host, apiKey, baseUrl = host.baseUrl, settings } = access;
  const { displayName: label = host.label, thinkingStyle = host.quirks.thinkingStyle } = settings ?? {};
  const { extraHeaders, extraBody, extraQuery, proxy, script } = settings ?? {};
  // An answer that may take the whole window would leave no room for the question.
  const maxTokens = Math.min(
    requested.maxTokens,
    known?.answer ?? requested.maxTokens,
    Math.max(1, Math.floor(contextWindowTokens / 4)),
  );
  return {
    host: { ...host, label, protocol: toProtocol(host, settings), quirks: { ...host.quirks, thinkingStyle } },
    model,
    settings: { model, maxTokens, temperature, ...(reasoningEffort && { reasoningEffort }) },
    contextWindow: contextWindowTokens,
    access: { baseUrl, apiKey, extraHeaders, extraBody, extraQuery, proxy, script },
    why,
  };
}

/** Of OpenAI's two protocols the one that the config names; else that of the host's row. */
function toProtocol(host: Host, settings: ProviderSettings | undefined): Host["protocol"] {
  const { apiType = "auto" } = settings ?? {};
  if (!speaksOpenAI(host) || apiType === "auto") return host.protocol;
  return apiType === "responses" ? "openai-responses" : "openai-chat";
}

export function phraseChoice(why: ChoiceReason): Phrase {
  switch (why.kind) {
    case "chosen": {
      const { preset, variable } = why;
      return phrase("choice.chosen", { ...(preset && { preset }), ...(variable && { variable }) });
    }
    case "key-in-environment":
      return phrase("choice.key-in-environment", { variable: why.variable });
    case "no-model-named":
      return phrase("choice.no-model-named", { host: why.host });
    default:
      return phrase(`choice.${why.kind}`);
  }
}

export function phraseModelProblem({ kind, ...params }: ModelProblem): Phrase {
  const names = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? toOneLine(value, 80) : value,
  ]);
  return { code: `setup.${kind}`, params: Object.fromEntries(names) } as Phrase;
}
