// Which host a model's name leads to. Explicit first: the named provider, then a `host/` prefix; then usable hosts, those
// of the config before keys in the environment. A local name never leads to a cloud.
import { findNearest } from "../../lib/language/nearest.ts";
import { simplifyProviderName } from "../config.ts";
import type { Host } from "../hosts/host.ts";
import {
  findAccess,
  type HostAccess,
  isAtHand,
  isUsable,
  listConfigured,
  type ModelProblem,
  toMissingAccess,
} from "./host-access.ts";

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
  const named = findAddressed(model, hosts);
  if (named === undefined) return undefined;
  const twin = findAccess(named.host.twin, hosts);
  if (isUsable(named)) return select(named, model, "prefix");
  if (twin !== undefined && isUsable(twin)) return select(twin, model, "prefix");
  // Gateways serve vendors; but a user who names a gateway or a server of theirs means that one.
  if (named.host.kind === "vendor") return undefined;
  return { ok: false, problem: toMissingAccess(named, model, hosts) };
}

function selectAtHand(model: string, hosts: Hosts): SelectHostResult {
  const open = hosts.filter((access) => isAtHand(access) && (isUserServer(access) || !isLocalName(model)));
  for (const isConfigured of [true, false]) {
    const group = open.filter((access) => access.isConfigured === isConfigured);
    const namesake = findByKeyword(model, group);
    if (namesake !== undefined) return select(namesake, model, "keyword");
    const gateway = group.find(({ host }) => isGatewayFor(host, model));
    if (gateway !== undefined) return select(gateway, model, "gateway");
    const only = findOnlyHost(model, group, hosts);
    if (only !== undefined) return select(only, model, "only-host");
  }
  const intended = findIntended(model, hosts);
  if (intended !== undefined) return { ok: false, problem: toMissingAccess(intended, model, hosts) };
  return { ok: false, problem: { kind: "no-host", model, configured: listConfigured(hosts) } };
}

function select(access: HostAccess, model: string, by: SelectedBy): SelectHostResult {
  return { ok: true, access, model: toWireModel(access.host, model), by };
}

function isGatewayFor({ kind, stripsPrefix }: Host, model: string): boolean {
  return kind === "gateway" && (model.includes("/") || stripsPrefix === true);
}

/** The user's only server takes what is not addressed to another host; the only cloud takes nothing that sounds like another host. */
function findOnlyHost(model: string, group: Hosts, hosts: Hosts): HostAccess | undefined {
  const [server, ...others] = group.filter(isUserServer);
  // A proxy under a custom name may pass on `anthropic/...`; a server on this machine has no such model.
  const isAddressed = server?.host.kind === "local" && findAddressed(model, hosts) !== undefined;
  if (server !== undefined && others.length === 0 && !isAddressed) return server;
  return group.length === 1 && findIntended(model, hosts) === undefined ? group[0] : undefined;
}

/** The host that a name belongs to, whether it can be used or not. */
function findIntended(model: string, hosts: Hosts): HostAccess | undefined {
  return findAddressed(model, hosts) ?? (isLocalName(model) ? undefined : findByKeyword(model, hosts));
}

function findAddressed(model: string, hosts: Hosts): HostAccess | undefined {
  return findAccess(splitPrefix(model).prefix, hosts);
}

/** The longest keyword wins, then the order of the table. */
function findByKeyword(model: string, hosts: Hosts): HostAccess | undefined {
  const lengths = hosts.map(({ host }) => matchKeyword(model, host));
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? undefined : hosts[lengths.indexOf(longest)];
}

function isUserServer({ host, baseUrl }: HostAccess): boolean {
  return (host.kind === "local" || host.kind === "direct") && baseUrl !== undefined;
}

export function splitPrefix(model: string): { prefix?: string; rest: string } {
  const slash = model.indexOf("/");
  return slash <= 0 ? { rest: model } : { prefix: model.slice(0, slash), rest: model.slice(slash + 1) };
}

/** `llama3:8b`, `phi4:14b-q4_K_M`, `mixtral:8x7b`, `qwen3:latest`; not `deepseek/deepseek-r1:free` or `ft:gpt-4o:org`. */
const localTag = /:(?:latest|fp16|[a-z]?\d+(?:x\d+)?(?:\.\d+)?[bm](?:[-_].*)?|(?:.*[-_])?i?q\d(?:_.*)?)$/i;

/** Names that only local servers use: Ollama's tags, files of llama.cpp and LM Studio. */
function isLocalName(model: string): boolean {
  return localTag.test(model) || model.toLowerCase().endsWith(".gguf");
}

/**
 * Length of the longest keyword of the host in the name, 0 for none. A keyword counts as a whole word: `qwen` is in
 * `qwen3-max` and `gpt` in `gpt4`, but `step` is not in `stepwise`.
 */
function matchKeyword(model: string, { keywords }: Host): number {
  const matches = keywords.filter((keyword) => {
    const words = keyword.replaceAll(/[-_]/g, "[^a-z0-9]+");
    return new RegExp(`(?<![a-z0-9])${words}(?![a-z])`, "i").test(model);
  });
  return Math.max(0, ...matches.map((keyword) => keyword.length));
}

function toWireModel(host: Host, model: string): string {
  if (host.stripsPrefix === true) return model.slice(model.lastIndexOf("/") + 1);
  const { prefix, rest } = splitPrefix(model);
  if (prefix === undefined || !isNameOf(host, prefix)) return model;
  // `openrouter/auto` is a model of the gateway itself.
  return host.kind === "gateway" && !rest.includes("/") ? model : rest;
}

function isNameOf({ name, twin }: Host, prefix: string): boolean {
  const wanted = simplifyProviderName(prefix);
  return [name, twin ?? name].some((known) => simplifyProviderName(known) === wanted);
}
