// A foreign JSON schema made fit for every model host and for validation: a plain object at the root, references written
// out, everything bounded; arguments checked against it; and foreign text made safe for a prompt. Knows no server.

import type { ErrorObject, ValidateFunction } from "ajv";
import { isRecord } from "../lib/is-record.ts";
import { ownValue } from "../lib/json-tree.ts";
import { takeHead, toWellFormed } from "../lib/text.ts";
import type { JsonSchema } from "../llm/types.ts";
import { castToSchema, toArgumentsObject } from "../runner/cast.ts";
import type { Parameters } from "../runner/tool.ts";

interface NormalSchema {
  schema: JsonSchema;
  /** Names that no host accepts, by their replacement. */
  aliases: Record<string, string>;
}

interface Limits {
  depth: number;
  nodes: number;
  /** Characters of a description. */
  text: number;
}

interface Walk {
  root: unknown;
  limits: Limits;
  nodes: number;
}

interface Place {
  walk: Walk;
  depth: number;
  /** References that are being written out: one of them inside of itself would never end. */
  open: readonly string[];
}

/** From generous to bare: the first that keeps a schema small enough is used. */
const attempts: Limits[] = [
  { depth: 10, nodes: 1_000, text: 1_000 },
  { depth: 4, nodes: 300, text: 100 },
  { depth: 1, nodes: 100, text: 0 },
];
const longestSchema = 12_000;
const mostChoices = 200;
const longestName = 200;

const types = new Set(["string", "number", "integer", "boolean", "array", "object"]);
const keptKeywords: Record<string, "number" | "string" | "boolean"> = {
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "number",
  maxLength: "number",
  minItems: "number",
  maxItems: "number",
  format: "string",
  pattern: "string",
  uniqueItems: "boolean",
  nullable: "boolean",
};

export function normaliseSchema(raw: unknown): NormalSchema {
  for (const limits of attempts) {
    const walk = { root: raw, limits, nodes: 0 };
    const normal = withAliases(toRoot(normalise(raw, { walk, depth: 0, open: ["#"] })));
    if (JSON.stringify(normal.schema).length <= longestSchema) return normal;
  }
  return { schema: { type: "object", properties: {} }, aliases: {} };
}

function normalise(value: unknown, place: Place): JsonSchema {
  const { walk, depth } = place;
  walk.nodes += 1;
  if (!isRecord(value) || depth > walk.limits.depth || walk.nodes > walk.limits.nodes) return {};
  if (typeof value.$ref === "string") return writeOut(value, value.$ref, place);
  const schema: JsonSchema = { ...readType(value), ...readDescription(value, walk.limits) };
  for (const [keyword, type] of Object.entries(keptKeywords)) {
    const setting = ownValue(value, keyword);
    if (typeof setting === type && String(setting).length <= longestName) schema[keyword] = setting;
  }
  Object.assign(schema, readChoices(value), readChildren(value, { ...place, depth: depth + 1 }));
  return combine(schema, value, place);
}

/** The target of a local reference, with the keywords next to it. Other references are ignored: nothing is fetched. */
function writeOut(value: JsonSchema, reference: string, place: Place): JsonSchema {
  const { $ref: _, ...siblings } = value;
  const { walk, open } = place;
  const target = open.includes(reference) ? undefined : lookUp(walk.root, reference);
  const merged = isRecord(target) ? { ...target, ...siblings } : siblings;
  return normalise(merged, { ...place, open: [...open, reference] });
}

function lookUp(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const keys = reference.slice(2).split("/");
  return keys.reduce<unknown>((at, key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return isRecord(at) || Array.isArray(at) ? ownValue(at as JsonSchema, name) : undefined;
  }, root);
}

/** `["string", "null"]` is a string that may be null. */
function readType({ type }: JsonSchema): JsonSchema {
  const listed = Array.isArray(type) ? type : [type];
  const plain = [...new Set(listed.filter((one) => types.has(one)))];
  if (plain.length === 0) return {};
  return { type: plain.length === 1 ? plain[0] : plain, ...(listed.includes("null") && { nullable: true }) };
}

function readDescription({ description }: JsonSchema, { text }: Limits): JsonSchema {
  const clean = typeof description === "string" ? cleanText(description, text) : "";
  return clean === "" ? {} : { description: clean };
}

function readChoices(value: JsonSchema): JsonSchema {
  const isShort = (item: unknown) => !isRecord(item) && (JSON.stringify(item)?.length ?? 0) <= longestName;
  const choices = Array.isArray(value.enum) ? value.enum.filter(isShort).slice(0, mostChoices) : [];
  return {
    ...(choices.length > 0 && choices.length === (value.enum as unknown[]).length && { enum: choices }),
    ...(value.const !== undefined && isShort(value.const) && { const: value.const }),
    ...(value.default !== undefined && isShort(value.default) && { default: value.default }),
  };
}

function readChildren(value: JsonSchema, place: Place): JsonSchema {
  const children: JsonSchema = {};
  const { properties, items, additionalProperties } = value;
  if (isRecord(properties)) {
    const named = Object.entries(properties).filter(([name]) => name !== "" && name.length <= longestName);
    const kept = named.slice(0, roomLeft(place));
    children.properties = Object.fromEntries(kept.map(([name, inner]) => [name, normalise(inner, place)]));
    const required = Array.isArray(value.required) ? new Set(value.required) : new Set();
    const needed = kept.map(([name]) => name).filter((name) => required.has(name));
    if (needed.length > 0) children.required = needed;
  }
  if (isRecord(items)) children.items = normalise(items, place);
  if (typeof additionalProperties === "boolean") children.additionalProperties = additionalProperties;
  if (isRecord(additionalProperties)) children.additionalProperties = normalise(additionalProperties, place);
  return children;
}

