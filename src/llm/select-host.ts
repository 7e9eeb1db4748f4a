// Which host a model's name leads to. Explicit first: the named provider, then a `host/` prefix; then hosts that are at
// hand, those of the config before mere keys in the environment. A local name never leads to a cloud.
import { findNearest } from "../lib/nearest.ts";
import type { Host } from "./host.ts";
import { findAccess, type HostAccess, isAtHand, isUsable } from "./host-access.ts";
import { isLocalName, matchKeyword, splitPrefix, toWireModel } from "./model-name.ts";
import { listConfigured, type ModelProblem, toMissingAccess } from "./model-problem.ts";

export type SelectedBy = "provider" | "prefix" | "keyword" | "gateway" | "only-host";

/** `model` is as it goes on the wire. */
export type SelectHostResult =
  | { ok: true; access: HostAccess; model: string; by: SelectedBy }
  | { ok: false; problem: ModelProblem };

type Hosts = readonly HostAccess[];

/** `provider` is a host's name, or `auto`. */
export function selectHost(
  { model, provider }: { model: string; provider: string },
  hosts: Hosts,
): SelectHostResult {
  if (provider !== "auto") return selectNamed(provider, model, hosts);
  return selectPrefixed(model, hosts) ?? selectAtHand(model, hosts);
}

function selectNamed(provider: string, model: string, hosts: Hosts): SelectHostResult {
  const access = findAccess(provider, hosts);
  if (access !== undefined) return select(access, model, "provider");
  const names = hosts.map(({ host }) => host.name);
  const nearest = findNearest(provider, names);
  const configured = listConfigured(hosts);
  return { ok: false, problem: { kind: "unknown-provider", provider, nearest, configured } };
}

function selectPrefixed(model: string, hosts: Hosts): SelectHostResult | undefined {
  const named = findAddressee(model, hosts);
  if (named === undefined) return undefined;
  const twin = findAccess(named.host.twin, hosts);
  if (isUsable(named)) return select(named, model, "prefix");
  if (twin !== undefined && isUsable(twin)) return select(twin, model, "prefix");
  // Gateways serve vendors; but whoever names a gateway or a server of his own means that one.
  if (named.host.kind === "vendor") return undefined;
  return { ok: false, problem: toMissingAccess(named, model, hosts) };
}

function selectAtHand(model: string, hosts: Hosts): SelectHostResult {
  const open = hosts.filter((access) => isAtHand(access) && (isOwn(access) || !isLocalName(model)));
  for (const isConfigured of [true, false]) {
    const group = open.filter((access) => access.isConfigured === isConfigured);
    const namesake = findByKeyword(model, group);
    if (namesake !== undefined) return select(namesake, model, "keyword");
    const gateway = group.find(({ host }) => isGatewayFor(host, model));
    if (gateway !== undefined) return select(gateway, model, "gateway");
    const only = findOnlyHost(model, group, hosts);
    if (only !== undefined) return select(only, model, "only-host");
  }
  const wanted = findWanted(model, hosts);
  if (wanted !== undefined) return { ok: false, problem: toMissingAccess(wanted, model, hosts) };
  return { ok: false, problem: { kind: "no-host", model, configured: listConfigured(hosts) } };
}

function select(access: HostAccess, model: string, by: SelectedBy): SelectHostResult {
  return { ok: true, access, model: toWireModel(access.host, model), by };
}

function isGatewayFor({ kind, stripsPrefix }: Host, model: string): boolean {
  return kind === "gateway" && (model.includes("/") || stripsPrefix === true);
}

/** A server of the user's own takes what is not addressed to another host; the only cloud also not what sounds like one. */
function findOnlyHost(model: string, group: Hosts, hosts: Hosts): HostAccess | undefined {
  const [own, ...others] = group.filter(isOwn);
  // A proxy under a name of one's own may well pass on `anthropic/...`; a server on this machine has no such model.
  const isAddressed = own?.host.kind === "local" && findAddressee(model, hosts) !== undefined;
  if (own !== undefined && others.length === 0 && !isAddressed) return own;
  return group.length === 1 && findWanted(model, hosts) === undefined ? group[0] : undefined;
}

/** The host that a name belongs to, whether it can be used or not. */
function findWanted(model: string, hosts: Hosts): HostAccess | undefined {
  return findAddressee(model, hosts) ?? (isLocalName(model) ? undefined : findByKeyword(model, hosts));
}

function findAddressee(model: string, hosts: Hosts): HostAccess | undefined {
  return findAccess(splitPrefix(model).prefix, hosts);
}

/** The longest keyword wins, then the order of the table. */
function findByKeyword(model: string, hosts: Hosts): HostAccess | undefined {
  const lengths = hosts.map(({ host }) => matchKeyword(model, host));
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? undefined : hosts[lengths.indexOf(longest)];
}

function isOwn({ host, baseUrl }: HostAccess): boolean {
  return (host.kind === "local" || host.kind === "direct") && baseUrl !== undefined;
}
