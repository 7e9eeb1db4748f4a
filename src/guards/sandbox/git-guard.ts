// Looks at the repositories of a folder before and after a command: what is new or changed in them and could make git run
// or read something is set aside, so that a person's own `git status` never runs what a command has planted. What a command
// of a killed process left is looked at by the next start.
import { chmodSync, closeSync, constants, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { lookAt, takeStamp } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { type GitFile, isHarmless, listGitFiles, usualFolders } from "./git-files.ts";
import { type LeftRecord, listLeftRecords, RunRecord } from "./run-records.ts";
import { clearSetIds } from "./set-ids.ts";

export interface GitWatch {
  /** Called when the command and everything it started are over. Returns the paths that were set aside. */
  end(): Promise<string[]>;
}

interface Known {
  stamp: string;
  mode: number;
  /** Undefined if it is too large to be restored, or not a file. */
  content?: Buffer;
}

interface Watched {
  /** As it was when nothing ran here. */
  known: Map<string, Known>;
  /** Whether that is all of it: then all of it is looked at afterwards, too. */
  isWhole: boolean;
  since: number;
  commands: number;
}

const largestKept = 256 * 1024;
/** In folders that were looked at as a whole before: a command may hide something behind thousands of new ones. */
const mostFolders = 2_000_000;
/** A file system's clock may be this much behind. */
const coarseMs = 20;

const recordKind = "commands";
const recordSchema = z.object({
  root: z.string(),
  isWhole: z.boolean(),
  since: z.number(),
  known: z.array(
    z.object({ path: z.string(), stamp: z.string(), mode: z.number(), content: z.base64().optional() }),
  ),
});

export class GitGuard {
  /** By folder: commands that run at the same time have one state of before. */
  readonly #watched = new Map<string, Promise<Watched>>();
  readonly #folder: string | undefined;
  readonly #records = new Map<string, RunRecord>();
  /** Of commands of processes that were killed. */
  readonly #left: Promise<string[]>;
  #isLeftReported = false;

  /** `folder` holds notes of commands that run; without one a killed process leaves none. */
  constructor(folder?: string) {
    this.#folder = folder;
    this.#left = this.#finish(folder === undefined ? [] : listLeftRecords(folder, recordKind));
  }

  /** Paths of what was set aside after commands that were cut off by the end of an earlier process. */
  finishLeft(): Promise<string[]> {
    return this.#left;
  }

  async begin(roots: readonly string[]): Promise<GitWatch> {
    await this.#left;
    const watched = await Promise.all(roots.map(async (root) => ({ root, state: await this.#enter(root) })));
    return {
      end: async () => {
        const aside = await Promise.all(watched.map(({ root, state }) => this.#leave(root, state)));
        return [...(await this.#tellLeft()), ...aside.flat()];
      },
    };
  }

  async #enter(root: string): Promise<Watched> {
    const state = this.#watched.get(root) ?? this.#look(root);
    this.#watched.set(root, state);
    const watched = await state;
    watched.commands += 1;
    return watched;
  }

  async #look(root: string): Promise<Watched> {
    const since = Date.now() - coarseMs;
    const { files, isWhole } = await listGitFiles(root);
    const known = new Map(files.map((file) => [file.path, take(file)]));
    this.#recordFor(root)?.write(toRecord(root, { known, isWhole, since }));
    return { known, isWhole, since, commands: 0 };
  }

  async #leave(root: string, state: Watched): Promise<string[]> {
    const aside = await check(root, state);
    state.commands -= 1;
    if (state.commands > 0) return aside;
    this.#watched.delete(root);
    this.#records.get(root)?.write(undefined);
    return aside;
  }

  /** With the first command that follows. */
  async #tellLeft(): Promise<string[]> {
    const left = this.#isLeftReported ? [] : await this.#left;
    this.#isLeftReported = true;
    return left;
  }

  #recordFor(root: string): RunRecord | undefined {
    if (this.#folder === undefined) return undefined;
    const record = this.#records.get(root) ?? new RunRecord(this.#folder, recordKind);
    this.#records.set(root, record);
    return record;
  }

  async #finish(left: readonly LeftRecord[]): Promise<string[]> {
    const aside: string[] = [];
    for (const { value, remove } of left) {
      const { data } = recordSchema.safeParse(value);
      if (data !== undefined) aside.push(...(await check(data.root, fromRecord(data))));
      remove();
    }
    return aside;
  }
}

type Before = Pick<Watched, "known" | "isWhole" | "since">;

/** Restored files may lead to further files. */
async function check(root: string, { known, isWhole, since }: Before): Promise<string[]> {
  const aside: string[] = [];
  const most = isWhole ? mostFolders : usualFolders;
  const { files } = await listGitFiles(root, most, (path) => clearSetIds(path, since));
  for (const file of files) {
    if (known.get(file.path)?.stamp === stampOf(file.path)) continue;
    if (isHarmless(file, root)) known.set(file.path, take(file));
    else aside.push(setAside(file, known.get(file.path)));
  }
  return aside;
}

function toRecord(root: string, { known, isWhole, since }: Before): z.input<typeof recordSchema> {
  return {
    root,
    isWhole,
    since,
    known: [...known].map(([path, { content, ...rest }]) => ({
      path,
      ...rest,
      ...(content !== undefined && { content: content.toString("base64") }),
    })),
  };
}

function fromRecord({ known, isWhole, since }: z.output<typeof recordSchema>): Before {
  return {
    isWhole,
    since,
    known: new Map(
      known.map(({ path, content, ...rest }) => [
        path,
        { ...rest, ...(content !== undefined && { content: Buffer.from(content, "base64") }) },
      ]),
    ),
  };
}

function take({ path }: GitFile): Known {
  const status = lookAt(path);
  const isKept = status?.isFile() === true && status.size <= largestKept;
  return { stamp: stampOf(path), mode: status?.mode ?? 0, ...(isKept && { content: readFileSync(path) }) };
}

/** Of the last change of any kind, which no program can set back. */
function stampOf(path: string): string {
  return String(takeStamp(path));
}

/** The new name is one that git does not read. The earlier content is restored. */
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
