// What the config and the environment hold for each host: key, base URL and the rest of a connection; and why a chosen
// model cannot be used, as data. A key in the config wins over one in the environment. Pure: reads no file, no variable.
import { type ProviderSettings, type Providers, simplifyProviderName } from "../config.ts";
import type { Host } from "../hosts/host.ts";
import { createCustomHost, findHost, knownHosts } from "../hosts/hosts.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface HostAccess {
  host: Host;
  /** As the user spelled it in the config. */
  spelling?: string;
  settings?: ProviderSettings;
  apiKey?: string;
  /** From the config; absent where the host's usual one applies. */
  baseUrl?: string;
  /** The environment variable that the key came from. */
  variable?: string;
  /** Key or base URL are in the config; otherwise at most a key is in the environment. */
  isConfigured: boolean;
  /** The key belongs to another row: it counts only when this host is named. */
  isBorrowed: boolean;
}

/** Every row of the table, then the custom hosts that have an address. */
export function listHostAccess(providers: Providers, environment: Environment): HostAccess[] {
  const spellings = Object.keys(providers);
  const known = knownHosts.map((host) => {
    const spelling = spellings.findLast((name) => findHost(name) === host);
    return readAccess(host, environment, spelling, providers);
  });
  const custom = spellings
    .filter((name) => findHost(name) === undefined)
    .map((name) => readAccess(createCustomHost(name), environment, name, providers));
  return [...known, ...custom.filter(({ baseUrl }) => baseUrl !== undefined)];
}

function readAccess(
  host: Host,
  environment: Environment,
  spelling: string | undefined,
  providers: Providers,
): HostAccess {
  const settings = spelling === undefined ? undefined : providers[spelling];
  const apiKey = filled(settings?.apiKey);
  const baseUrl = filled(settings?.apiBase);
  const isConfigured = apiKey !== undefined || baseUrl !== undefined;
  const variable = apiKey ? undefined : host.keyVariables.find((name) => filled(environment[name]));
  return {
    host,
    spelling,
    settings,
    apiKey: apiKey ?? filled(environment[variable ?? ""]),
    baseUrl,
    variable,
    isConfigured,
    isBorrowed: !isConfigured && variable !== undefined && ownerOf(variable) !== host,
  };
}

function ownerOf(variable: string): Host | undefined {
  return knownHosts.find(({ keyVariables }) => keyVariables.includes(variable));
}

/** The Python original writes every host into the config, with an empty key. */
function filled(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

/** By a name in any spelling. */
export function findAccess(name: string | undefined, hosts: readonly HostAccess[]): HostAccess | undefined {
  if (name === undefined) return undefined;
  const simple = simplifyProviderName(name);
  return hosts.find(({ host }) => simplifyProviderName(host.name) === simple);
}

/** It can be called: a cloud has a key or a base URL, a server of the user has an address. */
export function isUsable({ host, apiKey, baseUrl }: HostAccess): boolean {
  if (host.protocol === "offline" || host.protocol === "scripted") return true;
  // Whether the owner is signed in is known when it is asked.
  if (host.signIn) return true;
  if (host.kind === "direct") return baseUrl !== undefined;
  if (host.kind === "local") return (baseUrl ?? host.baseUrl) !== undefined;
  return (apiKey ?? baseUrl) !== undefined;
}

/** The user set a key or an address for it, so that a model name alone may lead to it. */
export function isAtHand(access: HostAccess): boolean {
  const isSet = (access.apiKey ?? access.baseUrl) !== undefined;
  return isSet && !access.isBorrowed && isUsable(access);
}

export type ModelProblem =
  | { kind: "unknown-preset"; preset: string; known: string[] }
  | { kind: "unknown-provider"; provider: string; nearest?: string; configured: string[] }
  /** `path` is where the key belongs in the config, `variable` where it belongs in the environment. */
  | { kind: "missing-key"; host: string; model: string; variable: string; path: string; configured: string[] }
  | { kind: "missing-base"; host: string; model: string; path: string; configured: string[] }
  | { kind: "missing-script"; path: string }
  | { kind: "missing-model"; host: string; path: string }
  | { kind: "no-host"; model: string; configured: string[] };

/** The intended host cannot be called: a cloud lacks its key, a server its address. */
export function toMissingAccess(
  access: HostAccess,
  model: string,
  hosts: readonly HostAccess[],
): ModelProblem {
  const { kind, label: host, keyVariables } = access.host;
  const configured = listConfigured(hosts);
  if (kind !== "vendor" && kind !== "gateway") {
    return { kind: "missing-base", host, model, path: toProviderPath(access, "apiBase"), configured };
  }
  const [variable = ""] = keyVariables;
  return { kind: "missing-key", host, model, variable, path: toProviderPath(access, "apiKey"), configured };
}

/** Names of all usable hosts, for a sentence. */
export function listConfigured(hosts: readonly HostAccess[]): string[] {
  return hosts.filter(isAtHand).map(({ host }) => host.name);
}

/** `providers.minimaxAnthropic.apiKey`: as the user spelled it, otherwise as it would be written. */
export function toProviderPath({ host, spelling }: HostAccess, key: string): string {
  const written = host.name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `providers.${spelling ?? written}.${key}`;
}
