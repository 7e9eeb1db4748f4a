// Why no model can be used although the user chose one, as data.
import { type HostAccess, isAtHand } from "./host-access.ts";

export type ModelProblem =
  | { kind: "unknown-preset"; preset: string; known: string[] }
  | { kind: "unknown-provider"; provider: string; nearest?: string; configured: string[] }
  /** `path` is where the key belongs in the config, `variable` where it belongs in the environment. */
  | { kind: "missing-key"; host: string; model: string; variable: string; path: string; configured: string[] }
  | { kind: "missing-base"; host: string; model: string; path: string; configured: string[] }
  | { kind: "missing-script"; path: string }
  | { kind: "missing-model"; host: string; path: string }
  | { kind: "no-host"; model: string; configured: string[] };

/** A host that was meant but cannot be asked: a cloud lacks its key, a server of one's own its address. */
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

/** Names of all that could be asked, for a sentence. */
export function listConfigured(hosts: readonly HostAccess[]): string[] {
  return hosts.filter(isAtHand).map(({ host }) => host.name);
}

/** `providers.minimaxAnthropic.apiKey`: as the user spelled it, otherwise as it would be written. */
export function toProviderPath({ host, spelling }: HostAccess, key: string): string {
  const written = host.name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `providers.${spelling ?? written}.${key}`;
}
