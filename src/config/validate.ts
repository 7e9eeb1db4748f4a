// Validation against the schema, with every finding in our own words: the place, the reason, and never the value.
import type * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import { type Problem, toPath, type Warning } from "./problem.ts";
import { type Config, configSchema } from "./schema.ts";

type Issue = z.core.$ZodIssue;

const mostProblems = 50;
const defaults = ["agents", "defaults"];

export type Validation = { ok: true; config: Config } | { ok: false; problems: Problem[] };

/** Takes numbers that are out of range out of `value`, so that their defaults hold. Not of budgets, whose default is none. */
export function leaveOutOfRange(value: JsonObject): Warning[] {
  const parsed = configSchema.safeParse(value, { jitless: true });
  const all = parsed.success ? [] : parsed.error.issues.flatMap((issue) => flatten(issue, []));
  return all.flatMap(({ issue, path }): Warning[] => {
    const isRange = issue.code === "too_small" || issue.code === "too_big";
    const [key, ...above] = path.map(String).reverse();
    const section = getIn(value, above.reverse());
    if (path[0] === "budget") return [];
    if (!isRange || typeof valueAt(value, path) !== "number" || !isRecord(section) || key === undefined)
      return [];
    delete section[key];
    const message = `${reasonOf(issue, "")}; its default is used`;
    return [{ kind: "out-of-range", path: toPath(path), message }];
  });
}

export function validate(value: JsonObject): Validation {
  // Compiling a validator costs more than one run of it saves.
  const parsed = configSchema.safeParse(value, { jitless: true });
  const problems = [
    ...(parsed.success ? [] : toProblems(parsed.error.issues, value)),
    ...findPresetProblems(value),
    ...findTimezoneProblems(value),
  ];
  return parsed.success && problems.length === 0
    ? { ok: true, config: parsed.data }
    : { ok: false, problems };
}

function toProblems(issues: Issue[], value: JsonObject): Problem[] {
  const all = issues.flatMap((issue) => flatten(issue, []));
  const problems = all
    .slice(0, mostProblems)
    .map(({ issue, path }) => invalid(path, reasonOf(issue, typeOf(valueAt(value, path)))));
  const rest = all.length - problems.length;
  return rest > 0 ? [...problems, invalid([], `and ${rest} more problems like these`)] : problems;
}

/** Of the forms that a value may take, the one that was meant: whose outer type fits. */
function flatten(issue: Issue, above: PropertyKey[]): Array<{ issue: Issue; path: PropertyKey[] }> {
  const path = [...above, ...issue.path];
  if (issue.code !== "invalid_union") return [{ issue, path }];
  const meant = issue.errors.find((form) =>
    form.every((inner) => inner.path.length > 0 || inner.code !== "invalid_type"),
  );
  return meant === undefined ? [{ issue, path }] : meant.flatMap((inner) => flatten(inner, path));
}

function reasonOf(issue: Issue, given: string): string {
  switch (issue.code) {
    case "invalid_type":
      return given === "nothing"
        ? `${nounOf(issue.expected)} is missing`
        : `must be ${nounOf(issue.expected)}, not ${given}`;
    case "invalid_value":
      return `must be one of: ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return `must be text or an object, not ${given}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be ${issue.inclusive ? "at most" : "less than"} ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_format":
    case "custom":
      return issue.message;
    default:
      return "is not valid";
  }
}

const nouns: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function nounOf(type: string): string {
  return nouns[type] ?? `of type ${type}`;
}

function unitOf(origin: string): string {
  return origin === "array" ? " entries" : "";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : getIn(inner, [String(key)])),
    value,
  );
}

function typeOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" && !Number.isInteger(value) ? "a fraction" : nounOf(typeof value);
}

function findPresetProblems(value: JsonObject): Problem[] {
  const presets = getIn(value, ["modelPresets"]) ?? {};
  if (!isRecord(presets)) return [];
  const fallbacks = getIn(value, [...defaults, "fallbackModels"]);
  const places: PropertyKey[][] = [
    [...defaults, "modelPreset"],
    ...(Array.isArray(fallbacks) ? fallbacks.map((_, index) => [...defaults, "fallbackModels", index]) : []),
    [...defaults, "dream", "modelOverride"],
  ];
  const isMissing = (path: PropertyKey[]) => {
    const name = valueAt(value, path);
    return typeof name === "string" && name !== "" && name !== "default" && !Object.hasOwn(presets, name);
  };
  const problems = places
    .filter(isMissing)
    .map((path) => invalid(path, "must be the name of an entry in modelPresets"));
  if (Object.hasOwn(presets, "default")) {
    problems.push(
      invalid(["modelPresets", "default"], "must have another name: `default` stands for agents.defaults"),
    );
  }
  return problems;
}

function findTimezoneProblems(value: JsonObject): Problem[] {
  const timezone = getIn(value, [...defaults, "timezone"]);
  const isUsed = getIn(value, [...defaults, "timezoneMode"]) !== "auto";
  if (typeof timezone !== "string" || !isUsed || isTimezone(timezone)) return [];
  return [
    invalid([...defaults, "timezone"], "must be an IANA time zone such as Europe/Berlin or Asia/Shanghai"),
  ];
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function invalid(path: readonly PropertyKey[], message: string): Problem {
  return { kind: "invalid-value", path: toPath(path), message };
}
