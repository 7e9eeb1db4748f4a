// A zod schema seen as a tree of config keys, so that raw values can be compared with it.
import * as z from "zod";
import { isRecord } from "../lib/is-record.ts";

export type SchemaNode =
  /** `isOpen`: keys that are not named hold blocks of their own (channels). */
  | { kind: "section"; keys: Record<string, z.ZodType>; isOpen: boolean }
  /** Names chosen by the user, each with a block of known keys. */
  | { kind: "blocks"; block: z.ZodType }
  /** Names and values are the user's: environment variables, headers. */
  | { kind: "map" }
  | { kind: "list"; item: z.ZodType }
  | { kind: "value"; type: "text" | "number" | "truth" | "any" };

export function toNode(schema: z.ZodType): SchemaNode {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return { kind: "section", keys: inner.shape, isOpen: inner.def.catchall !== undefined };
  }
  if (inner instanceof z.ZodRecord) {
    const value = inner.valueType as z.ZodType;
    return toNode(value).kind === "section" ? { kind: "blocks", block: value } : { kind: "map" };
  }
  if (inner instanceof z.ZodArray) return { kind: "list", item: inner.element as z.ZodType };
  return { kind: "value", type: valueTypeOf(inner) };
}

/** The node for a value that may take several forms: the object form for an object, the plain one otherwise. */
export function toNodeFor(schema: z.ZodType, value: unknown): SchemaNode {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodUnion)) return toNode(inner);
  const options = (inner.options as z.ZodType[]).map(toNode);
  return (
    options.find(({ kind }) => (kind === "section") === isRecord(value)) ?? { kind: "value", type: "any" }
  );
}

/** The key may be left out and has no default: "" then means the same as nothing. */
export function isOptional(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional;
}

/** Every key with its schema, `<name>` standing for names chosen by the user. Sections come before their keys. */
export function* walkKeys(
  schema: z.ZodType,
  path: readonly string[] = [],
): Generator<{ path: readonly string[]; schema: z.ZodType; node: SchemaNode }> {
  const node = toNode(schema);
  if (path.length > 0) yield { path, schema, node };
  if (node.kind === "blocks") yield* walkKeys(node.block, [...path, "<name>"]);
  if (node.kind !== "section") return;
  for (const [key, inner] of Object.entries(node.keys)) yield* walkKeys(inner, [...path, key]);
}

function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

function valueTypeOf(schema: z.ZodType): "text" | "number" | "truth" | "any" {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "text";
  if (schema instanceof z.ZodNumber) return "number";
  return schema instanceof z.ZodBoolean ? "truth" : "any";
}
