// The last step before validation: what means "nothing" is left out, and text that means a number or a truth becomes one.
// Files of the Python original hold both, as its own reader allows.
import type * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import { type JsonObject, ownValue } from "../lib/json-tree.ts";
import { isOptional, toNodeFor } from "./schema-node.ts";

/** Words of the Python original for what has another word here. */
const olderWords: Record<string, Record<string, string>> = {
  "tools.exec.sandbox": { "": "auto", bwrap: "required" },
};

export function settle(value: JsonObject, schema: z.ZodType): JsonObject {
  return settleValue(value, schema, "") as JsonObject;
}

function settleValue(value: unknown, schema: z.ZodType, path: string): unknown {
  const node = toNodeFor(schema, value);
  if (node.kind === "value") return cast(value, node.type, path);
  if (node.kind === "list" && Array.isArray(value)) {
    return value.map((item) => settleValue(item, node.item, path));
  }
  if (!isRecord(value) || (node.kind !== "section" && node.kind !== "blocks")) return value;
  const given = Object.entries(value).flatMap(([key, item]) => {
    const inner = node.kind === "blocks" ? node.block : ownValue(node.keys, key);
    if (item === null || (item === "" && inner !== undefined && isOptional(inner))) return [];
    const itemPath = path === "" ? key : `${path}.${key}`;
    return [[key, inner === undefined ? item : settleValue(item, inner, itemPath)]];
  });
  return Object.fromEntries(given);
}

function cast(value: unknown, type: "text" | "number" | "truth" | "any", path: string): unknown {
  if (type === "truth" && (value === 0 || value === 1)) return value === 1;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "number" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (type === "truth" && /^(true|yes|on|1)$/i.test(text)) return true;
  if (type === "truth" && /^(false|no|off|0)$/i.test(text)) return false;
  return ownValue(olderWords[path] ?? {}, value) ?? value;
}
