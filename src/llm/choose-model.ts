// The one decision which model answers: from the config's wishes, the hosts at hand and the environment. Pure; it
// opens no connection. What the user chose is used or refused with a reason; what was left open finds the best there is.
import type { FallbackModel, ModelDefaults, ModelPreset, Providers } from "./config.ts";
import type { Host } from "./host.ts";
import { type Environment, type FoundAccess, type Hosts, listHostAccess, listUsable } from "./host-access.ts";
import { findHost } from "./hosts.ts";
import { type ChoiceReason, type ModelChoice, type ModelWish, toModelChoice } from "./model-choice.ts";
import { splitPrefix } from "./model-name.ts";
import { type ModelProblem, toMissingAccess, toProviderPath } from "./model-problem.ts";
import { isUsable, type SelectHostProblem, selectHost } from "./select-host.ts";

export interface ChooseModelInput {
  defaults: ModelDefaults;
  presets: Presets;
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

type Presets = Readonly<Record<string, ModelPreset>>;
type Decision = { ok: true; choice: ModelChoice } | { ok: false; problem: ModelProblem };
type Wished = { ok: true; wish: ModelWish } | { ok: false; problem: ModelProblem };

export function chooseModel(input: ChooseModelInput): ChooseModelResult {
  const wished = readWish(input);
  if (!wished.ok) return wished;
  const { wish } = wished;
  const hosts = listHostAccess(input.providers, input.environment);
  const isOpen = !wish.isModelChosen && wish.provider === "auto";
  const first = isOpen ? chooseFreely(wish, hosts, input.hasConfig) : grantWish(wish, hosts);
  if (!first.ok) return first;
  return { ...first, ...chooseFallbacks(input, { wish, choice: first.choice }, hosts) };
}

function readWish({ defaults, presets, isModelChosen }: ChooseModelInput): Wished {
  if (defaults.modelPreset !== undefined && defaults.modelPreset !== "default") {
    return readPreset(defaults.modelPreset, presets);
  }
  return { ok: true, wish: { ...defaults, isModelChosen } };
}

function readPreset(name: string, presets: Presets): Wished {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset !== undefined) return { ok: true, wish: { ...preset, preset: name, isModelChosen: true } };
  return { ok: false, problem: { kind: "unknown-preset", preset: name, known: Object.keys(presets) } };
}

/** Nobody named a model or a host: hosts of the config first, then keys in the environment, then offline. */
function chooseFreely(wish: ModelWish, hosts: Hosts, hasConfig: boolean): Decision {
  const usable = listUsable(hosts);
  const configured = usable.filter(([, { isConfigured }]) => isConfigured);
  const selected = selectHost({
    ...wish,
    hosts: Object.fromEntries(configured.map(([host, access]) => [host.name, access])),
  });
  if (selected.ok && selected.by !== "only-host") {
    const { host, model } = selected;
    return accept({ wish, host, model, access: hosts[host.name], why: { kind: "default-model" } });
  }
  const silent = configured[0]?.[0].name ?? findCustomName(hosts);
  // Whoever set up a server of his own is not sent to a cloud because some key lies about.
  const open = silent === undefined ? usable : configured;
  const found = open.find(([host]) => host.defaultModel !== undefined);
  return found === undefined ? goOffline(wish, silent, hasConfig) : takeDefault(wish, ...found);
}

function takeDefault(wish: ModelWish, host: Host, access: FoundAccess): Decision {
  const { isConfigured, variable = "" } = access;
  const why: ChoiceReason = isConfigured
    ? { kind: "host-in-config" }
    : { kind: "key-in-environment", variable };
  return accept({ wish: fitToDefault(wish, host), host, model: host.defaultModel ?? "", access, why });
}

/** `silent` is a host that could be used if somebody named a model for it. */
function goOffline(wish: ModelWish, silent: string | undefined, hasConfig: boolean): Decision {
  const host = findHost("offline");
  if (host === undefined) throw new Error("the table of hosts has no row for the offline model");
  const empty: ChoiceReason = { kind: hasConfig ? "no-usable-host" : "no-config" };
  const why: ChoiceReason = silent === undefined ? empty : { kind: "no-model-named", host: silent };
  return accept({ wish, host, model: host.name, why });
}

