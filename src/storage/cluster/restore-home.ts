// A home as the cluster has it, laid down on this disk. Nothing of what was there before is used: what an earlier holder did not
// commit never happened.
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import { loadSqlite } from "../database/sqlite.ts";
import type { StoredFile } from "./cluster-rows.ts";
import type { ClusterStore } from "./cluster-store.ts";
import { blockBytes, database, HomeTree, kinds, toHash } from "./home-tree.ts";
import { places, type Seal } from "./seal.ts";

/** Which home, where from, and where to. */
export interface RestoreSource {
  id: string;
  /** The folder on this disk; what is in it is removed. */
  home: string;
  store: ClusterStore;
  seal: Seal;
  /** Above it, a file is stored piece by piece. */
  largestFile?: number;
}

export interface Restored {
  tree: HomeTree;
  /** Of the changes of state.db that are stored. */
  lastChange: number;
  /** Nothing was stored yet. */
  isNew: boolean;
}

interface Named extends StoredFile {
  path: string;
}

export async function restoreHome(source: RestoreSource): Promise<Restored> {
  const { id, home, store } = source;
  dropHome(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const files = (await store.readFiles(id)).map((row): Named => ({ ...row, path: readName(row, source) }));
  layOut(home, files);
  const { hashes, orphans } = await fill(source, files);
  const lastChange = await applyChanges(source);
  for (const { path, kind, mode } of files) if (kind !== kinds.link) chmodSync(join(home, path), mode);
  writeMarkers(home);
  const tree = new HomeTree(home, source.largestFile);
  for (const file of orphans) tree.drop(file);
  for (const { version, name, ...row } of files) {
    const { ino, ctimeMs } = lstatSync(join(home, row.path));
    // The database on the disk is not the one that is stored: changes were replayed into it.
    const [inode, changedAt] = row.path === database ? [0, 0] : [ino, ctimeMs];
    tree.know({ ...row, inode, changedAt, hashes: hashes.get(row.file) ?? [] });
  }
  return { tree, lastChange, isNew: files.length === 0 };
}

/** What this disk has of a home. */
export function dropHome(home: string): void {
  rmSync(home, { recursive: true, force: true });
}

function readName({ file, version, name }: StoredFile, source: RestoreSource): string {
  const path = unseal(source, name, places.name(file, version)).toString();
  const isInside = path !== "" && !isAbsolute(path) && normalize(path) === path && !path.startsWith("..");
  if (!isInside) throw fail("cluster.damaged-home", { home: source.id });
  return path;
}

/** Folders before what is in them. Links come last, so that nothing is written through one. */
function layOut(home: string, files: readonly Named[]): void {
  for (const { path, kind } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const target = join(home, path);
    mkdirSync(kind === kinds.folder ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (kind === kinds.file) closeSync(openSync(target, "wx", 0o600));
  }
}

interface Filled {
  /** Of the blocks of each file. */
  hashes: Map<number, string[]>;
  /** Files whose holder ended while they were stored: they have blocks, and no name. */
  orphans: Set<number>;
}

async function fill(source: RestoreSource, files: readonly Named[]): Promise<Filled> {
  const { id, home, store } = source;
  const orphans = new Set<number>();
  const byFile = new Map(files.map((row) => [row.file, row]));
  const hashes = new Map<number, string[]>();
  const links: Array<{ target: Buffer; path: string }> = [];
  /** Blocks come in the order of their files. */
  let current: { path: string; descriptor: number } | undefined;
  for await (const { file, no, version, bytes } of store.readBlocks(id)) {
    const row = byFile.get(file);
    if (row === undefined) {
      orphans.add(file);
      continue;
    }
    const content = unseal(source, bytes, places.block(file, no, version));
    const known = hashes.get(file) ?? [];
    known[no] = toHash(content);
    hashes.set(file, known);
    if (row.kind === kinds.link) links.push({ target: content, path: row.path });
    else {
      if (current?.path !== row.path) {
        if (current !== undefined) closeSync(current.descriptor);
        current = { path: row.path, descriptor: openSync(join(home, row.path), "r+") };
      }
      writeSync(current.descriptor, content, 0, content.length, no * blockBytes);
    }
  }
  if (current !== undefined) closeSync(current.descriptor);
  for (const { path, kind, size } of files) if (kind === kinds.file) truncateSync(join(home, path), size);
  for (const { target, path } of links) symlinkSync(target, join(home, path));
  return { hashes, orphans };
}

/** For one that does not fit it returns a reason and throws nothing. */
async function applyChanges(source: RestoreSource): Promise<number> {
  const { id, home, store } = source;
  const changes = await store.readChanges(id);
  if (changes.length === 0) return 0;
  const path = join(home, database);
  if (!existsSync(path)) throw fail("cluster.damaged-home", { home: id });
  const { DatabaseSync } = await loadSqlite();
  const connection = new DatabaseSync(path);
  try {
    connection.exec("BEGIN");
    for (const { seq, version, bytes } of changes) {
      const changeset = unseal(source, bytes, places.change(seq, version));
      if (!connection.applyChangeset(changeset)) throw fail("cluster.damaged-home", { home: id });
    }
    connection.exec("COMMIT");
  } finally {
    connection.close();
  }
  return changes.at(-1)?.seq ?? 0;
}

/** Folders of sessions are found by a marker with the path of the workspace, which differs from machine to machine. */
function writeMarkers(home: string): void {
  const sessions = join(home, "sessions");
  if (!existsSync(sessions)) return;
  for (const entry of readdirSync(sessions, { withFileTypes: true }))
    if (entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name))
      writeFileSync(join(sessions, entry.name, ".workspace"), join(home, "workspace"), { mode: 0o600 });
}

function unseal({ id, seal }: RestoreSource, sealed: Buffer, place: string): Buffer {
  try {
    return seal.open(sealed, place);
  } catch {
    throw fail("cluster.sealed-otherwise", { home: id });
  }
}
