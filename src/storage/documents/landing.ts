// The redo journal of changes to documents: what is about to change, on the disk before anything does, so that after a
// crash all of it is done or none. What a person changed in between stays.
import { createHash } from "node:crypto";
import { readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { syncFolder } from "../files/with-file.ts";
import { isScope, type Scope } from "../scope.ts";
import { rootOf, scopeAround } from "../scope-folders.ts";
import type { Documents, MemoryStore } from "./memory-store.ts";
import type { ProvenanceRecord } from "./provenance.ts";
import type { StagedChange } from "./staged-copy.ts";
import { cursorFile, type Version } from "./versions.ts";

export { cursorFile };

export interface Landing {
  scope: Scope;
  /** Where Dream has read to, afterwards. */
  cursor: number;
  /** With the hashes that say how far it got. */
  files: Array<{ path: string; before: string; after: string; text: string }>;
  records: ProvenanceRecord[];
}

export interface FoundJournal {
  path: string;
  landing: Landing;
}

export interface Landed {
  version: Version | undefined;
  /** Files that were changed by others at that moment. */
  left: string[];
}

export function toLandingFiles(changes: readonly StagedChange[]): Landing["files"] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: before === undefined ? "absent" : hash(Buffer.from(before)),
    after: hash(Buffer.from(after)),
    text: after,
  }));
}

/** "absent" and "foreign" speak for themselves. */
export async function hashDocument(store: MemoryStore, path: string): Promise<string> {
  const content = await store.read(path);
  return typeof content === "string" ? content : hash(content);
}

/** Durable when it returns. */
export async function writeJournal(documents: Documents, name: string, landing: Landing): Promise<string> {
  const { stagingFolder: folder, options } = documents;
  const path = join(folder, `${name}.json`);
  await makeFolder(folder);
  await writeFileAtomic(path, JSON.stringify({ workspace: options.name, ...landing }));
  await syncFolder(dirname(folder));
  return path;
}

/** Oldest first; of this workspace only, because a home may serve several. What is none of ours is passed over. */
export async function findJournals({ stagingFolder, options }: Documents): Promise<FoundJournal[]> {
  const names = ((await readdir(stagingFolder).catch(ignoreMissing)) ?? []).filter((name) =>
    name.endsWith(".json"),
  );
  const workspace = (await realpath(options.workspace).catch(ignoreMissing)) ?? options.workspace;
  const journals = names.sort().map(async (name) => {
    const path = join(stagingFolder, name);
    const value = parseJson((await readFile(path, "utf8").catch(ignoreMissing)) ?? "");
    const landing = toLanding(value, { workspace, name: options.name });
    return landing === undefined ? [] : [{ path, landing }];
  });
  return (await Promise.all(journals)).flat();
}

/**
 * Each step can be repeated, so that the next program that finds the journal can begin again. `recordSkill` is called
 * for each skill that was written.
 */
export async function land(
  { path, landing: { cursor, files, records } }: FoundJournal,
  store: MemoryStore,
  recordSkill: (path: string) => Promise<void>,
): Promise<Landed> {
  const left: string[] = [];
  for (const file of files) {
    const now = await hashDocument(store, file.path);
    if (now === file.before) await store.write(file.path, file.text);
    else if (now !== file.after) left.push(file.path);
  }
  if ((await store.history.readDreamCursor()) < cursor) await store.history.writeDreamCursor(cursor);
  const landed = files.map((file) => file.path).filter((one) => !left.includes(one));
  for (const one of landed)
    if (one.startsWith("skills/")) await recordSkill(await realpath(store.locate(one)));
  const version = await store.versions.commit({ kind: "dream", paths: [...landed, cursorFile] });
  await store.provenance.record(records.filter(({ file }) => !left.includes(file)));
  await removeFile(path);
  await syncFolder(dirname(path));
  return { version, left };
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function isLanding(value: unknown): value is Landing {
  if (!isRecord(value) || !isScope(value.scope) || !Number.isSafeInteger(value.cursor)) return false;
  const { files, records } = value;
  const isFile = (file: unknown) =>
    isRecord(file) &&
    [file.path, file.before, file.after, file.text].every((each) => typeof each === "string");
  return Array.isArray(files) && files.every(isFile) && Array.isArray(records) && records.every(isRecord);
}

/** 0.1.0 named the root instead of the scope and the workspace. */
function toLanding(value: unknown, place: { workspace: string; name: string }): Landing | undefined {
  if (!isRecord(value)) return undefined;
  const { workspace: name, root, ...rest } = value;
  if (typeof root !== "string") return name === place.name && isLanding(rest) ? rest : undefined;
  const scope = scopeAround(place.workspace, root);
  const landing = { ...rest, scope };
  return scope !== undefined && rootOf(place.workspace, scope) === root && isLanding(landing)
    ? landing
    : undefined;
}
