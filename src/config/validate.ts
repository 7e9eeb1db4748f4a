// Validation against the schema, with every finding in our own words: the place, the reason, and never the value.
import type * as z from "zod";
import type { ValueType } from "../i18n/en/phrases/config.ts";
import { englishPhrases } from "../i18n/en/phrases/index.ts";
import { isPhraseCode, type Phrase, phrase } from "../i18n/phrase.ts";
import { isRecord } from "../lib/is-record.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import { type Problem, toPath } from "./problem.ts";
import { type Config, configSchema } from "./schema.ts";

type Issue = z.core.$ZodIssue;

const mostProblems = 50;
const defaults = ["agents", "defaults"];

export type Validation = { ok: true; config: Config } | { ok: false; problems: Problem[] };

/** Takes numbers that are out of range out of `value`, so that their defaults hold. Not of budgets, whose default is none. */
export function leaveOutOfRange(value: JsonObject): Problem[] {
  const parsed = configSchema.safeParse(value, { jitless: true });
  const all = parsed.success ? [] : parsed.error.issues.flatMap((issue) => flatten(issue, []));
  return all.flatMap(({ issue, path }): Problem[] => {
    const isRange = issue.code === "too_small" || issue.code === "too_big";
    const [key, ...above] = path.map(String).reverse();
    const section = getIn(value, above.reverse());
    if (path[0] === "budget") return [];
    if (!isRange || typeof valueAt(value, path) !== "number" || !isRecord(section) || key === undefined)
      return [];
    delete section[key];
    return [invalid(path, phrase("config.uses-default", { reason: toPhrase(issue, "number") }))];
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

/** `issues`: what zod found in `value`. */
export function toProblems(issues: readonly Issue[], value: unknown): Problem[] {
  const all = issues.flatMap((issue) => flatten(issue, []));
  const problems = all
    .slice(0, mostProblems)
    .map(({ issue, path }) => invalid(path, toPhrase(issue, typeOf(valueAt(value, path)))));
  const rest = all.length - problems.length;
  return rest > 0 ? [...problems, invalid([], phrase("config.more", { count: rest }))] : problems;
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

/** `given`: undefined where nothing is. The message of a check of our own is a code of the catalogue. */
function toPhrase(issue: Issue, given: ValueType | undefined): Phrase {
  switch (issue.code) {
    case "invalid_type": {
      const wanted = types[issue.expected] ?? "other";
      return given === undefined
        ? phrase("config.missing", { wanted })
        : phrase("config.wrong-type", { wanted, given });
    }
    case "invalid_value":
      return phrase("config.one-of", { values: issue.values.map(String) });
    case "invalid_union":
      return phrase("config.wrong-type", { wanted: "text-or-object", given: given ?? "null" });
    case "too_small":
      if (issue.origin === "string") return phrase("config.empty");
      return phrase("config.too-small", toBound(issue, issue.minimum));
    case "too_big":
      return phrase("config.too-big", toBound(issue, issue.maximum));
    default:
      if (issue.code === "invalid_format" && issue.format === "url") return phrase("config.bad-url");
      return isPhraseCode(issue.message, englishPhrases)
        ? ({ code: issue.message, params: {} } as Phrase)
        : phrase("config.invalid", { quote: issue.message });
  }
}

function toBound({ inclusive, origin }: { inclusive?: boolean; origin: string }, bound: number | bigint) {
  return { bound: Number(bound), isInclusive: inclusive === true, isCount: origin === "array" };
}

const types: Record<string, ValueType> = {
  string: "text",
  number: "number",
  int: "integer",
  boolean: "boolean",
  array: "list",
  object: "object",
  record: "object",
};

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : getIn(inner, [String(key)])),
    value,
  );
}

function typeOf(value: unknown): ValueType | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number" && !Number.isInteger(value)) return "fraction";
  return types[typeof value] ?? "other";
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
  const problems = places.filter(isMissing).map((path) => invalid(path, phrase("config.not-a-preset")));
  if (Object.hasOwn(presets, "default")) {
    problems.push(invalid(["modelPresets", "default"], phrase("config.reserved-preset")));
  }
  return problems;
}

function findTimezoneProblems(value: JsonObject): Problem[] {
  const timezone = getIn(value, [...defaults, "timezone"]);
  const isUsed = getIn(value, [...defaults, "timezoneMode"]) !== "auto";
  if (typeof timezone !== "string" || !isUsed || isTimezone(timezone)) return [];
  return [invalid([...defaults, "timezone"], phrase("config.bad-time-zone"))];
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

function invalid(path: readonly PropertyKey[], reason: Phrase): Problem {
  return { path: toPath(path), phrase: reason };
}
