// Reads files of another program's home: bounded, and without changing anything there.
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import { stripBom } from "../../lib/text.ts";
import { loadSqlite } from "../database/sqlite.ts";
import { listEntries, readFirstBytes, toRealTarget } from "../files/folder-entries.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";

const mostEntries = 10_000;
const longestLine = 16 * 1024 * 1024;

/** Undefined where there is no such file or it is larger than the limit. */
export async function readText(path: string, limit: number): Promise<string | undefined> {
  const real = toRealTarget(path);
  if (real === undefined) return undefined;
  const bytes = await readFirstBytes(real, limit + 1);
  return bytes === undefined || bytes.length > limit ? undefined : stripBom(bytes.toString("utf8"));
}

/** JSON with comments, trailing commas and bare keys, as people write it. */
export async function parseLooseJson(text: string): Promise<JsonObject | undefined> {
  const plain = parseJson(text);
  if (plain !== undefined) return isRecord(plain) ? plain : undefined;
  const { jsonrepair, JSONRepairError } = await import("jsonrepair");
  try {
    const repaired = parseJson(jsonrepair(text));
    return isRecord(repaired) ? repaired : undefined;
  } catch (error) {
    if (error instanceof JSONRepairError) return undefined;
    throw error;
  }
}

/** Names of files and folders in a folder; none where there is no such folder. */
export function listNames(folder: string, kind: "file" | "folder"): string[] {
  return (listEntries(folder, mostEntries) ?? [])
    .filter((entry) => (kind === "file" ? entry.isFile() : entry.isDirectory()))
    .map(({ name }) => name);
}

/** The records of a file with one JSON value in a line; other lines are passed over. */
export async function readRecords(path: string): Promise<JsonObject[]> {
  const records: JsonObject[] = [];
  await withFile(path, "r", (file) =>
    scanLines(file, { limit: longestLine }, ({ bytes }) => {
      const record = bytes === undefined ? undefined : parseJson(bytes.toString("utf8"));
      if (isRecord(record)) records.push(record);
      return true;
    }),
  );
  return records;
}

/** What is neither: links, pipes and the like. Nothing of it is taken over. */
export function listOthers(folder: string): string[] {
  return (listEntries(folder, mostEntries) ?? [])
    .filter((entry) => !entry.isFile() && !entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

/**
 * What a database holds as it is now. It is opened as a copy: opening the original itself would write files next to it.
 * One that is damaged gives what can be read of it, and is noted as unreadable.
 */
export async function* readDatabase<T>(
  path: string,
  unreadable: string[],
  work: (database: DatabaseSync) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const found = await stat(path).catch(ignoreMissing);
  if (found === undefined) return;
  try {
    if (found.isFile()) return yield* iterateCopy(path, work);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  if (!unreadable.includes(path)) unreadable.push(path);
}

async function* iterateCopy<T>(
  path: string,
  work: (database: DatabaseSync) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const { DatabaseSync } = await loadSqlite();
  const folder = await mkdtemp(join(tmpdir(), "nanobot-move-in-"));
  try {
    const copy = join(folder, "copy.sqlite");
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`).catch(ignoreMissing);
    const database = new DatabaseSync(copy);
    try {
      yield* work(database);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  const row = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name);
  return row !== undefined;
}

/** `KEY=value` lines, quotes and `export` allowed. */
export function parseEnvironment(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || raw === undefined) continue;
    const quoted = /^(["'])(.*)\1$/.exec(raw);
    const value = quoted?.[2] ?? raw.replace(/\s+#.*$/, "");
    if (value !== "") variables.set(name, value);
  }
  return variables;
}
