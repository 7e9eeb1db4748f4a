// A JSON file that must hold one object, and exactly what is wrong when it does not: without quoting any of it.
import { isUtf8 } from "node:buffer";
import { lstat, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { findJsonFault, type JsonFault, type JsonFaultReason } from "../../lib/formats/json-fault.ts";
import { isRecord } from "../../lib/is-record.ts";
import { deepestJson, isDeeperThan, type JsonObject, parseJson } from "../../lib/json-tree.ts";
import { stripBom } from "../../lib/text.ts";
import { ignoreMissing } from "./plain-file.ts";

export type JsonFile =
  | { state: "read"; text: string; value: JsonObject }
  | { state: "absent" }
  /** For now: it may be readable later, and is never replaced. */
  | { state: "unreadable"; fault: UnreadableFile }
  | { state: "invalid"; fault: InvalidFile };

/** Codes of the catalogue with their parameters, as `Phrase` has them. `file` is the name without its folder. */
export type UnreadableFile =
  | { code: "file.is-folder" | "file.not-regular" | "file.broken-link"; params: { file: string } }
  | { code: "file.too-large"; params: { file: string; megabytes: number } }
  | { code: "file.unreadable"; params: { file: string; errno: string } };

export type InvalidFile =
  | { code: "file.not-utf8" | "file.not-object"; params: { file: string } }
  | { code: "file.too-deep"; params: { file: string; levels: number } }
  | {
      code: "file.bad-json";
      params: { file: string; line: number; column: number; reason: JsonFaultReason };
    };

/** Far more than any of our files is written with: what is larger is not read, and never called damaged. */
const largestFile = 64 * 1024 * 1024;

export async function readJsonFile(path: string): Promise<JsonFile> {
  const file = basename(path);
  const bytes = await readBytes(path, file);
  if (bytes === undefined) return { state: "absent" };
  if (!Buffer.isBuffer(bytes)) return { state: "unreadable", fault: bytes };
  if (!isUtf8(bytes)) return invalid({ code: "file.not-utf8", params: { file } });
  const text = stripBom(bytes.toString("utf8"));
  const value = parseJson(text);
  if (value === undefined) {
    const { line, column, reason } = findJsonFault(text) ?? start;
    return invalid({ code: "file.bad-json", params: { file, line, column, reason } });
  }
  if (!isRecord(value)) return invalid({ code: "file.not-object", params: { file } });
  if (isDeeperThan(value, deepestJson))
    return invalid({ code: "file.too-deep", params: { file, levels: deepestJson } });
  return { state: "read", text, value };
}

const start: JsonFault = { line: 1, column: 1, reason: { code: "json.no-value", params: {} } };

/** The bytes; undefined when there is no such file; what is wrong with one that cannot be read. */
async function readBytes(path: string, file: string): Promise<Buffer | UnreadableFile | undefined> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) return { code: "file.is-folder", params: { file } };
    // A pipe or device would be waited for without end.
    if (!info.isFile()) return { code: "file.not-regular", params: { file } };
    if (info.size > largestFile)
      return { code: "file.too-large", params: { file, megabytes: largestFile / 1024 / 1024 } };
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT") return { code: "file.unreadable", params: { file, errno: code } };
    const link = await lstat(path).catch(ignoreMissing);
    return link?.isSymbolicLink() ? { code: "file.broken-link", params: { file } } : undefined;
  }
}

function invalid(fault: InvalidFile): JsonFile {
  return { state: "invalid", fault };
}