/**
 * One of several forms. `oneOf` becomes `anyOf`: with keywords left out, several forms may fit where one did. A form that
 * is only null makes the others nullable, and a single form is no choice.
 */
function combine(schema: JsonSchema, value: JsonSchema, place: Place): JsonSchema {
  const inner = { ...place, depth: place.depth + 1 };
  const listOf = (list: unknown): unknown[] => (Array.isArray(list) ? list.slice(0, roomLeft(place)) : []);
  const forms = [...listOf(value.anyOf), ...listOf(value.oneOf)];
  const real = forms.filter((form) => !isNull(form)).map((form) => normalise(form, inner));
  const all = listOf(value.allOf).map((form) => normalise(form, inner));
  const mayBeNull = real.length < forms.length;
  const [only] = real;
  return settleNull({
    ...(real.length === 1 && only),
    ...(all.length === 1 && all[0]),
    ...schema,
    ...(real.length > 1 && { anyOf: mayBeNull ? real.map((form) => settleNull(form, true)) : real }),
    ...(all.length > 1 && { allOf: all }),
    ...(mayBeNull && { nullable: true }),
  });
}

/** Without a type, anything goes, null too. */
function settleNull({ nullable, ...schema }: JsonSchema, mayBeNull = nullable === true): JsonSchema {
  return mayBeNull && schema.type !== undefined ? { ...schema, nullable: true } : schema;
}

function roomLeft({ walk }: Place): number {
  return Math.max(0, walk.limits.nodes - walk.nodes);
}

function isNull(form: unknown): boolean {
  return isRecord(form) && (form.type === "null" || form.const === null);
}

/** Hosts want an object at the root and nothing that chooses between several: all properties of all forms are offered. */
function toRoot({ properties, required, additionalProperties, anyOf, allOf }: JsonSchema): JsonSchema {
  const forms = (list: unknown) => (Array.isArray(list) ? (list as JsonSchema[]) : []);
  const sources = [...forms(anyOf), ...forms(allOf), { properties }].map((form) => form.properties ?? {});
  const needed = [...forms(allOf), { required }].flatMap((form) => (form.required as string[]) ?? []);
  return {
    type: "object",
    properties: Object.fromEntries(sources.flatMap((source) => Object.entries(source))),
    ...(needed.length > 0 && { required: [...new Set(needed)] }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

/** Some hosts refuse a whole request for the sake of one property called `日期`. */
function withAliases(schema: JsonSchema): NormalSchema {
  const aliases: Record<string, string> = {};
  const properties = schema.properties as Record<string, JsonSchema>;
  const renamed = Object.entries(properties).map(([name, inner], index) => {
    if (/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return [name, inner];
    const alias = `field_${index + 1}`;
    aliases[alias] = name;
    return [alias, { ...inner, description: `${name}. ${inner.description ?? ""}`.trim() }];
  });
  if (Object.keys(aliases).length === 0) return { schema, aliases };
  const aliasOf = (name: string) => Object.keys(aliases).find((alias) => aliases[alias] === name) ?? name;
  const required = (schema.required as string[] | undefined)?.map(aliasOf);
  return {
    schema: { ...schema, properties: Object.fromEntries(renamed), ...(required && { required }) },
    aliases,
  };
}

export type Arguments = Record<string, unknown>;

/** Compiling costs milliseconds: done for a tool when it is first called. */
export type CompileSchema = (schema: JsonSchema) => ValidateFunction;

const mostProblems = 8;

export async function loadCompiler(): Promise<CompileSchema> {
  const { Ajv } = await import("ajv");
  // A foreign pattern can run for ever on the right text: checking it is left to the server.
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
    // Otherwise it would be kept for ever, and lists of tools come and go.
    ajv.removeSchema(schema);
    return validate;
  };
}

/** Arguments are cast as for our tools and checked by ajv; problems name the field. */
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
      if (validate(value)) return { ok: true, value: withOriginalNames(value, aliases) };
      const problems = [...new Set(validate.errors?.map(toProblem))];
      return { ok: false, problems: problems.slice(0, mostProblems) };
    },
  };
}

function withOriginalNames(value: Arguments, aliases: Record<string, string>): Arguments {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [aliases[name] ?? name, item]));
}

function toProblem({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const inner = (name: unknown) => (field === "" ? String(name) : `${field}.${name}`);
  if (keyword === "required") return `missing required ${inner(params.missingProperty)}`;
  const choices = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues)}` : "";
  return field === "" ? message : `${field}: ${message}${choices}`;
}

const invisible = /(?![\n\t])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Bounded, and without invisible characters. */
export function cleanText(text: string, limit: number): string {
  // Reads a little more, so that removed characters do not shorten it.
  const visible = toWellFormed(takeHead(text, limit * 2).replaceAll(invisible, "")).trim();
  return visible.length <= limit ? visible : `${takeHead(visible, Math.max(0, limit - 1))}…`;
}
