// From the object in a file to a valid config, step by step. Reads no file and changes none.
import { resolve } from "node:path";
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import { nothing } from "../llm/config.ts";
import { expandTilde, type HomePaths } from "../storage/home.ts";
import { type MovedIn, removeUnchosen } from "../storage/python/moved-in.ts";
import { toCanonical } from "./canonical.ts";
import { fillFromEnvironment } from "./environment.ts";
import { type Problem, toPath, toProblem } from "./problem.ts";
import { type Config, configSchema } from "./schema.ts";
import { settle } from "./settle.ts";
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
  const given = settle(resolved.value, configSchema);
  const outOfRange = input.isStrict === true ? [] : leaveOutOfRange(given);
  const validation = validate(given);
  const early = [...filled.problems, ...resolved.problems];
  // A field whose variable is missing is empty, and is not to be blamed a second time for that.
  const told = new Set(early.map(({ path }) => path));
  const late = validation.ok ? [] : validation.problems.filter(({ path }) => !told.has(path));
  const problems = [...early, ...late.map((problem) => nameSource(problem, filled.sources))];
  const sayings = movedIn === undefined ? unchosen.map(sayUnchosen) : [];
  const warnings = [
    ...canonical.warnings,
    ...filled.warnings,
    ...resolved.warnings,
    ...outOfRange.map((warning) => nameSource(warning, filled.sources)),
    ...sayings,
  ];
  const config = validation.ok && problems.length === 0 ? finish(validation.config, given, input) : undefined;
  for (const path of config === undefined ? [] : resolved.unknownLimits) spendNothing(config, path);
  return { given, unchosen, problems, warnings, ...(config && { config }) };
}

/** What only this installation can say: the absolute workspace, and whose time zone holds. */
function finish(config: Config, given: JsonObject, input: InterpretInput): Config {
  const { defaults } = config.agents;
  const isGiven = getIn(given, ["agents", "defaults", "workspace"]) !== undefined;
  const workspace = toWorkspace(isGiven ? defaults.workspace : undefined, input);
  const timezone = defaults.timezoneMode === "auto" ? undefined : defaults.timezone;
  return { ...config, agents: { ...config.agents, defaults: { ...defaults, workspace, timezone } } };
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
