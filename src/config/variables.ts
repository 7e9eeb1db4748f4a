// References such as ${NAME} in the config's strings, replaced by environment variables in memory only.
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import { simplifyProviderName } from "../llm/config.ts";
import { type Problem, toPath, type Warning } from "./problem.ts";

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export interface Resolved {
  value: JsonObject;
  problems: Problem[];
  warnings: Warning[];
}

interface ResolveInput {
  value: JsonObject;
  env: NodeJS.ProcessEnv;
  /** Paths that have no effect: what they refer to does not matter. */
  unknown: PropertyKey[][];
}

export function resolveVariables({ value, env, unknown }: ResolveInput): Resolved {
  const problems: Problem[] = [];
  const warnings: Warning[] = [];
  const isLate = createLateRule(value);
  const isUnknown = (path: PropertyKey[]) =>
    unknown.some((start) => start.every((part, index) => part === path[index]));

  function report(path: PropertyKey[], name: string): void {
    const finding = { kind: "missing-variable" as const, path: toPath(path) };
    const message = `refers to the environment variable ${name}, which is not set`;
    if (isUnknown(path)) return;
    if (isLate(path)) warnings.push({ ...finding, message: `${message}; it counts as empty` });
    else problems.push({ ...finding, message: `${message}; set it, or write the value here` });
  }

  function resolve(item: unknown, path: PropertyKey[]): unknown {
    if (typeof item === "string") {
      return item.replaceAll(reference, (_, name: string) => {
        const found = env[name];
        if (found === undefined) report(path, name);
        return found ?? "";
      });
    }
    if (Array.isArray(item)) return item.map((entry, index) => resolve(entry, [...path, index]));
    if (!isRecord(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [key, resolve(entry, [...path, key])]),
    );
  }

  return { value: resolve(value, []) as JsonObject, problems, warnings };
}

/** Without the values that refer to a variable which is not set: for whoever is about to repair them. */
export function leaveOutMissing(value: JsonObject, env: NodeJS.ProcessEnv): JsonObject {
  function isMissing(item: unknown): boolean {
    if (typeof item !== "string") return false;
    return [...item.matchAll(reference)].some(([, name = ""]) => env[name] === undefined);
  }
  function keep(item: unknown): unknown {
    if (Array.isArray(item)) return item.filter((entry) => !isMissing(entry)).map(keep);
    if (!isRecord(item)) return item;
    const kept = Object.entries(item).filter(([, entry]) => !isMissing(entry));
    return Object.fromEntries(kept.map(([key, entry]) => [key, keep(entry)]));
  }
  return keep(value) as JsonObject;
}

/**
 * Fields that are read only when something is used that may never be used: being empty makes that one thing fail, later
 * and visibly. Never a field whose emptiness would open a door (a token that is asked for, a proxy).
 */
function createLateRule(config: JsonObject): (path: PropertyKey[]) => boolean {
  const isNamed = createNamedRule(config);
  return (path) => {
    const [section, name, key, leaf] = path.map(String);
    if (section === "providers") return key === "apiKey" && !isNamed(name ?? "");
    if (section === "channels") return getIn(config, [section, name ?? "", "enabled"]) === false;
    if (section !== "tools") return false;
    if (name === "web") return key === "search" && leaf === "apiKey";
    return name === "mcpServers" && (leaf === "env" || leaf === "headers");
  };
}

/** Whether a model setting may turn to this host. Where the first model names none of them, each may be chosen. */
function createNamedRule(config: JsonObject): (provider: string) => boolean {
  const defaults = getIn(config, ["agents", "defaults"]);
  const presets = getIn(config, ["modelPresets"]);
  const fallbacks = getIn(config, ["agents", "defaults", "fallbackModels"]);
  const settings = [
    defaults,
    ...(isRecord(presets) ? Object.values(presets) : []),
    ...(Array.isArray(fallbacks) ? fallbacks : []),
  ];
  const named = new Set(settings.flatMap(hostNames));
  const providers = getIn(config, ["providers"]);
  const known = isRecord(providers) ? Object.keys(providers).map(simplifyProviderName) : [];
  const firstIsNamed = hostNames(defaults).some((name) => known.includes(name));
  return (provider) => !firstIsNamed || named.has(simplifyProviderName(provider));
}

function hostNames(setting: unknown): string[] {
  if (!isRecord(setting)) return [];
  const { provider, model } = setting;
  const prefix = typeof model === "string" && model.includes("/") ? model.split("/")[0] : undefined;
  return [provider, prefix].filter((name) => typeof name === "string").map(simplifyProviderName);
}
