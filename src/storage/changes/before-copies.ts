// Copies of small files, taken before a command runs, in one file of the home that is gone with this process. A file that
// did not change since its last copy is not copied again. Bounded in number and bytes; the smallest come first.
import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "../files/make-folders.ts";
import { openVerified } from "../files/verified-open.ts";
import { createPause, type FileLook, isSameLook, type TreeLook } from "./tree-scan.ts";

interface Copy {
  look: FileLook;
  offset: number;
  /** What is read there later must still be this copy, and whole. */
  hash: string;
}

export interface CopyLimits {
  files: number;
  bytes: number;
  largest: number;
}

const copyLimits: CopyLimits = {
  files: 4_000,
  bytes: 64 * 1024 * 1024,
  largest: 2 * 1024 * 1024,
};

export class BeforeCopies {
  readonly #folder: string;
  readonly #limits: CopyLimits;
  #file: Promise<FileHandle> | undefined;
  #end = 0;
  #copies = new Map<string, Copy>();

  constructor(folder: string, limits: CopyLimits = copyLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Copies what is not copied yet. */
  async take({ root, files }: TreeLook, isWanted: (path: string) => boolean): Promise<void> {
    if (this.#end > 2 * this.#limits.bytes || this.#copies.size > 2 * this.#limits.files) this.#forget();
    const pause = createPause();
    let { files: number, bytes } = this.#limits;
    const small = [...files].filter(([, look]) => look.isFile && look.size <= this.#limits.largest);
    await pause();
    for (const [name, look] of small.sort(([, a], [, b]) => a.size - b.size)) {
      number -= 1;
      bytes -= look.size;
      if (number < 0 || bytes < 0) break;
      const path = join(root, name);
      if (!isSame(this.#copies.get(path)?.look, look) && isWanted(name)) await this.#copy(path, look);
      await pause();
    }
  }

  /** What was in a file when it looked like this; undefined where there is no copy. */
  async read(path: string, look: FileLook): Promise<Buffer | undefined> {
    const copy = this.#copies.get(path);
    if (copy === undefined || !isSame(copy.look, look)) return undefined;
    const bytes = Buffer.alloc(look.size);
    const { bytesRead } = await (await this.#open()).read(bytes, 0, look.size, copy.offset);
    return bytesRead === look.size && hashOf(bytes) === copy.hash ? bytes : undefined;
  }

  async close(): Promise<void> {
    await (await this.#file)?.close();
    this.#file = undefined;
    this.#forget();
  }

  async #copy(path: string, look: FileLook): Promise<void> {
    const bytes = await readAsSeen(path, look);
    if (bytes === undefined) return;
    const offset = this.#end;
    this.#end += bytes.length;
    try {
      await (await this.#open()).write(bytes, 0, bytes.length, offset);
    } catch (error) {
      // Without room for a copy the command runs all the same, and cannot be undone.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      this.#file = undefined;
      this.#forget();
      return;
    }
    this.#copies.set(path, { look, offset, hash: hashOf(bytes) });
  }

  #forget(): void {
    this.#copies = new Map();
    this.#end = 0;
  }

  /** Without a name it is gone whenever this process is. */
  #open(): Promise<FileHandle> {
    this.#file ??= (async () => {
      makeFolders(this.#folder, 0o700);
      const path = join(this.#folder, "before");
      await rm(path, { force: true });
      const file = await open(path, "wx+", 0o600);
      if (process.platform !== "win32") await rm(path, { force: true });
      return file;
    })();
    return this.#file;
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Undefined where something else is there by now. */
async function readAsSeen(path: string, look: FileLook): Promise<Buffer | undefined> {
  try {
    const handle = await openVerified(path);
    try {
      const status = await handle?.stat();
      if (status?.isFile() !== true || status.ctimeMs !== look.changedAt || status.size !== look.size)
        return undefined;
      const bytes = await handle?.readFile();
      return bytes?.length === look.size ? bytes : undefined;
    } finally {
      await handle?.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function isSame(a: FileLook | undefined, b: FileLook): boolean {
  return a !== undefined && isSameLook(a, b);
}
