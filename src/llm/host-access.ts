// What the config and the environment give for each host: key, base and the rest of a connection. A key in the config
// wins; one in the environment fills the gap. Pure: reads no file and no variable by itself.
import { type ProviderSettings, type Providers, simplifyProviderName } from "./config.ts";
import type { Host } from "./host.ts";
import { createCustomHost, findHost, knownHosts } from "./hosts.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface HostAccess {
  host: Host;
  /** As the user spelled it in the config. */
  spelling?: string;
  settings?: ProviderSettings;
  apiKey?: string;
  /** The user's own, not the host's usual one. */
  baseUrl?: string;
  /** The environment variable that the key came from. */
  variable?: string;
  /** Key or base stand in the config; otherwise at most a key was found in the environment. */
  isConfigured: boolean;
  /** The key was meant for another row: it counts only when this host is named. */
  isBorrowed: boolean;
}

/** Every row of the table, then the hosts of the user's own that have an address. */
export function listHostAccess(providers: Providers, environment: Environment): HostAccess[] {
  const spellings = Object.keys(providers);
  const known = knownHosts.map((host) => {
    const spelling = spellings.findLast((name) => findHost(name) === host);
    return readAccess(host, environment, spelling, providers);
  });
  const own = spellings
    .filter((name) => findHost(name) === undefined)
    .map((name) => readAccess(createCustomHost(name), environment, name, providers));
  return [...known, ...own.filter(({ baseUrl }) => baseUrl !== undefined)];
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
  const owner = knownHosts.find(({ keyVariables }) => keyVariables.includes(variable ?? ""));
  return {
    host,
    spelling,
    settings,
    apiKey: apiKey ?? filled(environment[variable ?? ""]),
    baseUrl,
    variable,
    isConfigured,
    isBorrowed: !isConfigured && variable !== undefined && owner !== host,
  };
}

/** The Python original writes every host into the config, with an empty key. */
function filled(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

/** By a name in any spelling. */
export function findAccess(name: string | undefined, hosts: readonly HostAccess[]): HostAccess | undefined {
  if (name === undefined) return undefined;
  const wanted = simplifyProviderName(name);
  return hosts.find(({ host }) => simplifyProviderName(host.name) === wanted);
}

/** It can be asked something: a key or a base for a cloud, an address for one's own server. */
export function isUsable({ host, apiKey, baseUrl }: HostAccess): boolean {
  if (host.protocol === "offline" || host.protocol === "scripted") return true;
  if (host.kind === "direct") return baseUrl !== undefined;
  if (host.kind === "local") return (baseUrl ?? host.baseUrl) !== undefined;
  return (apiKey ?? baseUrl) !== undefined;
}

/** The user gave something for it that makes it usable, so that a mere model name may lead to it. */
export function isAtHand(access: HostAccess): boolean {
  const isGiven = (access.apiKey ?? access.baseUrl) !== undefined;
  return isGiven && !access.isBorrowed && isUsable(access);
}