function findCustomName(hosts: Hosts): string | undefined {
  return Object.keys(hosts).find((name) => findHost(name) === undefined && hosts[name]?.hasBase);
}

function grantWish(wish: ModelWish, hosts: Hosts): Decision {
  const selected = selectHost({ ...wish, hosts });
  if (!selected.ok) return { ok: false, problem: toProblem(selected.problem, hosts) };
  const { host, by } = selected;
  const access = hosts[host.name];
  const problem = findGap(wish, host, hosts);
  if (problem !== undefined) return { ok: false, problem };
  const why: ChoiceReason = { kind: "chosen", by, preset: wish.preset, variable: access?.variable };
  if (isFor(wish, host)) return accept({ wish, host, model: selected.model, access, why });
  const model = host.defaultModel ?? host.name;
  return accept({ wish: fitToDefault(wish, host), host, model, access, why });
}

/** What the host still lacks before it can be asked. */
function findGap(wish: ModelWish, host: Host, hosts: Hosts): ModelProblem | undefined {
  const access = hosts[host.name];
  if (host.protocol === "offline") return undefined;
  if (host.protocol === "scripted") {
    if (access?.settings?.script !== undefined) return undefined;
    return { kind: "missing-script", path: toProviderPath(host, "script", access) };
  }
  if (!isUsable(host, access)) return toMissingAccess(host, wish.model, hosts);
  if (isFor(wish, host) || host.defaultModel !== undefined) return undefined;
  return { kind: "missing-model", host: host.label, path: "agents.defaults.model" };
}

/** A chosen model is meant for the chosen host; the default one makes sense at its vendor or at a gateway. */
function isFor({ isModelChosen, model }: ModelWish, host: Host): boolean {
  if (isModelChosen || host.kind === "gateway") return true;
  const { prefix } = splitPrefix(model);
  return prefix !== undefined && findHost(prefix) === host;
}

function toProblem(problem: SelectHostProblem, hosts: Hosts): ModelProblem {
  if (problem.kind === "unknown-provider") return problem;
  const { model, wanted, configured } = problem;
  return wanted === undefined
    ? { kind: "no-host", model, configured }
    : toMissingAccess(wanted, model, hosts);
}

/** The window of the host's usual model, where it is smaller than the setting. */
function fitToDefault(wish: ModelWish, { defaultWindow = wish.contextWindowTokens }: Host): ModelWish {
  return { ...wish, contextWindowTokens: Math.min(wish.contextWindowTokens, defaultWindow) };
}

function accept(acceptance: Parameters<typeof toModelChoice>[0]): Decision {
  return { ok: true, choice: toModelChoice(acceptance) };
}

interface First {
  wish: ModelWish;
  choice: ModelChoice;
}

function chooseFallbacks({ defaults, presets }: ChooseModelInput, { wish, choice }: First, hosts: Hosts) {
  const chain = [choice];
  const skipped: ModelProblem[] = [];
  for (const entry of defaults.fallbackModels) {
    const wished = typeof entry === "string" ? readNamed(entry, defaults, presets) : readInline(entry, wish);
    const decision = wished.ok ? grantWish(wished.wish, hosts) : wished;
    if (!decision.ok) skipped.push(decision.problem);
    else if (!chain.some((known) => isSame(known, decision.choice))) chain.push(decision.choice);
  }
  const contextWindow = Math.min(...chain.map((one) => one.contextWindow));
  return { fallbacks: chain.slice(1), skipped, contextWindow };
}

function readNamed(name: string, defaults: ModelDefaults, presets: Presets): Wished {
  if (name !== "default") return readPreset(name, presets);
  return { ok: true, wish: { ...defaults, isModelChosen: true } };
}

/** What an inline entry leaves out is as for the first model, except the effort: another model may not know it. */
function readInline(entry: FallbackModel, first: ModelWish): Wished {
  const { maxTokens, contextWindowTokens, temperature } = first;
  const wish: ModelWish = {
    ...entry,
    maxTokens: entry.maxTokens ?? maxTokens,
    contextWindowTokens: entry.contextWindowTokens ?? contextWindowTokens,
    temperature: entry.temperature ?? temperature,
    isModelChosen: true,
  };
  return { ok: true, wish };
}

function isSame(a: ModelChoice, b: ModelChoice): boolean {
  return a.host.name === b.host.name && a.model === b.model;
}
