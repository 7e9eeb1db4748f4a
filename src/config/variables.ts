// References such as ${NAME} in the config's strings, replaced by environment variables in memory only.
import { randomBytes } from "node:crypto";
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import { type Problem, toPath, toProblem } from "./problem.ts";

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export interface Resolved {
  value: JsonObject;
  /** Limits on spending whose values are not known. */
  unknownLimits: string[][];
  problems: Problem[];
  warnings: Problem[];
}

interface ResolveInput {
  value: JsonObject;
  env: NodeJS.ProcessEnv;
  /** Paths that have no effect: what they refer to does not matter. */
  unknown: PropertyKey[][];
}

/** What refers to a variable that is not set counts as empty, and what cannot be without it is switched off. */
export function resolveVariables({ value, env, unknown }: ResolveInput): Resolved {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const missing: PropertyKey[][] = [];
  const isUnknown = (path: PropertyKey[]) =>
    unknown.some((start) => start.every((part, index) => part === path[index]));

  function report(path: PropertyKey[], name: string): void {
    if (isUnknown(path)) return;
    missing.push(path);
    const effect = effectOf(path);
    const problem = toProblem(toPath(path), "config.variable-not-set", { variable: name, effect });
    (effect === "required" ? problems : warnings).push(problem);
  }

  function resolve(item: unknown, path: PropertyKey[]): unknown {
    if (typeof item === "string") {
      return item.replaceAll(reference, (_, name: string) => {
        const found = env[name];
        if (found === undefined) report(path, name);
        return found ?? "";
      });
    }
    // An empty entry of a list would be another entry: it is left out.
    if (Array.isArray(item)) {
      return item.flatMap((entry, index) => {
        const before = missing.length;
        const inner = resolve(entry, [...path, index]);
        return typeof entry === "string" && missing.length > before ? [] : [inner];
      });
    }
    if (!isRecord(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [key, resolve(entry, [...path, key])]),
    );
  }

  const resolved = resolve(value, []) as JsonObject;
  for (const path of missing) switchOff(resolved, path.map(String));
  const unknownLimits = missing.map((path) => path.map(String)).filter(isLimit);
  return { value: resolved, unknownLimits, problems, warnings };
}

function effectOf(path: PropertyKey[]): "no-spending" | "no-commands" | "required" | "empty" {
  const keys = path.map(String);
  if (isLimit(keys)) return "no-spending";
  if (isCommandRule(keys)) return "no-commands";
  return isDoor(path) ? "required" : "empty";
}

/** Without it something would be allowed, or unlimited, that the person has forbidden: where nothing safe can take its place, that is a problem. */
export function isDoor(path: readonly PropertyKey[]): boolean {
  const keys = path.map(String);
  const [section, name, key] = keys;
  if (section !== "tools") return section === "budget" && name !== "warnAt";
  return name === undefined || (name === "exec" && key === undefined) || isCommandRule(keys);
}

function isLimit(keys: readonly string[]): boolean {
  return keys[0] === "budget" && ["tokens", "money"].includes(keys.at(-1) ?? "");
}

function isCommandRule([section, name, key = ""]: readonly string[]): boolean {
  return section === "tools" && name === "exec" && ["deny", "denyPatterns", "allowPatterns"].includes(key);
}

/** Replaces a key that is not there: no client can show it. The same in one process, so that nothing seems to change. */
let noKey: string | undefined;

/** Never is anything reached in another way than the person meant: a host without its proxy, an API without its key. */
function switchOff(config: JsonObject, path: readonly string[]): void {
  const [section = "", name = "", key = "", leaf = ""] = path;
  const block = getIn(config, [section, name]);
  if (section === "channels" && isRecord(block)) block.enabled = false;
  else if (section === "providers" && key !== "apiKey") removeIn(config, [section, name]);
  else if (section === "tools" && name === "mcpServers") {
    if (leaf !== "env" && leaf !== "headers") removeIn(config, [section, name, key]);
  } else if (section === "tools" && name === "web" && key === "proxy") {
    removeIn(config, path);
    if (isRecord(block)) block.enable = false;
  } else if (isCommandRule(path)) {
    if (isRecord(block)) block.enable = false;
  } else if (section === "api" && name === "apiKey" && isRecord(config.api)) {
    noKey ??= randomBytes(32).toString("hex");
    config.api.apiKey = noKey;
  } else if (section !== "providers") removeIn(config, path);
}

function removeIn(root: JsonObject, path: readonly string[]): void {
  const above = getIn(root, path.slice(0, -1));
  if (isRecord(above)) delete above[path.at(-1) ?? ""];
}

/** Without the values that refer to a variable which is not set: for a caller that repairs them. */
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
