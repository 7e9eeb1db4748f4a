// A tool from a zod schema: one object, its parameters typed, cast and validated before execute sees them.
import * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import { toOneLine } from "../lib/text.ts";
import type { JsonSchema } from "../llm/types.ts";
import { castToSchema, toArgumentsObject } from "./cast.ts";
import type { Parameters, Tool } from "./tool.ts";

export interface ToolSpecification<S extends z.ZodObject> extends Omit<Tool<z.output<S>>, "parameters"> {
  parameters: S;
}

/**
 * ```ts
 * defineTool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   parameters: z.object({ a: z.number(), b: z.number() }),
 *   readOnly: true,
 *   execute: async ({ a, b }) => ({ content: String(a + b) }),
 * });
 * ```
 */
export function defineTool<S extends z.ZodObject>(specification: ToolSpecification<S>): Tool<z.output<S>> {
  return { ...specification, parameters: zodParameters(specification.parameters) };
}

function zodParameters<S extends z.ZodObject>(schema: S): Parameters<z.output<S>> {
  let rendered: JsonSchema | undefined;
  function jsonSchema(): JsonSchema {
    rendered ??= toToolSchema(schema);
    return rendered;
  }
  return {
    get jsonSchema() {
      return jsonSchema();
    },
    parse(input) {
      const object = toArgumentsObject(input, jsonSchema());
      if (object === undefined)
        return { ok: false, problems: [`arguments must be a JSON object, not ${describe(input)}`] };
      const cast = castToSchema(object, jsonSchema());
      const result = schema.safeParse(cast);
      return result.success
        ? { ok: true, value: result.data, unknown: findUnknown(cast, jsonSchema()) }
        : { ok: false, problems: result.error.issues.map((issue) => toProblem(issue, cast)) };
    },
  };
}

/** Providers want a plain object at the root; `$schema` and the like only cost tokens. */
function toToolSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  return { ...withoutNoise(rest), additionalProperties: rest.additionalProperties ?? false };
}

/** What goes without saying is checked, but costs tokens in every request: the safe integers, the pattern of a named format. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const isNoise = (key: string, value: unknown) =>
    (key === "pattern" && typeof schema.format === "string") ||
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER);
  const clean = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(clean) : isRecord(value) ? withoutNoise(value) : value;
  const entries = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  return Object.fromEntries(entries.map(([key, value]) => [key, clean(value)]));
}

/** Names that the schema does not have, with their paths. */
function findUnknown(value: unknown, schema: JsonSchema, path = ""): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findUnknown(item, toSchema(schema.items), `${path}${index}.`));
  if (!isRecord(value) || !isRecord(schema.properties)) return [];
  const { properties, additionalProperties } = schema;
  const isClosed = additionalProperties === undefined || additionalProperties === false;
  return Object.entries(value).flatMap(([key, item]) => {
    if (!Object.hasOwn(properties, key)) return isClosed ? [path + key] : [];
    return findUnknown(item, toSchema(properties[key]), `${path}${key}.`);
  });
}

function toSchema(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

/** Names the field, and what it may hold. */
function toProblem(issue: z.core.$ZodIssue, given: unknown): string {
  const field = issue.path.join(".");
  const isMissing = valueAt(given, issue.path) === undefined && issue.code !== "custom";
  if (issue.code === "invalid_value") {
    const choice = `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    return isMissing ? `missing required ${field}, ${choice}` : `${field}: must be ${choice}`;
  }
  if (isMissing) return `missing required ${field}`;
  const reasons = issue.code === "invalid_union" ? issue.errors.flat().map(({ message }) => message) : [];
  const reason = [...new Set(reasons)].join(", or ") || issue.message;
  return field === "" ? reason : `${field}: ${reason}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  const step = (value: unknown, key: PropertyKey) =>
    typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  return path.reduce(step, root);
}

function describe(input: unknown): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? String(input));
  return toOneLine(text, 60);
}
