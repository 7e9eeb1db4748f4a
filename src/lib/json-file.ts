// A JSON file that must hold one object, and exactly what is wrong when it does not: in words that quote nothing of it.
import { isUtf8 } from "node:buffer";
import { lstat, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { isRecord } from "./is-record.ts";
import { findJsonFault } from "./json-fault.ts";
import { deepestJson, isDeeperThan, type JsonObject, parseJson } from "./json-tree.ts";
import { ignoreMissing } from "./plain-file.ts";
import { stripBom } from "./text.ts";

export type JsonFile =
  | { state: "read"; text: string; value: JsonObject }
  | { state: "absent" }
  | { state: "broken"; kind: JsonFileFault; message: string };

export type JsonFileFault = "unreadable" | "invalid-json" | "invalid-root";

/** Far more than any of our files is written with: what is larger is not read, and never called damaged. */
const largestFile = 64 * 1024 * 1024;

export async function readJsonFile(path: string): Promise<JsonFile> {
  const name = basename(path);
  const bytes = await readBytes(path);
  if (typeof bytes === "string") return broken("unreadable", `${name} ${bytes}`);
  if (bytes === undefined) return { state: "absent" };
  if (!isUtf8(bytes)) return broken("invalid-json", `${name} is not UTF-8 text; save it as UTF-8`);
  const text = stripBom(bytes.toString("utf8"));
  const value = parseJson(text);
  if (value === undefined) return broken("invalid-json", `${name} is not valid JSON${whereAndWhy(text)}`);
  if (!isRecord(value)) return broken("invalid-root", `${name} must hold one JSON object, in { }`);
  if (isDeeperThan(value, deepestJson))
    return broken("invalid-root", `${name} is nested more than ${deepestJson} levels deep`);
  return { state: "read", text, value };
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
    const link = await lstat(path).catch(ignoreMissing);
    return link?.isSymbolicLink() ? "is a link to a file that does not exist" : undefined;
  }
}

function whereAndWhy(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined ? "" : `, line ${fault.line}, column ${fault.column}: ${fault.reason}`;
}

function broken(kind: JsonFileFault, message: string): JsonFile {
  return { state: "broken", kind, message };
}
