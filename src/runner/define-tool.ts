// A tool from a zod schema: one object, its parameters typed, cast and validated before execute sees them.
import * as z from "zod";
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

export function zodParameters<S extends z.ZodObject>(schema: S): Parameters<z.output<S>> {
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
      if (object === undefined) return { ok: false, problems: ["arguments must be a JSON object"] };
      const result = schema.safeParse(castToSchema(object, jsonSchema()));
      return result.success
        ? { ok: true, value: result.data }
        : { ok: false, problems: result.error.issues.map(toProblem) };
    },
  };
}

/** Providers want a plain object at the root; `$schema` and the like only cost tokens. */
function toToolSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  return { ...withoutNoise(rest), additionalProperties: false };
}

/** Bounds that go without saying are checked, but cost tokens in every request: "not empty", "from 1", the safe integers. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const isNoise = (key: string, value: unknown) =>
    key === "minLength" ||
    (key === "minimum" && Number(value) <= 1) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER);
  const entries = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isPlainObject(value) ? withoutNoise(value) : value]),
  );
}

function isPlainObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toProblem(issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  const isMissing = issue.code === "invalid_type" && /received undefined/.test(issue.message);
  if (isMissing) return `missing required ${field}`;
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}
