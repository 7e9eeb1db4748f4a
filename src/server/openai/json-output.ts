// Answers in a form that the client asks for: JSON, or JSON that fits a schema. The model is told, and its answer is checked.
import * as z from "zod";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { JsonSchema } from "../../llm/types.ts";
import { ApiError } from "../http/api-error.ts";

export interface OutputFormat {
  /** Absent: any JSON object. */
  schema?: JsonSchema;
}

const largestSchema = 64 * 1024;
const mostProblems = 8;

export const responseFormat = z
  .discriminatedUnion(
    "type",
    [
      z.object({ type: z.literal("text") }),
      z.object({ type: z.literal("json_object") }),
      z.object({
        type: z.literal("json_schema"),
        json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
      }),
    ],
    "Send text, json_object, or json_schema with a schema.",
  )
  .transform((format): OutputFormat | undefined => {
    if (format.type === "text") return undefined;
    return format.type === "json_schema" ? { schema: format.json_schema.schema } : {};
  })
  .refine(
    (format) => JSON.stringify(format?.schema ?? {}).length <= largestSchema,
    "The schema is too long.",
  );

export function describeFormat({ schema }: OutputFormat): string {
  return schema === undefined
    ? "Your final answer is one JSON object and nothing else: no sentence around it, no code fence."
    : `Your final answer is one JSON value that fits this JSON schema, and nothing else: no sentence around it, no code fence.\n\n${JSON.stringify(schema)}`;
}

export function describeProblems(problems: readonly string[]): string {
  return `That answer does not have the form that was asked for: ${problems.join("; ")}. Give the whole answer again, as JSON only.`;
}

export type Checked = { ok: true; text: string } | { ok: false; problems: string[] };
export type CheckOutput = (text: string) => Checked;

/** Throws an ApiError for a schema that cannot be used. */
export async function createOutputCheck({ schema }: OutputFormat): Promise<CheckOutput> {
  const { loadCompiler } = await import("../../mcp/schema.ts");
  const compile = await loadCompiler();
  let validate: ReturnType<typeof compile>;
  try {
    validate = compile(schema ?? { type: "object" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(`This schema cannot be used: ${reason}`, { status: 400, param: "response_format" });
  }
  return (text) => {
    const value = readJson(text);
    if (value === undefined) return { ok: false, problems: ["it is no JSON"] };
    if (validate(value)) return { ok: true, text: JSON.stringify(value) };
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || "it"} ${message}`,
    );
    return { ok: false, problems: problems.slice(0, mostProblems) };
  };
}

/** Also from between the lines of a code fence, or from the first brace to the last. */
function readJson(text: string): unknown {
  const whole = parseJson(text.trim());
  if (whole !== undefined) return whole;
  const [, fenced] = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text) ?? [];
  const inner = parseJson(fenced ?? text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  return isRecord(inner) || Array.isArray(inner) ? inner : undefined;
}
