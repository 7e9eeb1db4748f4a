// What did this command change? Looked at before and after: what was created, changed, removed or renamed below a folder,
// with what was there before as far as it could be kept. Knows no command.
import { dirname, join } from "node:path";
import { BeforeCopies, type CopyLimits } from "./before-copies.ts";
import {
  createPause,
  identityOf,
  isSameLook,
  lookAtFile,
  type ScanOptions,
  scanTree,
  type TreeLook,
} from "./tree-scan.ts";

export interface FileChange {
  kind: "created" | "changed" | "removed" | "renamed";
  /** From the root, with `/`; the new one of a file that was renamed. */
  path: string;
  /** Of a file that was renamed: its old path. */
  from?: string;
  /** As it was before; nothing of one that was created. */
  mode?: number;
  /** False for links and the like, which are never put back. */
  isFile: boolean;
  /** What was in it. Undefined: beyond the bound, so that it cannot be put back. */
  readBefore?(): Promise<Buffer | undefined>;
}

export interface Changes {
  root: string;
  /** What was removed first, each by its path: the same for the same changes. */
  list: FileChange[];
  /** From the root, with `/`: those that were made. */
  newFolders: string[];
  /** From the root, with `/`: folders of tools, such as node_modules, that are new or changed. */
  skipped: string[];
  /** Absolute paths of everything that is not as it was. */
  paths: string[];
  /** There are more files than are looked at. */
  isPartial: boolean;
  /** Another command ran in the same folder, so that nobody can tell whose changes these are. */
  isShared: boolean;
}

export interface CommandWatch {
  /** Once, when the command is over. */
  end(): Promise<Changes>;
}

export interface CommandChangesOptions extends ScanOptions {
  /** Where copies are kept while the process runs. */
  folder: string;
  limits?: CopyLimits;
  /** Of what a command changed, for those who ship it elsewhere. */
  onChanged?(paths: readonly string[]): void;
}

interface Running {
  root: string;
  /** Written by others meanwhile, who remember it themselves. */
  byOthers: Set<string>;
  isShared: boolean;
}

export class CommandChanges {
  readonly #options: CommandChangesOptions;
  readonly #copies: BeforeCopies;
  readonly #running = new Set<Running>();

  constructor(options: CommandChangesOptions) {
    this.#options = options;
    this.#copies = new BeforeCopies(options.folder, options.limits);
  }

  /** Before a command runs. `isKept` says what is worth a copy. */
  async begin(root: string, isKept: (path: string) => boolean = () => true): Promise<CommandWatch> {
    const running: Running = { root, byOthers: new Set(), isShared: false };
    for (const other of this.#running) if (other.root === root) other.isShared = running.isShared = true;
    this.#running.add(running);
    try {
      const before = await scanTree(root, this.#options);
      await this.#copies.take(before, isKept);
      return { end: () => this.#end(running, before) };
    } catch (error) {
      this.#running.delete(running);
      throw error;
    }
  }

  /** A file was written by one of ours, not by a command. */
  noteWrite(path: string): void {
    for (const { byOthers } of this.#running) byOthers.add(path);
  }

  close(): Promise<void> {
    return this.#copies.close();
  }

  async #end(running: Running, before: TreeLook): Promise<Changes> {
    const after = await scanTree(before.root, this.#options).finally(() => this.#running.delete(running));
    const { root } = before;
    const isOurs = (path: string) => !running.byOthers.has(join(root, path));
    const list = (await compare(before, after))
      .filter(({ path }) => isOurs(path))
      .map((change) => this.#withCopy(change, before));
    const paths = list.flatMap(({ path, from }) => [path, from ?? []].flat().map((name) => join(root, name)));
    if (paths.length > 0) this.#options.onChanged?.(paths);
    const isPartial = !before.isWhole || !after.isWhole;
    const newFolders = [...after.folders]
      .filter((path) => !before.folders.has(path) && wasListed(path, before))
      .toSorted();
    const skipped = [...after.skipped].flatMap(([path, at]) =>
      before.skipped.get(path) === at ? [] : [path],
    );
    return { root, list, newFolders, skipped, paths, isPartial, isShared: running.isShared };
  }

  #withCopy(change: FileChange, { root, files }: TreeLook): FileChange {
    const look = files.get(change.path);
    if (look === undefined || change.kind === "created" || change.kind === "renamed") return change;
    return {
      ...change,
      mode: look.mode,
      readBefore: () => this.#copies.read(join(root, change.path), look),
    };
  }
}

async function compare(before: TreeLook, after: TreeLook): Promise<FileChange[]> {
  const pause = createPause();
  const list: FileChange[] = [];
  const gone = new Map<string, string[]>();
  for (const [path, look] of before.files) {
    if (after.files.has(path) || isThere(join(before.root, path))) continue;
    const identity = identityOf(look);
    gone.set(identity, [...(gone.get(identity) ?? []), path]);
    await pause();
  }
  for (const [path, look] of after.files) {
    const { isFile } = look;
    const old = before.files.get(path);
    if (old !== undefined) {
      if (!isSameLook(old, look)) list.push({ kind: "changed", path, isFile: isFile && old.isFile });
    } else if (wasListed(path, before)) {
      const from = isFile ? gone.get(identityOf(look))?.pop() : undefined;
      list.push(
        from === undefined ? { kind: "created", path, isFile } : { kind: "renamed", path, from, isFile },
      );
    }
    await pause();
  }
  const removed = [...gone.values()]
    .flat()
    .map((path): FileChange => ({ kind: "removed", path, isFile: before.files.get(path)?.isFile === true }));
  return [...removed.toSorted(byPath), ...list.toSorted(byPath)];
}

function byPath({ path: a }: FileChange, { path: b }: FileChange): number {
  return a < b ? -1 : 1;
}

/** A folder may have taken the name of a file. */
function isThere(path: string): boolean {
  return lookAtFile(path)?.isFolder === false;
}

/** What lies beyond what was looked at before may have been there all the time. */
function wasListed(path: string, { folders, isWhole }: TreeLook): boolean {
  if (isWhole) return true;
  const folder = dirname(path);
  return folders.has(folder === "." ? "" : folder);
}
