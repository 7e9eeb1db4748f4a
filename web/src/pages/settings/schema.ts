// The schema of the config as a tree of groups and fields: what a form is drawn from. Pure; knows no value but the names
// that people chose for their own blocks.

/** As far as the config uses it. */
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

export type FieldKind = "switch" | "number" | "choice" | "text" | "secret" | "texts" | "map" | "json";

export interface SettingField {
  path: string[];
  /** The path with `<name>` for names of the person's own, such as `providers.<name>.apiKey`. */
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
  /** Names in it are the person's own; each is one of the groups. */
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

/** `values` tells the names in open groups. */
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

/** Blocks of known keys by names of the person's own. Channels have also keys of their own, and a page of their own. */
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

/** The parts of a group that have the words; undefined when none has. */
export function filterGroup(
  group: SettingGroup,
  matches: (field: SettingField) => boolean,
): SettingGroup | undefined {
  const fields = group.fields.filter(matches);
  const groups = group.groups.flatMap((inner) => filterGroup(inner, matches) ?? []);
  return fields.length + groups.length === 0 ? undefined : { ...group, fields, groups };
}
