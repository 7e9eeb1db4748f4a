// Looks at the repositories of a folder before and after a command: what is new or changed in them and could make git run
// or read something is set aside, so that a person's own `git status` never runs what a command has planted.
import { chmodSync, closeSync, constants, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { lookAt, takeStamp } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { type GitFile, isHarmless, listGitFiles } from "./git-files.ts";

export interface GitWatch {
  /** When the command is over, with all that it started. The paths of what was set aside. */
  end(): Promise<string[]>;
}

interface Known {
  stamp: string;
  mode: number;
  /** Undefined for what is too large to be put back, or no file. */
  content: Buffer | undefined;
}

interface Watched {
  /** As it was when nothing ran here. */
  known: Map<string, Known>;
  commands: number;
}

const largestKept = 256 * 1024;

export class GitGuard {
  /** By folder: commands that run at the same time have one state of before. */
  readonly #watched = new Map<string, Promise<Watched>>();

  async begin(roots: readonly string[]): Promise<GitWatch> {
    const watched = await Promise.all(roots.map(async (root) => ({ root, state: await this.#enter(root) })));
    return {
      end: async () => (await Promise.all(watched.map(({ root, state }) => this.#leave(root, state)))).flat(),
    };
  }

  async #enter(root: string): Promise<Watched> {
    const state = this.#watched.get(root) ?? look(root);
    this.#watched.set(root, state);
    const watched = await state;
    watched.commands += 1;
    return watched;
  }

  async #leave(root: string, state: Watched): Promise<string[]> {
    const aside: string[] = [];
    // What is put back may lead to further files.
    for (const file of await listGitFiles(root)) {
      if (state.known.get(file.path)?.stamp === stampOf(file.path)) continue;
      if (isHarmless(file, root)) state.known.set(file.path, take(file));
      else aside.push(setAside(file, state.known.get(file.path)));
    }
    state.commands -= 1;
    if (state.commands === 0) this.#watched.delete(root);
    return aside;
  }
}

async function look(root: string): Promise<Watched> {
  const files = await listGitFiles(root);
  return { known: new Map(files.map((file) => [file.path, take(file)])), commands: 0 };
}

function take({ path }: GitFile): Known {
  const status = lookAt(path);
  const isKept = status?.isFile() === true && status.size <= largestKept;
  return { stamp: stampOf(path), mode: status?.mode ?? 0, content: isKept ? readFileSync(path) : undefined };
}

/** Of the last change of any kind, which no program can set back. */
function stampOf(path: string): string {
  return String(takeStamp(path));
}

/** The new name is one that git does not read. What was there before is put back. */
function setAside({ path }: GitFile, before: Known | undefined): string {
  let name = `${path}.set-aside`;
  for (let number = 2; lookAt(name) !== undefined; number++) name = `${path}.set-aside-${number}`;
  try {
    renameSync(path, name);
    if (before?.content !== undefined) putBack(path, before.content, before.mode);
  } catch (error) {
    // Gone meanwhile.
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return path;
}

function putBack(path: string, content: Buffer, mode: number): void {
  const file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
  chmodSync(path, mode & 0o777);
}
