// Why no model can be used although the user chose one: as data, and as a sentence with the next action.
import { toOneLine } from "../lib/text.ts";
import type { Words } from "../words/words.ts";
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

export function describeModelProblem(problem: ModelProblem, { noModel: words }: Words): string {
  const list = (names: string[]) => (names.length === 0 ? words.none : names.join(", "));
  if (problem.kind === "unknown-preset")
    return words.unknownPreset(quotable(problem.preset), list(problem.known));
  const what = describeLack(problem, words);
  return "configured" in problem ? `${what} ${words.configured(list(problem.configured))}` : what;
}

function describeLack(
  problem: Exclude<ModelProblem, { kind: "unknown-preset" }>,
  words: Words["noModel"],
): string {
  switch (problem.kind) {
    case "unknown-provider":
      return words.unknownHost(quotable(problem.provider), problem.nearest && quotable(problem.nearest));
    case "missing-key":
      return words.missingKey(quotable(problem.model), problem.host, problem.variable, problem.path);
    case "missing-base":
      return words.missingBase(quotable(problem.model), problem.host, problem.path);
    case "missing-script":
      return words.missingScript(problem.path);
    case "missing-model":
      return words.missingModel(problem.host, problem.path);
    case "no-host":
      return words.noHost(quotable(problem.model));
  }
}

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

function quotable(name: string): string {
  return toOneLine(name, 80);
}
