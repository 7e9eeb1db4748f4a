// Models send "5" for 5 and "true" for true. Casts what is meant unambiguously before it is validated.
import type { JsonSchema } from "../llm/types.ts";

/** Arguments as an object, whatever shape the model wrapped them in; undefined if there is none. */
export function toArgumentsObject(input: unknown, schema: JsonSchema): Record<string, unknown> | undefined {
  let value = input;
  if (value === null || value === undefined) return {};
  if (typeof value === "string") {
    if (value.trim() === "") return {};
    value = parseJson(value);
  }
  if (!isObject(value)) return undefined;
  const isWrapped =
    Object.keys(value).length === 1 && "arguments" in value && !("arguments" in propertiesOf(schema));
  return isWrapped ? toArgumentsObject(value.arguments, schema) : value;
}

export function castToSchema(value: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.includes("object") && isObject(value)) return castProperties(value, schema);
  if (types.includes("array")) return castArray(value, schema);
  if (typeof value === "string") return castString(value, types);
  if (types.includes("boolean") && (value === 1 || value === 0)) return value === 1;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return isScalar && types.length === 1 && types[0] === "string" ? String(value) : value;
}

function castProperties(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  // Models send null for what they leave out.
  const isLeftOut = (key: string, item: unknown) =>
    item === null && !required.has(key) && !isNullable(toSchema(properties[key]));
  const given = Object.entries(value).filter(([key, item]) => !isLeftOut(key, item));
  return Object.fromEntries(given.map(([key, item]) => [key, castToSchema(item, toSchema(properties[key]))]));
}

function castArray(value: unknown, schema: JsonSchema): unknown {
  const list = typeof value === "string" && value.trim().startsWith("[") ? parseJson(value) : value;
  return Array.isArray(list) ? list.map((item) => castToSchema(item, toSchema(schema.items))) : value;
}

function castString(value: string, types: string[]): unknown {
  if (types.includes("string")) return value;
  const text = value.trim();
  const isNumber = types.includes("number") || types.includes("integer");
  if (isNumber && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (types.includes("boolean")) {
    if (/^(true|1|yes)$/i.test(text)) return true;
    if (/^(false|0|no)$/i.test(text)) return false;
  }
  if (types.includes("object") && text.startsWith("{")) return parseJson(text);
  return value;
}

/** The plain types of a schema, also where nullable ones are written as a list or as anyOf. */
function typesOf(schema: JsonSchema): string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.filter((type) => type !== "null");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((option) => typesOf(toSchema(option)));
  return [];
}

function isNullable({ type, anyOf, nullable }: JsonSchema): boolean {
  if (nullable === true || type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  return Array.isArray(anyOf) && anyOf.some((option) => isNullable(toSchema(option)));
}

function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  return isObject(schema.properties) ? schema.properties : {};
}

function toSchema(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
