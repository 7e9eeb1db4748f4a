// The JSON schema of the config as a tree of groups and fields, and field values as text and back.

/** The part of JSON Schema that the config uses. */
export interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
}

type FieldKind = "switch" | "number" | "choice" | "text" | "secret" | "texts" | "map" | "json";

export interface SettingField {
  path: string[];
  /** The path with `<name>` for names chosen by the user, such as `providers.<name>.apiKey`. */
  key: string;
  about: string;
  kind: FieldKind;
  choices: string[];
  fallback: unknown;
}

export interface SettingGroup {
  path: string[];
  key: string;
  about: string;
  fields: SettingField[];
  groups: SettingGroup[];
  /** The user chooses the names in it; each is one of the groups. */
  isOpen: boolean;
}

type Tree = Record<string, unknown>;

export function getIn(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isTree(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `values` has the names in open groups. */
export function toGroup(schema: JsonSchema, values: unknown, path: string[] = [], key = ""): SettingGroup {
  const group: SettingGroup = {
    path,
    key,
    about: schema.description ?? "",
    fields: [],
    groups: [],
    isOpen: isOpen(schema),
  };
  const block = blockOf(schema);
  const named = isOpen(schema) && block ? Object.keys(getIn(values, path) ?? {}) : [];
  const below = (name: string) => (key === "" ? name : `${key}.${name}`);
  const entries = [
    ...Object.entries(schema.properties ?? {}).map(([name, inner]) => ({ name, inner, at: below(name) })),
    ...named.map((name) => ({ name, inner: block ?? {}, at: below("<name>") })),
  ];
  for (const { name, inner, at } of entries) {
    const place = [...path, name];
    if (isGroup(inner)) group.groups.push(toGroup(inner, values, place, at));
    else group.fields.push(toField(inner, place, at));
  }
  return group;
}

function isGroup(schema: JsonSchema): boolean {
  return schema.properties !== undefined || isOpen(schema);
}

/** Groups in which the user names the blocks. Not channels, which have their own page. */
function isOpen(schema: JsonSchema): boolean {
  return schema.properties === undefined && blockOf(schema)?.properties !== undefined;
}

function blockOf({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function toField(schema: JsonSchema, path: string[], key: string): SettingField {
  const choices = (schema.enum ?? []).map(String);
  const { description: about = "", default: fallback } = schema;
  return { path, key, about, kind: kindOf(schema, path), choices, fallback };
}

function kindOf(schema: JsonSchema, path: string[]): FieldKind {
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "string")
    return /(key|token|secret|password)$/i.test(path.at(-1) ?? "") ? "secret" : "text";
  if (schema.type === "array" && schema.items?.type === "string") return "texts";
  if (schema.type === "object" && blockOf(schema)?.type === "string") return "map";
  return "json";
}

/** The setting at a path such as `agents.defaults.maxTokens`. */
export function findSetting(group: SettingGroup, path: string): SettingField | SettingGroup | undefined {
  const isMeant = (setting: { path: string[] }) => setting.path.join(".") === path;
  if (isMeant(group)) return group;
  const [found] = group.groups.flatMap((inner) => findSetting(inner, path) ?? []);
  return group.fields.find(isMeant) ?? found;
}

/** The matching parts of a group; undefined when there are none. */
export function filterGroup(
  group: SettingGroup,
  matches: (field: SettingField) => boolean,
): SettingGroup | undefined {
  const fields = group.fields.filter(matches);
  const groups = group.groups.flatMap((inner) => filterGroup(inner, matches) ?? []);
  return fields.length + groups.length === 0 ? undefined : { ...group, fields, groups };
}

/** Shown for a secret; sent back, the secret is unchanged. */
export const masked = "••••••••";

export function toText(value: unknown, kind: FieldKind): string {
  if (value === undefined || value === null) return "";
  if (kind === "texts" && Array.isArray(value)) return value.join("\n");
  if (kind === "map" && typeof value === "object")
    return Object.entries(value)
      .map(([name, text]) => `${name}=${text}`)
      .join("\n");
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** Null removes the key. Invalid numbers and JSON stay text, which the gateway rejects with a reason. */
export function fromText(text: string, kind: FieldKind): unknown {
  if (text.trim() === "") return null;
  switch (kind) {
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "texts":
      return toLines(text);
    case "map":
      return Object.fromEntries(toLines(text).map(toPair));
    case "json":
      return parse(text);
    default:
      return text;
  }
}

function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

function toPair(line: string): [string, string] {
  const [name = "", ...rest] = line.split("=");
  return [name.trim(), rest.join("=").trim()];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
