// Reads a JSON file that must hold an object, and says exactly what is wrong otherwise. Never throws for the world's faults.
import { isUtf8 } from "node:buffer";
import { lstat, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { findJsonFault } from "../lib/json-fault.ts";
import { isObject, type JsonObject } from "../lib/json-tree.ts";
import { stripBom } from "../lib/text.ts";
import type { Problem, ProblemKind } from "./problem.ts";

export type ReadJson =
  | { state: "read"; text: string; value: JsonObject }
  | { state: "absent" }
  | { state: "broken"; problems: Problem[] };

const largestFile = 4 * 1024 * 1024;
const deepest = 64;

export async function readJsonObject(path: string): Promise<ReadJson> {
  const name = basename(path);
  const bytes = await readBytes(path);
  if (typeof bytes === "string") return broken("unreadable", `${name} ${bytes}`);
  if (bytes === undefined) return { state: "absent" };
  if (!isUtf8(bytes)) return broken("unreadable", `${name} is not UTF-8 text; save it as UTF-8`);
  const text = stripBom(bytes.toString("utf8"));
  const parsed = parseJson(text);
  if (parsed === undefined) return broken("invalid-json", `${name} is not valid JSON${whereAndWhy(text)}`);
  const { value } = parsed;
  if (!isObject(value)) return broken("invalid-root", `${name} must hold one JSON object, in { }`);
  if (isDeeperThan(value, deepest))
    return broken("invalid-root", `${name} is nested more than ${deepest} levels deep`);
  return { state: "read", text, value };
}

/** The value in a wrapper, so that `null` is told from text that is no JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The bytes; undefined when there is no such file; a reason when there is one that cannot be read. */
async function readBytes(path: string): Promise<Buffer | string | undefined> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) return "is a folder; a file is expected";
    // A pipe or device would be waited for without end.
    if (!info.isFile()) return "is not a regular file";
    if (info.size > largestFile) return `is larger than ${largestFile / 1024 / 1024} MB`;
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT") return `cannot be read (${code}); check its owner and permissions`;
    return (await isDanglingLink(path)) ? "is a link to a file that does not exist" : undefined;
  }
}

async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

function whereAndWhy(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined ? "" : `, line ${fault.line}, column ${fault.column}: ${fault.reason}`;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

function broken(kind: ProblemKind, message: string): ReadJson {
  return { state: "broken", problems: [{ kind, path: "", message }] };
}
