// The files of a home as a cluster knows them: a number for each file, and a hash for each of its blocks. Says what has to be
// stored so that the cluster has what the disk has. Reads in one synchronous step; knows no database.
import { hash } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { IgnoredFiles } from "./ignored-files.ts";

export const blockBytes = 8192;
export const database = "state.db";

export const kinds = { file: 0, folder: 1, link: 2 } as const;

export interface FileRow {
  file: number;
  path: string;
  kind: number;
  mode: number;
  size: number;
}

export interface TreeChange {
  files: FileRow[];
  removed: number[];
  blocks: Array<{ file: number; no: number; bytes: Buffer }>;
  /** Blocks from this number on are gone. */
  cuts: Array<{ file: number; no: number }>;
}

export interface KnownFile extends FileRow {
  inode: number;
  changedAt: number;
  hashes: string[];
}

/** From this block on. */
interface Content {
  from: number;
  content: Buffer;
}

/** Larger ones are stored piece by piece: reading one at once would stop every conversation of the process. */
export const largestFile = 64 * 1024 * 1024;
const pieceBytes = 512 * blockBytes;

/** Made again on each machine: logs, caches, locks, the address of a gateway, indexes; and state.db, whose changes are recorded. */
const notKept =
  /^\.\.(?:\/|$)|^(?:logs|cache)(?:\/|$)|^run\/(?:[\w-]*lock\.(?:db|json)|gateway\.json|open-web\.html)|^(?:state|index)\.db|(?:^|\/)node_modules(?:\/|$)|\.tmp$|\.part$|^sessions\/[^/]+\/\.workspace$/;

export class HomeTree {
  readonly #home: string;
  readonly #largestFile: number;
  readonly #ignored: IgnoredFiles;
  readonly #known = new Map<string, KnownFile>();
  /** Files that were left for `captureLarge`. */
  readonly large = new Set<string>();
  /** Numbers whose files were never finished. */
  readonly #orphans = new Set<number>();
  #next = 1;
  #change: TreeChange = { files: [], removed: [], blocks: [], cuts: [] };
  /** Entries whose path is gone, by inode: one that was renamed keeps its number and its blocks. */
  #gone = new Map<number, KnownFile>();

  constructor(home: string, largest = largestFile) {
    this.#home = realpathSync(home);
    this.#largestFile = largest;
    this.#ignored = new IgnoredFiles(this.#home);
  }

  /** Stored blocks that belong to no file: they go with the next capture. */
  drop(file: number): void {
    this.#orphans.add(file);
    this.#next = Math.max(this.#next, file + 1);
  }

  /** What a restore has laid down, or an earlier capture stored. */
  know(file: KnownFile): void {
    this.#known.set(file.path, file);
    this.#next = Math.max(this.#next, file.file + 1);
  }

