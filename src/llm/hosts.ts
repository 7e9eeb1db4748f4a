// The table of model hosts, in order of preference, and look-up by name in any spelling.
// A new compatible host is a row in one of these files; see docs/adding-a-provider.md.
import { simplifyProviderName } from "./config.ts";
import type { Host } from "./host.ts";
import { openaiQuirks, toHost } from "./host-row.ts";
import { chineseHosts } from "./hosts-china.ts";
import { gatewayHosts } from "./hosts-gateway.ts";
import { localHosts } from "./hosts-local.ts";
import { worldHosts } from "./hosts-world.ts";

/** Earlier rows win: for a key found in the environment, for a keyword, among several gateways. */
export const knownHosts: readonly Host[] = [...worldHosts, ...chineseHosts, ...gatewayHosts, ...localHosts];

const byName = new Map(knownHosts.map((host) => [simplifyProviderName(host.name), host]));

/** Accepts `minimax_anthropic`, `minimaxAnthropic` and `minimax-anthropic`. */
export function findHost(name: string): Host | undefined {
  return byName.get(simplifyProviderName(name));
}

/** The host whose keys begin like this one, for a key that was pasted without saying whose it is. */
export function findHostByKey(apiKey: string): Host | undefined {
  return knownHosts.find(({ keyPrefix }) => keyPrefix !== undefined && apiKey.startsWith(keyPrefix));
}

/** A name of the user's own with an `apiBase`: any server that speaks OpenAI chat completions. */
export function createCustomHost(name: string): Host {
  return toHost({ name, label: name, kind: "direct", quirks: openaiQuirks });
}
