// A home as one file, and back. The file is a tar with the checksum of each file in it. A backup is read again before it
// counts as written, and a home is replaced only by one that was read whole.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip, gzipSync } from "node:zlib";
import { createLeftovers, type Leftovers } from "../../storage/backup-leftovers.ts";
import { loadSqlite } from "../../storage/database/sqlite.ts";
import { isDamageWhileOpening } from "../../storage/database/state-schema.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";

export interface BackupResult {
  path: string;
  files: number;
  bytes: number;
  /** Links, pipes and files that are too large: not in it. */
  left: string[];
}

const manifestName = "nanobot-backup.json";
/** Can be made again, belongs to what runs now, or is a home of its own. */
const leftOut = new Set([
  "cache",
  "run",
  "homes",
  "index.db",
  "index.db-wal",
  "index.db-shm",
  "state.db-wal",
  "state.db-shm",
]);
const largestEntry = 512 * 1024 * 1024;

/** Two empty blocks. */
const tarEnd = Buffer.alloc(1024);

interface BackupFile {
  name: string;
  mode: number;
  changedAt: Date;
  bytes: Buffer;
}

export class BackupError extends Error {
  override name = "BackupError";
}

/**
 * Needs no lock and keeps no turn waiting: files are replaced whole or appended to, and a home is made to be found as a
 * crash leaves it. The database comes first, because it only points to what was written before.
 */
export async function writeBackup(home: string, target: string, signal?: AbortSignal): Promise<BackupResult> {
  const leftovers = createLeftovers(home);
  try {
    await mkdir(dirname(target), { recursive: true });
    return await write({ home, target, leftovers, signal });
  } finally {
    await leftovers.remove();
  }
}

interface Writing {
  home: string;
  target: string;
  leftovers: Leftovers;
  signal: AbortSignal | undefined;
}

async function write({ home, target, leftovers, signal }: Writing): Promise<BackupResult> {
  const left: string[] = [];
  const sums: Record<string, string> = {};
  const partial = await leftovers.name(target);
  const output = await open(partial, "wx", 0o600);
  let bytes = 0;
  const { packTar } = await import("modern-tar");
  const put = async ({ name, mode, changedAt, bytes: body }: BackupFile) => {
    const tar = await packTar([{ header: { name, mode, mtime: changedAt, size: body.length }, body }]);
    // Members of a gzip file may follow one another; the end of the archive is written once.
    const packed = gzipSync(tar.subarray(0, -tarEnd.length));
    bytes += packed.length;
    await output.write(packed);
  };
  try {
    for await (const entry of readHome(home, left, leftovers)) {
      signal?.throwIfAborted();
      sums[entry.name] = sumOf(entry.bytes);
      await put(entry);
    }
    const manifest = Buffer.from(JSON.stringify({ version: 1, files: sums }));
    await put({ name: manifestName, mode: 0o600, changedAt: new Date(), bytes: manifest });
    await output.write(gzipSync(tarEnd));
    await output.sync();
  } finally {
    await output.close();
  }
  await checkBackup(partial);
  await rename(partial, target);
  return { path: target, files: Object.keys(sums).length, bytes, left };
}

/** Reads it whole; throws a BackupError that says what is wrong with it. */
export async function checkBackup(path: string): Promise<number> {
  const sums = new Map<string, string>();
  for await (const { name, bytes } of readBackup(path)) sums.set(name, sumOf(bytes));
  return sums.size;
}

/** Into a folder that is not there yet. */
export async function unpackBackup(path: string, folder: string): Promise<number> {
  let count = 0;
  for await (const { name, mode, changedAt, bytes } of readBackup(path)) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, bytes, { mode, flag: "wx" });
    await chmod(target, mode);
    await utimes(target, changedAt, changedAt);
    count += 1;
  }
  return count;
}

/** The files in it; their checksums are compared at the end, with the list that came with them. */
async function* readBackup(path: string): AsyncGenerator<BackupFile> {
  const sums = new Map<string, string>();
  let manifest: Record<string, string> | undefined;
  try {
    for await (const file of readFiles(path)) {
      if (file.name === manifestName) {
        manifest = (JSON.parse(file.bytes.toString("utf8")) as { files: Record<string, string> }).files;
        continue;
      }
      if (!isInside(file.name)) throw new BackupError(`${file.name} would lie outside of the home`);
      sums.set(file.name, sumOf(file.bytes));
      yield file;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Only errors of the system have a code; those of zlib are about what the file holds, like the ones without.
    if (error instanceof BackupError || (code !== undefined && !code.startsWith("Z_"))) throw error;
    throw new BackupError(`${path} is no whole backup: ${message}`);
  }
  const isWhole =
    manifest !== undefined &&
    Object.keys(manifest).length === sums.size &&
    Object.entries(manifest).every(([name, sum]) => sums.get(name) === sum);
  if (!isWhole) throw new BackupError(`${path} is no whole backup: its files are not those of its list`);
}

async function* readFiles(path: string): AsyncGenerator<BackupFile> {
  const { createTarDecoder } = await import("modern-tar");
  // When reading breaks off anywhere, the file is closed; the reader gets the error.
  const unpacked = pipeline(createReadStream(path), createGunzip(), () => {});
  const entries = Readable.toWeb(unpacked).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    const { name, type, size, mode = 0o600, mtime = new Date() } = header;
    if (size > largestEntry) throw new BackupError(`${name} is too large`);
    const bytes = await buffer(body);
    if (type === "file") yield { name, mode: mode & 0o777, changedAt: mtime, bytes };
  }
}

function isInside(name: string): boolean {
  return !name.startsWith("/") && !name.split(/[/\\]/).includes("..") && !name.includes("\0");
}

async function* readHome(home: string, left: string[], leftovers: Leftovers): AsyncGenerator<BackupFile> {
  const files = await listFiles(home, home, left);
  const isState = (path: string) => path === join(home, "state.db");
  for (const path of [...files.filter(isState), ...files.filter((file) => !isState(file))]) {
    const name = relative(home, path).split(sep).join("/");
    const info = await stat(path).catch(ignoreMissing);
    if (info === undefined) continue;
    if (info.size > largestEntry) {
      left.push(name);
      continue;
    }
    const bytes = isState(path)
      ? await readDatabase(path, leftovers)
      : await readFile(path).catch(ignoreMissing);
    if (bytes !== undefined) yield { name, mode: info.mode & 0o777, changedAt: info.mtime, bytes };
  }
}

async function listFiles(home: string, folder: string, left: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (folder === home && leftOut.has(entry.name)) continue;
    if (entry.isDirectory()) files.push(...(await listFiles(home, path, left)));
    else if (entry.isFile()) files.push(path);
    else left.push(relative(home, path));
  }
  return files;
}

/** As one whole, also while it is written to; a damaged one as it is. */
async function readDatabase(path: string, leftovers: Leftovers): Promise<Buffer> {
  const { DatabaseSync } = await loadSqlite();
  const copy = await leftovers.name(join(dirname(path), "run", "state.db"));
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 5000");
    database.prepare("VACUUM INTO ?").run(copy);
    return await readFile(copy);
  } catch (error) {
    if (!isDamageWhileOpening(error)) throw error;
    return readFile(path);
  } finally {
    database.close();
    await rm(copy, { force: true });
  }
}

function sumOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