  /** Everything is to be stored again, under the same numbers. */
  forgetContent(): void {
    for (const known of this.#known.values())
      this.know({ ...known, inode: 0, changedAt: 0, size: -1, hashes: [] });
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  /** Paths that were announced, each with all that is in it. Afterwards this counts as stored. */
  capture(paths: Iterable<string>): TreeChange {
    this.#change = { files: [], removed: [], blocks: [], cuts: [] };
    this.#gone = new Map();
    if (this.#ignored.refresh()) this.#forgetIgnored();
    const kept = [...paths].map((path) => this.#toReal(path)).filter((path) => !this.#isLeftOut(path));
    for (const path of kept) this.#forgetGone(path);
    for (const path of kept) this.#take(path);
    for (const { file } of this.#gone.values()) this.#change.removed.push(file);
    this.#change.removed.push(...this.#orphans);
    this.#orphans.clear();
    return this.#change;
  }

  /** The bytes of a database, which are not those on the disk. */
  captureBytes(path: string, bytes: Buffer): TreeChange {
    this.#change = { files: [], removed: [], blocks: [], cuts: [] };
    const known = this.#known.get(path);
    this.#store({ path, kind: kinds.file, mode: 0o600, size: bytes.length, inode: 0, changedAt: 0 }, known, [
      ...toBlocks(bytes, 0),
    ]);
    return this.#change;
  }

  /** A file that was reached by a link counts where it is. One outside of the home is not kept: as if it were not there. */
  #toReal(path: string): string {
    try {
      const folder = relative(this.#home, realpathSync(join(this.#home, dirname(path))));
      return folder === "" ? basename(path) : `${folder}/${basename(path)}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return path;
    }
  }

  #forgetGone(path: string): void {
    if (path !== "" && this.#look(path) !== undefined && !this.#known.has(path)) return;
    for (const known of this.#list(path)) {
      const now = this.#look(known.path);
      if (now !== undefined && kindOf(now) === known.kind) continue;
      this.#known.delete(known.path);
      this.#gone.set(known.inode, known);
    }
  }

  #list(path: string): KnownFile[] {
    const below = path === "" ? "" : `${path}/`;
    const own = this.#known.get(path);
    // A file has nothing below it.
    if (own !== undefined && own.kind !== kinds.folder) return [own];
    return [...this.#known.values()].filter((known) => known.path === path || known.path.startsWith(below));
  }

  #isLeftOut(path: string): boolean {
    return notKept.test(path) || this.#ignored.has(path);
  }

  #forgetIgnored(): void {
    for (const { path, file } of this.#known.values()) {
      if (!this.#ignored.has(path)) continue;
      this.#known.delete(path);
      this.#change.removed.push(file);
    }
  }

  #take(path: string): void {
    if (this.#isLeftOut(path)) return;
    const status = path === "" ? undefined : this.#look(path);
    if (path !== "" && status === undefined) return;
    if (path !== "") {
      this.#takeFolderOf(path);
      this.#takeOne(path, status as Stats);
    }
    if (path !== "" && !(status as Stats).isDirectory()) return;
    for (const name of ifThere(() => readdirSync(join(this.#home, path))) ?? [])
      this.#take(path === "" ? name : `${path}/${name}`);
  }

  #takeFolderOf(path: string): void {
    const folder = dirname(path);
    if (folder === "." || this.#known.has(folder)) return;
    this.#takeFolderOf(folder);
    const status = this.#look(folder);
    if (status !== undefined) this.#takeOne(folder, status);
  }

  #takeOne(path: string, status: Stats): void {
    const kind = kindOf(status);
    if (kind === undefined) return;
    const known = this.#known.get(path);
    const isSame =
      known?.changedAt === status.ctimeMs && known.inode === status.ino && known.size === status.size;
    if (isSame) return;
    const before = known ?? this.#findMoved(status, kind);
    const isLarge = kind === kinds.file && status.size > this.#largestFile;
    if (isLarge) this.#leaveLarge(path, before);
    const read = isLarge ? undefined : this.#readContent(path, status, before);
    if (read === undefined) return;
    const { from, content } = read;
    const size = kind === kinds.folder ? 0 : from * blockBytes + content.length;
    const now = { path, kind, mode: status.mode & 0o777, size, inode: status.ino, changedAt: status.ctimeMs };
    this.#store(now, before, [...toBlocks(content, from)], from);
  }

  /** One that was renamed keeps its blocks; whether they still are its own is found out by reading it. */
  #leaveLarge(path: string, before: KnownFile | undefined): void {
    this.large.add(path);
    if (before === undefined || before.path === path) return;
    const { file, kind, mode, size } = before;
    this.#change.files.push({ file, path, kind, mode, size });
    this.know({ ...before, path, changedAt: 0 });
  }

  /** What differs of a large file, piece by piece, its row at the end. Who writes to it meanwhile may leave it torn. */
  async *captureLarge(path: string): AsyncGenerator<TreeChange> {
    const place = join(this.#home, path);
    const opened = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
    if (opened === undefined) return;
    await using handle = opened;
    const status = await handle.stat();
    const before = this.#known.get(path);
    const file = before?.file ?? this.#next++;
    const hashes: string[] = [];
    const nothing: TreeChange = { files: [], removed: [], blocks: [], cuts: [] };
    let isWhole = false;
    try {
      let size = 0;
      for (let from = 0; ; from = hashes.length) {
        const blocks: TreeChange["blocks"] = [];
        const piece = await readPiece(handle, size);
        for (const { no, bytes } of toBlocks(piece, from)) {
          hashes[no] = toHash(bytes);
          if (hashes[no] !== before?.hashes[no]) blocks.push({ file, no, bytes });
        }
        size += piece.length;
        if (blocks.length > 0) yield { ...nothing, blocks };
        // Removed or replaced meanwhile.
        if (this.#known.get(path)?.file !== before?.file) return;
        if (piece.length < pieceBytes) break;
      }
      const now = this.#look(path);
      if (now?.ino !== status.ino) return;
      isWhole = true;
      const row = { file, path, kind: kinds.file, mode: now.mode & 0o777, size };
      const changedAt = now.ctimeMs === status.ctimeMs ? now.ctimeMs : 0;
      this.know({ ...row, inode: now.ino, changedAt, hashes });
      const isCut = before !== undefined && before.hashes.length > hashes.length;
      yield { ...nothing, files: [row], cuts: isCut ? [{ file, no: hashes.length }] : [] };
    } finally {
      if (!isWhole && before === undefined) this.drop(file);
    }
  }

  #readContent(path: string, status: Stats, before: KnownFile | undefined): Content | undefined {
    if (status.isDirectory()) return { from: 0, content: Buffer.alloc(0) };
    if (!status.isSymbolicLink()) return this.#readFrom(path, this.#firstToRead(path, status, before));
    const content = ifThere(() => readlinkSync(join(this.#home, path), "buffer"));
    return content && { from: 0, content };
  }

  #findMoved({ ino }: Stats, kind: number): KnownFile | undefined {
    const moved = this.#gone.get(ino);
    if (moved?.kind !== kind) return undefined;
    this.#gone.delete(ino);
    return moved;
  }

  /** Of a file that is only appended to, the first block that can differ; else 0. */
  #firstToRead(path: string, { ino, size }: Stats, before: KnownFile | undefined): number {
    const isLog = before !== undefined && path.endsWith(".jsonl") && ino === before.inode;
    if (!isLog || size < before.size) return 0;
    const last = Math.floor(before.size / blockBytes);
    const tail = before.size - last * blockBytes;
    if (tail === 0) return last;
    const bytes = this.#readFrom(path, last)?.content.subarray(0, tail);
    return bytes !== undefined && toHash(bytes) === before.hashes[last] ? last : 0;
  }

  #readFrom(path: string, from: number): Content | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(join(this.#home, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      // What cannot be read cannot be kept; a command may have made it so.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return undefined;
    }
    try {
      const start = from * blockBytes;
      const parts: Buffer[] = [];
      for (let at = start; at < this.#largestFile + start; ) {
        const part = Buffer.alloc(at === start ? 2 * blockBytes : 64 * blockBytes);
        const read = readSync(descriptor, part, 0, part.length, at);
        if (read === 0) break;
        parts.push(part.subarray(0, read));
        at += read;
      }
      return { content: Buffer.concat(parts), from };
    } finally {
      closeSync(descriptor);
    }
  }

  #store(
    now: Omit<KnownFile, "file" | "hashes">,
    before: KnownFile | undefined,
    blocks: Array<{ no: number; bytes: Buffer }>,
    from = 0,
  ): void {
    const file = before?.file ?? this.#next++;
    const hashes = before?.hashes.slice(0, from) ?? [];
    for (const { no, bytes } of blocks) {
      const digest = toHash(bytes);
      hashes[no] = digest;
      if (before?.hashes[no] !== digest) this.#change.blocks.push({ file, no, bytes });
    }
    if (before !== undefined && before.hashes.length > hashes.length)
      this.#change.cuts.push({ file, no: hashes.length });
    const { path, kind, mode, size } = now;
    const isSameRow =
      before?.path === path && before.kind === kind && before.mode === mode && before.size === size;
    if (!isSameRow) this.#change.files.push({ file, path, kind, mode, size });
    this.know({ ...now, file, hashes });
  }

  #look(path: string): Stats | undefined {
    return ifThere(() => lstatSync(join(this.#home, path), { throwIfNoEntry: false }));
  }
}

/** As much as there is: a read may give less than was asked for. */
async function readPiece(handle: FileHandle, from: number): Promise<Buffer> {
  const piece = Buffer.alloc(pieceBytes);
  let length = 0;
  while (length < piece.length) {
    const { bytesRead } = await handle.read(piece, length, piece.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return piece.subarray(0, length);
}

/** A command may remove what is looked at. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function kindOf(status: Stats): number | undefined {
  if (status.isFile()) return kinds.file;
  if (status.isDirectory()) return kinds.folder;
  return status.isSymbolicLink() ? kinds.link : undefined;
}

export function* toBlocks(bytes: Buffer, from: number): Generator<{ no: number; bytes: Buffer }> {
  for (let at = 0, no = from; at < bytes.length; at += blockBytes, no++)
    yield { no, bytes: bytes.subarray(at, at + blockBytes) };
}

export function toHash(bytes: Buffer): string {
  return hash("sha256", bytes, "base64").slice(0, 24);
}

/** One after the other, as one. */
export function joinChanges(earlier: TreeChange, later: TreeChange): TreeChange {
  const removed = new Set(later.removed);
  const cuts = new Map(later.cuts.map(({ file, no }) => [file, no]));
  const toPlace = ({ file, no }: { file: number; no: number }) => `${file} ${no}`;
  const written = new Set(later.blocks.map(toPlace));
  const named = new Set(later.files.map(({ file }) => file));
  return {
    files: [...earlier.files.filter(({ file }) => !removed.has(file) && !named.has(file)), ...later.files],
    removed: [...new Set([...earlier.removed, ...removed])],
    cuts: [...earlier.cuts, ...later.cuts],
    blocks: [
      ...earlier.blocks.filter(
        (block) =>
          !removed.has(block.file) &&
          block.no < (cuts.get(block.file) ?? Number.POSITIVE_INFINITY) &&
          !written.has(toPlace(block)),
      ),
      ...later.blocks,
    ],
  };
}
