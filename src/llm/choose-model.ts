// The one decision which model answers: from the config's wishes, the hosts at hand and the environment. Pure; it
// opens no connection. What the user chose is used or refused with a reason; what was left open finds the best there is.
import { ownValue } from "../lib/json-tree.ts";
import type { FallbackModel, ModelDefaults, ModelPreset, Providers } from "./config.ts";
import type { Host } from "./host.ts";
import {
  type Environment,
  findAccess,
  type HostAccess,
  isAtHand,
  isUsable,
  listHostAccess,
} from "./host-access.ts";
import { findHost } from "./hosts.ts";
import {
  type Acceptance,
  type ChoiceReason,
  type ModelChoice,
  type ModelWish,
  toModelChoice,
} from "./model-choice.ts";
import { splitPrefix } from "./model-name.ts";
import { type ModelProblem, toMissingAccess, toProviderPath } from "./model-problem.ts";
import { selectHost } from "./select-host.ts";

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
type Wished = { ok: true; wish: ModelWish } | { ok: false; problem: ModelProblem };

export function chooseModel(input: ChooseModelInput): ChooseModelResult {
  const wished = readWish(input.defaults.modelPreset ?? "default", input, input.isModelChosen);
  if (!wished.ok) return wished;
  const { wish } = wished;
  const hosts = listHostAccess(input.providers, input.environment);
  const isOpen = !wish.isModelChosen && wish.provider === "auto";
  const first = isOpen ? chooseFreely(wish, hosts, input.hasConfig) : grantWish(wish, hosts);
  if (!first.ok) return first;
  const { chain, skipped } = addFallbacks(first.choice, wish, input, hosts);
  const contextWindow = Math.min(...chain.map((choice) => choice.contextWindow));
  return { ok: true, choice: first.choice, fallbacks: chain.slice(1), skipped, contextWindow };
}

/** `default` stands for the single settings. */
function readWish(preset: string, { defaults, presets }: ChooseModelInput, isModelChosen: boolean): Wished {
  if (preset === "default") return { ok: true, wish: { ...defaults, isModelChosen } };
  const found = ownValue(presets, preset);
  if (found !== undefined) return { ok: true, wish: { ...found, preset, isModelChosen: true } };
  return { ok: false, problem: { kind: "unknown-preset", preset, known: Object.keys(presets) } };
}

/** Nobody named a model or a host: hosts of the config first, then keys in the environment, then offline. */
function chooseFreely(wish: ModelWish, hosts: Hosts, hasConfig: boolean): Decision {
  const atHand = hosts.filter(isAtHand);
  const configured = atHand.filter(({ isConfigured }) => isConfigured);
  const selected = selectHost(wish, configured);
  if (selected.ok && selected.by !== "only-host") {
    return accept({ ...selected, wish, why: { kind: "default-model" } });
  }
  // Whoever set up a server of his own is not sent to a cloud because some key lies about.
  const open = configured.length > 0 ? configured : atHand;
  const found = open.find(({ host }) => host.defaultModel !== undefined);
  if (found === undefined) return goOffline(wish, hosts, whyOffline(configured, hasConfig));
  const { isConfigured, variable = "" } = found;
  const key: ChoiceReason = { kind: "key-in-environment", variable };
  return acceptUsual(wish, found, isConfigured ? { kind: "host-in-config" } : key);
}

function goOffline(wish: ModelWish, hosts: Hosts, why: ChoiceReason): Decision {
  const access = findAccess("offline", hosts);
  if (access === undefined) throw new Error("the table of hosts has no row for the offline model");
  return acceptUsual(wish, access, why);
}

/** A host of the config could be used if somebody named a model for it. */
function whyOffline([silent]: Hosts, hasConfig: boolean): ChoiceReason {
  if (silent !== undefined) return { kind: "no-model-named", host: silent.host.name };
  return { kind: hasConfig ? "no-usable-host" : "no-config" };
}

function grantWish(wish: ModelWish, hosts: Hosts): Decision {
  const selected = selectHost(wish, hosts);
  if (!selected.ok) return selected;
  const { access, by } = selected;
  const problem = findGap(wish, access, hosts);
  if (problem !== undefined) return { ok: false, problem };
  const why: ChoiceReason = { kind: "chosen", by, preset: wish.preset, variable: access.variable };
  return isFor(wish, access.host) ? accept({ ...selected, wish, why }) : acceptUsual(wish, access, why);
}

/** What the host still lacks before it can be asked. */
function findGap(wish: ModelWish, access: HostAccess, hosts: Hosts): ModelProblem | undefined {
  const { host, settings } = access;
  if (host.protocol === "scripted") {
    if (settings?.script !== undefined) return undefined;
    return { kind: "missing-script", path: toProviderPath(access, "script") };
  }
  if (!isUsable(access)) return toMissingAccess(access, wish.model, hosts);
  if (isFor(wish, host) || host.defaultModel !== undefined) return undefined;
  return { kind: "missing-model", host: host.label, path: "agents.defaults.model" };
}

/** A chosen model is meant for the chosen host; the default one makes sense at its vendor or at a gateway. */
function isFor({ isModelChosen, model }: ModelWish, host: Host): boolean {
  return isModelChosen || host.kind === "gateway" || findHost(splitPrefix(model).prefix ?? "") === host;
}

/** The usual model of a host, with its window where that is smaller than the setting. */
function acceptUsual(wish: ModelWish, access: HostAccess, why: ChoiceReason): Decision {
  const { name, defaultModel = name, defaultWindow = wish.contextWindowTokens } = access.host;
  const contextWindowTokens = Math.min(wish.contextWindowTokens, defaultWindow);
  return accept({ wish: { ...wish, contextWindowTokens }, access, model: defaultModel, why });
}

function accept(acceptance: Acceptance): Decision {
  return { ok: true, choice: toModelChoice(acceptance) };
}

function addFallbacks(first: ModelChoice, wish: ModelWish, input: ChooseModelInput, hosts: Hosts) {
  const chain = [first];
  const skipped: ModelProblem[] = [];
  for (const entry of input.defaults.fallbackModels) {
    const wished = typeof entry === "string" ? readWish(entry, input, true) : readInline(entry, wish);
    const decision = wished.ok ? grantWish(wished.wish, hosts) : wished;
    if (!decision.ok) skipped.push(decision.problem);
    else if (!chain.some((known) => isSame(known, decision.choice))) chain.push(decision.choice);
  }
  return { chain, skipped };
}

/** What an inline entry leaves out is as for the first model, except the effort: another model may not know it. */
function readInline(entry: FallbackModel, first: ModelWish): Wished {
  const wish: ModelWish = {
    ...entry,
    maxTokens: entry.maxTokens ?? first.maxTokens,
    contextWindowTokens: entry.contextWindowTokens ?? first.contextWindowTokens,
    temperature: entry.temperature ?? first.temperature,
    isModelChosen: true,
  };
  return { ok: true, wish };
}

function isSame(a: ModelChoice, b: ModelChoice): boolean {
  return a.host.name === b.host.name && a.model === b.model;
}
