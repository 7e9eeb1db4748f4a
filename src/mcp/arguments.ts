// Arguments for a foreign schema: cast as for our own tools, checked by ajv, with problems that name the field.
import type { ErrorObject, ValidateFunction } from "ajv";
import type { JsonSchema } from "../llm/types.ts";
import { castToSchema, toArgumentsObject } from "../runner/cast.ts";
import type { Parameters } from "../runner/tool.ts";
import type { NormalSchema } from "./schema.ts";

export type Arguments = Record<string, unknown>;

/** Compiling costs milliseconds: done for a tool when it is first called. */
export type CompileSchema = (schema: JsonSchema) => ValidateFunction;

const mostProblems = 8;

export async function loadCompiler(): Promise<CompileSchema> {
  const { Ajv } = await import("ajv");
  // A pattern of a stranger can take for ever on the right text: the server may check it by itself.
  const regExp = Object.assign(() => ({ test: () => true }), { code: "" });
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    removeAdditional: true,
    logger: false,
    code: { regExp },
  });
  return (schema) => {
    const validate = ajv.compile(schema);
    // It would be kept for ever, and lists of tools come and go.
    ajv.removeSchema(schema);
    return validate;
  };
}

export function foreignParameters(
  { schema, aliases }: NormalSchema,
  compile: CompileSchema,
): Parameters<Arguments> {
  let validate: ValidateFunction | undefined;
  return {
    jsonSchema: schema,
    parse(input) {
      const object = toArgumentsObject(input, schema);
      if (object === undefined) return { ok: false, problems: ["arguments must be a JSON object"] };
      const value = castToSchema(object, schema) as Arguments;
      validate ??= compile(schema);
      if (validate(value)) return { ok: true, value: withOwnNames(value, aliases) };
      const problems = [...new Set(validate.errors?.map(toProblem))];
      return { ok: false, problems: problems.slice(0, mostProblems) };
    },
  };
}

function withOwnNames(value: Arguments, aliases: Record<string, string>): Arguments {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [aliases[name] ?? name, item]));
}

function toProblem({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const inner = (name: unknown) => (field === "" ? String(name) : `${field}.${name}`);
  if (keyword === "required") return `missing required ${inner(params.missingProperty)}`;
  const choices = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues)}` : "";
  return field === "" ? message : `${field}: ${message}${choices}`;
}
