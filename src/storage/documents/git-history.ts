// A line of snapshots in a git directory of its own: no index, no work tree, one branch. Every Git can read it. Knows
// nothing of memory. Each file of it is written in one step, so that a crash leaves no half objects.
import { existsSync, promises, statSync } from "node:fs";
import { join } from "node:path";
import type { ReadCommitResult } from "isomorphic-git";
import { type Clock, toLocalIso } from "../../lib/clock.ts";
import { makeFolder, moveFile, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { announceChange } from "../served-homes.ts";

type Git = typeof import("isomorphic-git");

export interface Snapshot {
  hash: string;
  parent: string | undefined;
  message: string;
  /** Milliseconds; Git keeps whole seconds. */
  at: number;
}

/** Paths with the hash of their content. */
export type FileHashes = Map<string, string>;

const branch = "refs/heads/main";
/** Written, but not yet counted: a commit is about to use it. */
const staged = "refs/nanobot/staged";
const author = { name: "nanobot", email: "nanobot@localhost" };

export class GitHistory {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #place: { fs: { promises: typeof promises }; gitdir: string };

  constructor(gitFolder: string, clock: Clock) {
    this.#folder = gitFolder;
    this.#clock = clock;
    const changes = { writeFile: writeFileAtomic, mkdir: makeOneFolder, unlink: removeFile, rm: removeFile };
    this.#place = { fs: { promises: { ...promises, ...changes } as typeof promises }, gitdir: gitFolder };
  }

  /** Newest first. */
  async list(most: number): Promise<Snapshot[]> {
    const git = await loadGit();
    if ((await this.#readHead(git)) === undefined) return [];
    return (await git.log({ ...this.#place, ref: branch, depth: most })).map(toSnapshot);
  }

  async readStaged(): Promise<Snapshot | undefined> {
    if (!existsSync(join(this.#folder, staged))) return undefined;
    const git = await loadGit();
    const oid = await git.resolveRef({ ...this.#place, ref: staged });
    return toSnapshot(await git.readCommit({ ...this.#place, oid }));
  }

  async readFiles(hash: string | undefined): Promise<FileHashes> {
    const files: FileHashes = new Map();
    const git = await loadGit();
    const folders = hash === undefined ? [] : [{ oid: hash, prefix: "" }];
    for (const { oid, prefix } of folders) {
      const { tree } = await git.readTree({ ...this.#place, oid });
      for (const { path, oid: inner, type } of tree) {
        if (type === "tree") folders.push({ oid: inner, prefix: `${prefix}${path}/` });
        else files.set(`${prefix}${path}`, inner);
      }
    }
    return files;
  }

  async readContent(hash: string): Promise<Buffer> {
    const { blob } = await (await loadGit()).readBlob({ ...this.#place, oid: hash });
    return Buffer.from(blob);
  }

  async writeContent(content: Uint8Array): Promise<string> {
    return (await loadGit()).writeBlob({ ...this.#place, blob: content });
  }

  /** It counts once it is published. */
  async stage(files: FileHashes, message: string): Promise<Snapshot> {
    const git = await loadGit();
    const parent = await this.#readHead(git);
    const tree = await this.#writeFolder(git, [...files]);
    const timestamp = Math.floor(this.#clock.now() / 1_000);
    const who = { ...author, timestamp, timezoneOffset: new Date(timestamp * 1_000).getTimezoneOffset() };
    const parents = parent === undefined ? [] : [parent];
    const commit = { message, tree, parent: parents, author: who, committer: who };
    const hash = await git.writeCommit({ ...this.#place, commit });
    await git.writeRef({ ...this.#place, ref: staged, value: hash, force: true });
    return { hash, parent, message, at: timestamp * 1_000 };
  }

  async publish({ hash }: Snapshot): Promise<void> {
    const git = await loadGit();
    await git.writeRef({ ...this.#place, ref: branch, value: hash, force: true });
    await git.deleteRef({ ...this.#place, ref: staged });
  }

  /** One that is there and whole stays as it is. */
  async begin(): Promise<void> {
    const git = await loadGit();
    await makeFolder(this.#folder);
    await git.init({ ...this.#place, bare: true, defaultBranch: "main" });
    const [path, head] = [join(this.#folder, "HEAD"), `ref: ${branch}\n`];
    // A crash may have come between the two files that make it one.
    if ((await promises.readFile(path, "utf8").catch(ignoreMissing)) !== head)
      await writeFileAtomic(path, head);
  }

  /** Under another name, which it returns. */
  async setAside(): Promise<string> {
    const time = toLocalIso(this.#clock.now()).replaceAll(/[-:.]/g, "");
    const path = `${this.#folder}.damaged-${time}`;
    await moveFile(this.#folder, path);
    return path;
  }

  async #readHead(git: Git): Promise<string | undefined> {
    // A file in its place would be taken for a pointer to another git directory.
    if (statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw Object.assign(new Error(`${this.#folder} is no folder`), { code: "ENOTDIR" });
    try {
      return await git.resolveRef({ ...this.#place, ref: branch });
    } catch (error) {
      const isNew = error instanceof git.Errors.NotFoundError && !existsSync(join(this.#folder, branch));
      if (isNew) return undefined;
      throw error;
    }
  }

  async #writeFolder(git: Git, files: Array<[path: string, hash: string]>): Promise<string> {
    const byFolder = Map.groupBy(files, ([path]) => /^[^/]+(?=\/)/.exec(path)?.[0] ?? "");
    const tree = [];
    for (const [folder, inside] of byFolder) {
      if (folder === "") {
        for (const [path, oid] of inside) tree.push({ mode: "100644", path, oid, type: "blob" as const });
        continue;
      }
      const below = inside.map(([path, hash]): [string, string] => [path.slice(folder.length + 1), hash]);
      const oid = await this.#writeFolder(git, below);
      tree.push({ mode: "040000", path: folder, oid, type: "tree" as const });
    }
    return git.writeTree({ ...this.#place, tree });
  }
}

function toSnapshot({ oid: hash, commit }: ReadCommitResult): Snapshot {
  const { parent, message, author: who } = commit;
  return { hash, parent: parent[0], message, at: who.timestamp * 1_000 };
}

/** What isomorphic-git says of objects and names that are gone, torn or not what they should be. */
export function isDamage(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["EISDIR", "ENOTDIR", "EEXIST"].includes(code)) return true;
  return error instanceof Error && "caller" in error && !/^E[A-Z]+$/.test(code);
}

function loadGit(): Promise<Git> {
  return import("isomorphic-git");
}

/** As Git's library expects it: it makes the folders above when they are missing. */
async function makeOneFolder(path: string): Promise<void> {
  await promises.mkdir(path, 0o700);
  announceChange(path);
}
