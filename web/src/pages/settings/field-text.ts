// Values of fields as a person types them, and back. What is empty is nothing: the default holds.
import type { FieldKind } from "./schema.ts";

/** Stands for a secret that the gateway does not tell; sent back, it stays as it is. */
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

/** Null removes the key. What is no number or no JSON stays text, which the gateway refuses with a reason. */
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
