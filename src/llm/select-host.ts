// Which host a model's name leads to. Explicit first: the named provider, then a `host/` prefix; then hosts that can
// be used, those of the config before mere keys in the environment. A local name never leads to a cloud.
import { findNearest } from "../lib/nearest.ts";
import { simplifyProviderName } from "./config.ts";
import type { Host } from "./host.ts";
import { createCustomHost, findHost, knownHosts } from "./hosts.ts";
import { isLocalName, matchKeyword, splitPrefix, toWireModel } from "./model-name.ts";

/** What is at hand for one host. */
export interface HostAccess {
  hasKey: boolean;
  hasBase: boolean;
  /** Key or base stand in the config; otherwise only a key was found in the environment. */
  isConfigured: boolean;
  /** The key was meant for another row: it counts only when this host is named. */
  isBorrowed?: boolean;
}

export interface SelectHostInput {
  model: string;
  /** A host's name, or `auto`. */
  provider: string;
  /** By the row's name, or by the user's own name for a custom host. */
  hosts: Readonly<Record<string, HostAccess>>;
}

export type SelectedBy = "provider" | "prefix" | "keyword" | "gateway" | "only-host";

export type SelectHostResult =
  | { ok: true; host: Host; model: string; by: SelectedBy }
  | { ok: false; problem: SelectHostProblem };

export type SelectHostProblem =
  | { kind: "unknown-provider"; provider: string; nearest?: string; configured: string[] }
  /** `wanted` is the host that the name belongs to, but that cannot be used. */
  | { kind: "no-host"; model: string; wanted?: Host; configured: string[] };

interface Candidate {
  host: Host;
  access: HostAccess;
}

const noAccess: HostAccess = { hasKey: false, hasBase: false, isConfigured: false };

export function selectHost(input: SelectHostInput): SelectHostResult {
  const candidates = listCandidates(input);
  if (input.provider !== "auto") return selectNamed(input, candidates);
  return selectPrefixed(input, candidates) ?? selectUsable(input, candidates);
}

/** It can be asked something: a key or a base for a cloud, an address for one's own server. */
export function isUsable(host: Host, { hasKey, hasBase }: HostAccess = noAccess): boolean {
  if (host.protocol === "offline" || host.protocol === "scripted") return true;
  if (host.kind === "direct") return hasBase;
  if (host.kind === "local") return hasBase || host.baseUrl !== undefined;
  return hasKey || hasBase;
}

/** The user gave something for it, so that a mere name may lead to it. */
export function isGiven({ hasKey, hasBase }: HostAccess): boolean {
  return hasKey || hasBase;
}

/** Hosts that were given a key or a base, in table order, the user's own names last. */
function listCandidates({ hosts }: SelectHostInput): Candidate[] {
  const known = knownHosts.flatMap((host) => {
    const access = hosts[host.name];
    return access === undefined ? [] : [{ host, access }];
  });
  const custom = Object.entries(hosts)
    .filter(([name]) => findHost(name) === undefined)
    .map(([name, access]) => ({ host: createCustomHost(name), access }));
  return [...known, ...custom].filter(({ host, access }) => isGiven(access) && isUsable(host, access));
}

function selectNamed({ provider, model }: SelectHostInput, candidates: Candidate[]): SelectHostResult {
  const host = findHost(provider) ?? findCustom(provider, candidates);
  if (host !== undefined) return { ok: true, host, model: toWireModel(host, model), by: "provider" };
  const configured = namesOf(candidates);
  const nearest = findNearest(provider, [...knownHosts.map(({ name }) => name), ...configured]);
  return { ok: false, problem: { kind: "unknown-provider", provider, nearest, configured } };
}

function selectPrefixed(
  { model, hosts }: SelectHostInput,
  candidates: Candidate[],
): SelectHostResult | undefined {
  const { prefix } = splitPrefix(model);
  if (prefix === undefined) return undefined;
  const named = findHost(prefix) ?? findCustom(prefix, candidates);
  if (named === undefined) return undefined;
  const twin = named.twin === undefined ? undefined : findHost(named.twin);
  const host = [named, twin].find((one) => one !== undefined && isUsable(one, hosts[one.name]));
  if (host !== undefined) return { ok: true, host, model: toWireModel(host, model), by: "prefix" };
  // Gateways serve vendors; but whoever names a gateway or a server of his own means that one.
  if (named.kind === "vendor") return undefined;
  return { ok: false, problem: { kind: "no-host", model, wanted: named, configured: namesOf(candidates) } };
}

function selectUsable({ model }: SelectHostInput, candidates: Candidate[]): SelectHostResult {
  const open = candidates.filter(({ access }) => access.isBorrowed !== true).filter(takes(model));
  for (const isConfigured of [true, false]) {
    const group = open.filter(({ access }) => access.isConfigured === isConfigured);
    const found =
      select(findByKeyword(model, group), model, "keyword") ??
      select(findGateway(model, group), model, "gateway") ??
      select(findOnlyHost(model, group), model, "only-host");
    if (found !== undefined) return found;
  }
  const configured = namesOf(candidates);
  return { ok: false, problem: { kind: "no-host", model, wanted: findWanted(model), configured } };
}

function takes(model: string): (candidate: Candidate) => boolean {
  return isLocalName(model) ? isOwn : () => true;
}

function select(host: Host | undefined, model: string, by: SelectedBy): SelectHostResult | undefined {
  return host && { ok: true, host, model: toWireModel(host, model), by };
}

function findByKeyword(model: string, group: Candidate[]): Host | undefined {
  return findLongestMatch(
    model,
    group.map(({ host }) => host),
  );
}

function findGateway(model: string, group: Candidate[]): Host | undefined {
  return group.find(
    ({ host }) => host.kind === "gateway" && (model.includes("/") || host.stripsPrefix === true),
  )?.host;
}

/** A server of the user's own takes what is not addressed to another host; the only cloud also not what sounds like one. */
function findOnlyHost(model: string, group: Candidate[]): Host | undefined {
  const [own, ...others] = group.filter(isOwn);
  // A proxy under a name of one's own may well pass on `anthropic/...`; a server on this machine has no such model.
  const isAddressed = findAddressee(model) !== undefined && own?.host.kind === "local";
  if (own !== undefined && others.length === 0 && !isAddressed) return own.host;
  return group.length === 1 && findWanted(model) === undefined ? group[0]?.host : undefined;
}

/** The host that a name belongs to, whether it can be used or not. */
function findWanted(model: string): Host | undefined {
  const named = findAddressee(model);
  if (named !== undefined || isLocalName(model)) return named;
  return findLongestMatch(model, knownHosts);
}

function findAddressee(model: string): Host | undefined {
  const { prefix } = splitPrefix(model);
  return prefix === undefined ? undefined : findHost(prefix);
}

function findLongestMatch(model: string, hosts: readonly Host[]): Host | undefined {
  let best: { host: Host; length: number } | undefined;
  for (const host of hosts) {
    const length = matchKeyword(model, host);
    if (length > (best?.length ?? 0)) best = { host, length };
  }
  return best?.host;
}

function isOwn({ host, access }: Candidate): boolean {
  return (host.kind === "local" || host.kind === "direct") && access.hasBase;
}

function findCustom(name: string, candidates: Candidate[]): Host | undefined {
  const wanted = simplifyProviderName(name);
  return candidates.find(({ host }) => simplifyProviderName(host.name) === wanted)?.host;
}

function namesOf(candidates: Candidate[]): string[] {
  return candidates.filter(({ access }) => access.isBorrowed !== true).map(({ host }) => host.name);
}
