// Files of messages: those that come over the socket in pieces, each person's apart, where the same piece may come again;
// and those that the owner names on this machine.
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { fail } from "../../i18n/user-error.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { makeFolder, moveFile, removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { withFile } from "../files/with-file.ts";
import type { HomePaths } from "../home.ts";
import { scopeOf } from "../scope.ts";
import { mediaOf } from "../scope-folders.ts";

/** Whose files they are. */
type Viewer = Pick<Origin, "person" | "role">;

export interface FilePiece {
  fileId: string;
  name: string;
  offset: number;
  data: Buffer;
  isLast: boolean;
}

const megabyte = 1024 * 1024;
const largestFile = 50 * megabyte;
/** Of one person. */
const mostFiles = 5_000;
const mostUnfinished = 20;
/** Of one guest, beyond which nothing more is begun. */
const mostBytes = 500 * megabyte;
const unfinishedMs = 86_400_000;

export class PutFiles {
  readonly #paths: HomePaths;
  readonly #workspace: string;
  readonly #now: () => number;
  readonly #lock = new KeyedLock();

  constructor({ paths, workspace, now }: { paths: HomePaths; workspace: string; now(): number }) {
    this.#paths = paths;
    this.#workspace = workspace;
    this.#now = now;
  }

  /** How much of it is there. */
  put({ fileId, name, offset, data, isLast }: FilePiece, viewer: Viewer): Promise<number> {
    const folder = this.#folderOf(viewer);
    const part = join(folder, `${fileId}.part`);
    return this.#lock.run(part, async () => {
      const done = await findFile(folder, fileId);
      if (done !== undefined) return (await stat(done)).size;
      const size = (await stat(part).catch(ignoreMissing))?.size ?? 0;
      if (offset > size) throw fail("upload.piece-missing");
      if (offset + data.length > largestFile)
        throw fail("upload.too-large", { megabytes: largestFile / megabyte });
      await makeFolder(folder);
      if (size === 0) await this.#makeRoom(folder, viewer);
      await withFile(part, size === 0 && offset === 0 ? "w" : "r+", async (file) => {
        await file.write(data, 0, data.length, offset);
        if (isLast) await file.sync();
      });
      if (isLast) await moveFile(part, join(folder, `${fileId}__${toSafeName(name)}`));
      return offset + data.length;
    });
  }

  /** Those that were put, and those that the owner names. */
  async findAll(
    { files = [], paths: named = [] }: { files?: string[]; paths?: string[] },
    viewer: Viewer,
  ): Promise<string[]> {
    if (named.length > 0 && viewer.role !== "owner") throw fail("request.owner-only");
    const folders = await Promise.all([this.#workspace, this.#paths.media].map(resolveLinks));
    for (const path of named) {
      const real = await resolveLinks(path);
      const isInside = folders.some((folder) => folder && real && !relative(folder, real).startsWith(".."));
      if (!isInside) throw fail("upload.gone");
    }
    return [...(await this.find(files, viewer)), ...named];
  }

  /** Paths of files that are whole. */
  async find(fileIds: readonly string[], viewer: Viewer): Promise<string[]> {
    const folder = this.#folderOf(viewer);
    const paths = await Promise.all(fileIds.map((fileId) => findFile(folder, fileId)));
    return paths.map((path) => {
      if (path === undefined) throw fail("upload.gone");
      return path;
    });
  }

  /** One that is whole, with the name under which it is stored. */
  async read(fileId: string, viewer: Viewer): Promise<{ name: string; bytes: Buffer }> {
    const [path = ""] = await this.find([fileId], viewer);
    return { name: basename(path), bytes: await readFile(path) };
  }

  /** What was left half-way is dropped after a day. */
  async #makeRoom(folder: string, { role }: Viewer): Promise<void> {
    let [files, unfinished, bytes] = [0, 0, 0];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs = 0, size = 0 } = (await stat(path).catch(ignoreMissing)) ?? {};
      const isPart = name.endsWith(".part");
      const isLeft = isPart && mtimeMs < this.#now() - unfinishedMs;
      if (isLeft) await removeFile(path);
      else [files, unfinished, bytes] = [files + 1, unfinished + Number(isPart), bytes + size];
    }
    const isTooMuch = role !== "owner" && bytes > mostBytes;
    if (files >= mostFiles || unfinished >= mostUnfinished || isTooMuch) throw fail("upload.too-many");
  }

  #folderOf({ person, role }: Viewer): string {
    const folder = mediaOf(this.#paths, scopeOf({ person, role }));
    return role === "owner" ? this.#paths.webMedia : folder;
  }
}

async function resolveLinks(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    return undefined;
  });
}

async function findFile(folder: string, fileId: string): Promise<string | undefined> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const name = names.find((each) => each.startsWith(`${fileId}__`));
  return name && join(folder, name);
}

const longestName = 150;

/** The name is only for people. */
function toSafeName(name: string): string {
  const safe = basename(name.normalize("NFC"))
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^\.+/, "");
  // File systems count bytes, and the end says what it is.
  const end = Buffer.from(safe)
    .subarray(-longestName)
    .toString("utf8")
    .replace(/^\ufffd+/, "");
  return end || "file";
}
