// Models send "5" for 5 and "true" for true. Casts what is meant unambiguously before it is validated.
import { isRecord } from "../lib/is-record.ts";
import type { JsonSchema } from "../llm/types.ts";

/** Arguments as an object, whatever shape the model wrapped them in; undefined if there is none. */
export function toArgumentsObject(input: unknown, schema: JsonSchema): Record<string, unknown> | undefined {
  const value = unpack(input);
  if (!isRecord(value)) return undefined;
  const isWrapped =
    Object.keys(value).length === 1 && "arguments" in value && !("arguments" in propertiesOf(schema));
  if (!isWrapped) return value;
  const inner = unpack(value.arguments);
  return isRecord(inner) ? inner : undefined;
}

function unpack(value: unknown): unknown {
  if (value === null || value === undefined) return {};
  if (typeof value !== "string") return value;
  return value.trim() === "" ? {} : parseJson(value);
}

export function castToSchema(value: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.includes("object") && isRecord(value)) return castProperties(value, schema);
  if (types.includes("array")) return castArray(value, schema);
  if (typeof value === "string") return castString(value, types, schema);
  if (types.includes("boolean") && (value === 1 || value === 0)) return value === 1;
  const isText = types.length === 1 && types[0] === "string" && value !== null && value !== undefined;
  return isText ? toText(value) : value;
}

function castProperties(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  // Models send null for what they leave out.
  const isLeftOut = (key: string, item: unknown) =>
    item === null && !required.has(key) && !isNullable(toSchema(properties[key]));
  const present = Object.entries(value).filter(([key, item]) => !isLeftOut(key, item));
  const schemaOf = (key: string) => toSchema(properties[key] ?? schema.additionalProperties);
  return Object.fromEntries(present.map(([key, item]) => [key, castToSchema(item, schemaOf(key))]));
}

function castArray(value: unknown, schema: JsonSchema): unknown {
  const list = typeof value === "string" && value.trim().startsWith("[") ? parseJson(value) : value;
  const items = toSchema(schema.items);
  if (Array.isArray(list)) return list.map((item) => castToSchema(item, items));
  // One of several, without the brackets.
  const isOne = typesOf(items).includes("string") && ["string", "boolean", "number"].includes(typeof value);
  return isOne && typesOf(schema).length === 1 ? [castToSchema(value, items)] : value;
}

/** A file of JSON is often given as what it should hold. */
function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

function castString(value: string, types: string[], schema: JsonSchema): unknown {
  if (types.includes("string")) return value;
  const text = value.trim();
  const isNumber = types.includes("number") || types.includes("integer");
  if (isNumber && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (types.includes("boolean")) {
    if (/^(true|1|yes)$/i.test(text)) return true;
    if (/^(false|0|no)$/i.test(text)) return false;
  }
  const object = types.includes("object") && text.startsWith("{") ? parseJson(text) : undefined;
  return isRecord(object) ? castProperties(object, schema) : value;
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
  return isRecord(schema.properties) ? schema.properties : {};
}

function toSchema(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
