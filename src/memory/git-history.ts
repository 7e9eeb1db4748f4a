// A line of snapshots in a git directory of its own: no index, no work tree, no branches. Every Git can read it. Knows
// nothing of memory. Each file of it is written in one step, so that a crash leaves no half objects.
import { promises } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";

type Git = typeof import("isomorphic-git");
type Place = { fs: typeof fileSystem; gitdir: string };

export interface Snapshot {
  hash: string;
  parent: string | undefined;
  message: string;
  /** Milliseconds; Git keeps whole seconds. */
  at: number;
}

/** Paths with the hash of their content. */
export type FileHashes = Map<string, string>;

interface Folder {
  [name: string]: string | Folder;
}

const branch = "refs/heads/main";
const author = { name: "nanobot", email: "nanobot@localhost" };
const fileSystem = { promises: { ...promises, writeFile: writeFileAtomic } };

export class GitHistory {
  readonly #place: Place;
  readonly #clock: Clock;

  constructor(gitFolder: string, clock: Clock) {
    this.#place = { fs: fileSystem, gitdir: gitFolder };
    this.#clock = clock;
  }

  /** Newest first. */
  async list(most: number): Promise<Snapshot[]> {
    const git = await loadGit();
    if ((await this.#readHead(git)) === undefined) return [];
    const commits = await git.log({ ...this.#place, ref: branch, depth: most });
    return commits.map(({ oid, commit }) => ({
      hash: oid,
      parent: commit.parent[0],
      message: commit.message,
      at: commit.author.timestamp * 1_000,
    }));
  }

  async readFiles(hash: string | undefined): Promise<FileHashes> {
    const files: FileHashes = new Map();
    if (hash === undefined) return files;
    const git = await loadGit();
    const folders = [{ oid: hash, prefix: "" }];
    for (const { oid, prefix } of folders) {
      const { tree } = await git.readTree({ ...this.#place, oid });
      for (const entry of tree) {
        const path = `${prefix}${entry.path}`;
        if (entry.type === "tree") folders.push({ oid: entry.oid, prefix: `${path}/` });
        else files.set(path, entry.oid);
      }
    }
    return files;
  }

  async readContent(hash: string): Promise<Uint8Array> {
    const { blob } = await (await loadGit()).readBlob({ ...this.#place, oid: hash });
    return blob;
  }

  async writeContent(content: Uint8Array): Promise<string> {
    return (await loadGit()).writeBlob({ ...this.#place, blob: content });
  }

  async write(files: FileHashes, message: string): Promise<Snapshot> {
    const git = await loadGit();
    const parent = await this.#readHead(git);
    const tree = await this.#writeFolder(git, toFolder(files));
    const seconds = Math.floor(this.#clock.now() / 1_000);
    const timezoneOffset = new Date(seconds * 1_000).getTimezoneOffset();
    const who = { ...author, timestamp: seconds, timezoneOffset };
    const commit = {
      message,
      tree,
      parent: parent === undefined ? [] : [parent],
      author: who,
      committer: who,
    };
    const hash = await git.writeCommit({ ...this.#place, commit });
    await git.writeRef({ ...this.#place, ref: branch, value: hash, force: true });
    return { hash, parent, message, at: seconds * 1_000 };
  }

  /** An own git directory that is there and whole stays as it is. */
  async begin(): Promise<void> {
    const git = await loadGit();
    await git.init({ ...this.#place, bare: true, defaultBranch: "main" });
    // A crash may have come between the two files that make it one.
    const head = join(this.#place.gitdir, "HEAD");
    await promises.access(head).catch(() => writeFileAtomic(head, `ref: ${branch}\n`));
  }

  /** Under another name, which it returns. */
  async setAside(): Promise<string> {
    const time = toLocalIso(this.#clock.now()).slice(0, 19).replaceAll(":", "");
    const path = `${this.#place.gitdir}.damaged-${time}`;
    await rename(this.#place.gitdir, path);
    return path;
  }

  async #readHead(git: Git): Promise<string | undefined> {
    try {
      return await git.resolveRef({ ...this.#place, ref: branch });
    } catch (error) {
      if (error instanceof git.Errors.NotFoundError) return undefined;
      throw error;
    }
  }

  async #writeFolder(git: Git, folder: Folder): Promise<string> {
    const tree = [];
    for (const [path, value] of Object.entries(folder)) {
      const isFile = typeof value === "string";
      const oid = isFile ? value : await this.#writeFolder(git, value);
      const type = isFile ? ("blob" as const) : ("tree" as const);
      tree.push({ path, oid, type, mode: isFile ? "100644" : "040000" });
    }
    return git.writeTree({ ...this.#place, tree });
  }
}

function loadGit(): Promise<Git> {
  return import("isomorphic-git");
}

function toFolder(files: FileHashes): Folder {
  const root: Folder = Object.create(null);
  for (const [path, hash] of files) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) {
      const inner = folder[part] ?? Object.create(null);
      // A file stood where there is a folder now.
      folder[part] = typeof inner === "string" ? Object.create(null) : inner;
      folder = folder[part] as Folder;
    }
    folder[name] = hash;
  }
  return root;
}
