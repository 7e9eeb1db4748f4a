// From the object in a file to a valid config, step by step. Reads no file and changes none.
import { resolve } from "node:path";
import type * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject, ownValue } from "../lib/json-tree.ts";
import { nothing } from "../llm/config.ts";
import { expandTilde, type HomePaths } from "../storage/home.ts";
import { type MovedIn, removeUnchosen } from "../storage/python/moved-in.ts";
import { toCanonical } from "./canonical.ts";
import { fillFromEnvironment } from "./environment.ts";
import { findForbiddenAddresses, limitConfig } from "./operator-limits.ts";
import { type Problem, toPath, toProblem } from "./problem.ts";
import { type Config, configSchema } from "./schema.ts";
import { isOptional, toNodeFor } from "./schema-node.ts";
import { leaveOutOfRange, validate } from "./validate.ts";
import { resolveVariables } from "./variables.ts";

export interface InterpretInput {
  value: JsonObject;
  home: HomePaths;
  env: NodeJS.ProcessEnv;
  workspaceOverride?: string;
  movedIn: MovedIn | undefined;
  /** Numbers out of range are problems: for a value that is about to be written. */
  isStrict?: boolean;
}

export interface Interpretation {
  /** Absent exactly when there are problems. */
  config?: Config;
  /** What the file and the environment say, in canonical form, unknown keys included. */
  given: JsonObject;
  /** Settings of the Python original that count as not set. */
  unchosen: string[];
  problems: Problem[];
  warnings: Problem[];
}

export function interpret(input: InterpretInput): Interpretation {
  const { env, movedIn } = input;
  const canonical = toCanonical(structuredClone(input.value), configSchema);
  const unchosen = removeUnchosen(canonical.value, movedIn);
  const filled = fillFromEnvironment(canonical.value, env, configSchema);
  const resolved = resolveVariables({ value: canonical.value, env, unknown: canonical.unknown });
  const settled = settle(resolved.value, configSchema);
  const outOfRange = input.isStrict === true ? [] : leaveOutOfRange(settled);
  const validation = validate(settled);
  const early = [...filled.problems, ...resolved.problems, ...findForbiddenAddresses(settled, env)];
  // A field whose variable is missing is empty, and is not to be blamed a second time for that.
  const reportedPaths = new Set(early.map(({ path }) => path));
  const late = validation.ok ? [] : validation.problems.filter(({ path }) => !reportedPaths.has(path));
  const problems = [...early, ...late.map((problem) => nameSource(problem, filled.sources))];
  const warnings = [
    ...canonical.warnings,
    ...filled.warnings,
    ...resolved.warnings,
    ...outOfRange.map((warning) => nameSource(warning, filled.sources)),
    ...unchosen.map(sayUnchosen),
  ];
  const config =
    validation.ok && problems.length === 0 ? finish(validation.config, settled, input) : undefined;
  for (const path of config === undefined ? [] : resolved.unknownLimits) spendNothing(config, path);
  return { given: settled, unchosen, problems, warnings, ...(config && { config }) };
}

/** What only this installation can say: the absolute workspace, and whose time zone holds. */
function finish(config: Config, given: JsonObject, input: InterpretInput): Config {
  const { defaults } = config.agents;
  const isGiven = getIn(given, ["agents", "defaults", "workspace"]) !== undefined;
  const workspace = toWorkspace(isGiven ? defaults.workspace : undefined, input);
  const timezone = defaults.timezoneMode === "auto" ? undefined : defaults.timezone;
  const finished = {
    ...config,
    agents: { ...config.agents, defaults: { ...defaults, workspace, timezone } },
  };
  return limitConfig(finished, input.home, input.env);
}

function spendNothing(config: Config | undefined, path: string[]): void {
  const limit = getIn(config, path.slice(0, -1));
  if (isRecord(limit)) limit[path.at(-1) ?? ""] = nothing;
}

function toWorkspace(given: string | undefined, { home, env, workspaceOverride }: InterpretInput): string {
  if (workspaceOverride !== undefined) return resolve(expandTilde(workspaceOverride, env));
  return given === undefined ? home.workspace : resolve(home.home, expandTilde(given, env));
}

function nameSource(problem: Problem, sources: Map<string, string>): Problem {
  const { path, phrase: reason } = problem;
  const variable = sources.get(path);
  return variable === undefined ? problem : toProblem(path, "config.from-variable", { reason, variable });
}

function sayUnchosen(path: string): Problem {
  const variable = `NANOBOT_${path.replaceAll(/[A-Z]/g, "_$&").replaceAll(".", "__").toUpperCase()}`;
  return toProblem(toPath(path.split(".")), "config.unsafe-default", { variable });
}

/** Words of the Python original for what has another word here. */
const olderWords: Record<string, Record<string, string>> = {
  "tools.exec.sandbox": { "": "auto", bwrap: "required" },
};

function settle(value: JsonObject, schema: z.ZodType): JsonObject {
  return settleValue(value, schema, "") as JsonObject;
}

function settleValue(value: unknown, schema: z.ZodType, path: string): unknown {
  const node = toNodeFor(schema, value);
  if (node.kind === "value") return cast(value, node.type, path);
  if (node.kind === "list" && Array.isArray(value)) {
    return value.map((item) => settleValue(item, node.item, path));
  }
  if (!isRecord(value) || (node.kind !== "section" && node.kind !== "blocks")) return value;
  const settings = Object.entries(value).flatMap(([key, item]) => {
    const inner = node.kind === "blocks" ? node.block : ownValue(node.keys, key);
    if (item === null || (item === "" && inner !== undefined && isOptional(inner))) return [];
    const itemPath = path === "" ? key : `${path}.${key}`;
    return [[key, inner === undefined ? item : settleValue(item, inner, itemPath)]];
  });
  return Object.fromEntries(settings);
}

function cast(value: unknown, type: "text" | "number" | "truth" | "any", path: string): unknown {
  if (type === "truth" && (value === 0 || value === 1)) return value === 1;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "number" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (type === "truth" && /^(true|yes|on|1)$/i.test(text)) return true;
  if (type === "truth" && /^(false|no|off|0)$/i.test(text)) return false;
  return ownValue(olderWords[path] ?? {}, value) ?? value;
}
