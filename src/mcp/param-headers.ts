// Arguments that a server of the protocol of 2026-07-28 wants as headers too (`x-mcp-header` in the schema of a tool), so that
// proxies can route by them without reading bodies.
import { isRecord } from "../lib/is-record.ts";

/** An argument, by the names that lead to it, and the end of its header's name. */
export interface ParamHeader {
  path: string[];
  name: string;
}

const mark = "x-mcp-header";
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const types: unknown[] = ["string", "integer", "boolean"];
const most = 50;
const deepest = 12;

/** Undefined where a mark breaks the rules of the protocol: such a tool must not be called over HTTP. */
export function readParamHeaders(schema: unknown): ParamHeader[] | undefined {
  const found: ParamHeader[] = [];

  /** `path` is undefined below anything but properties, where no mark may be. */
  function isFine(node: unknown, path: string[] | undefined, depth = 0): boolean {
    if (Array.isArray(node)) return node.every((each) => isFine(each, undefined, depth + 1));
    if (!isRecord(node)) return true;
    if (depth > deepest) return true;
    if (mark in node) {
      const name = node[mark];
      if (path === undefined || path.length === 0 || found.length >= most) return false;
      if (typeof name !== "string" || !token.test(name) || !types.includes(node.type)) return false;
      if (found.some((other) => other.name.toLowerCase() === name.toLowerCase())) return false;
      found.push({ path, name });
    }
    return Object.entries(node).every(([keyword, value]) => {
      if (keyword === mark || keyword === "default" || keyword === "const" || keyword === "enum") return true;
      if (keyword !== "properties" || !isRecord(value)) return isFine(value, undefined, depth + 1);
      return Object.entries(value).every(([key, child]) => isFine(child, path && [...path, key], depth + 1));
    });
  }

  return isFine(schema, []) ? found : undefined;
}

/** What is not given, or no single value, has no header. */
export function toParamHeaders(
  headers: readonly ParamHeader[],
  args: Record<string, unknown>,
): Record<string, string> {
  const filled = headers.flatMap(({ path, name }) => {
    const value = path.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), args);
    const isSingle = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
    return isSingle ? [[`Mcp-Param-${name}`, encode(String(value))]] : [];
  });
  return Object.fromEntries(filled);
}

/** As it is where a header can hold it, else as the protocol wraps base64. */
function encode(value: string): string {
  const isPlain =
    /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
