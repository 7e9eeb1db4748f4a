// What the config and the environment give for each host: key, base and the rest of a connection. A key in the config
// wins; one in the environment fills the gap. Pure: reads no file and no variable by itself.
import type { ProviderSettings, Providers } from "./config.ts";
import type { Host } from "./host.ts";
import { findHost, knownHosts } from "./hosts.ts";
import { type HostAccess, isGiven, isUsable } from "./select-host.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface FoundAccess extends HostAccess {
  /** As the user spelled it in the config. */
  spelling?: string;
  settings?: ProviderSettings;
  apiKey?: string;
  /** The environment variable that the key came from. */
  variable?: string;
}

/** By the row's name, or by the user's own name. */
export type Hosts = Readonly<Record<string, FoundAccess>>;

export function listHostAccess(providers: Providers, environment: Environment): Hosts {
  const found = new Map<string, FoundAccess>();
  for (const [spelling, settings] of Object.entries(providers)) {
    const host = findHost(spelling);
    found.set(host?.name ?? spelling, readSettings(spelling, settings, host, environment));
  }
  for (const host of knownHosts) {
    const given = found.get(host.name);
    const spare = given?.isConfigured === true ? undefined : readEnvironment(host, environment);
    if (spare !== undefined) found.set(host.name, { ...given, ...spare });
  }
  return Object.fromEntries(found);
}

/** Hosts that were given something and could be asked, in order of preference. */
export function listUsable(found: Hosts): Array<[Host, FoundAccess]> {
  return knownHosts.flatMap((host): Array<[Host, FoundAccess]> => {
    const access = found[host.name];
    if (access === undefined || access.isBorrowed === true) return [];
    return isGiven(access) && isUsable(host, access) ? [[host, access]] : [];
  });
}

/** Names of all that could be asked, for a sentence. */
export function listConfigured(hosts: Hosts): string[] {
  const custom = Object.keys(hosts).filter((name) => findHost(name) === undefined && hosts[name]?.hasBase);
  return [...listUsable(hosts).map(([host]) => host.name), ...custom];
}

function readSettings(
  spelling: string,
  settings: ProviderSettings,
  host: Host | undefined,
  environment: Environment,
): FoundAccess {
  const apiKey = filled(settings.apiKey);
  const hasBase = filled(settings.apiBase) !== undefined;
  const isConfigured = apiKey !== undefined || hasBase;
  const spare = apiKey === undefined && hasBase && host ? readEnvironment(host, environment) : undefined;
  return {
    spelling,
    settings,
    hasBase,
    isConfigured,
    hasKey: isConfigured && (apiKey ?? spare?.apiKey) !== undefined,
    apiKey: apiKey ?? spare?.apiKey,
    variable: spare?.variable,
  };
}

function readEnvironment(host: Host, environment: Environment): FoundAccess | undefined {
  const variable = host.keyVariables.find((name) => filled(environment[name]) !== undefined);
  if (variable === undefined) return undefined;
  const owner = knownHosts.find(({ keyVariables }) => keyVariables.includes(variable));
  return {
    hasKey: true,
    hasBase: false,
    isConfigured: false,
    apiKey: filled(environment[variable]),
    variable,
    ...(owner === host ? {} : { isBorrowed: true }),
  };
}

/** The Python original writes every host into the config, with an empty key. */
function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}
