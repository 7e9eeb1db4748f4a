// The only way to files for every tool: resolves what a model names, refuses what the person behind the turn may not
// touch, and opens or replaces exactly what was resolved. Knows no tool.
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { toOneLine } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";
import { makeFolder, writeFileAtomic } from "../../storage/files/change-files.ts";
import { type HeldFolder, holdFolder, openVerified } from "../../storage/files/verified-open.ts";
import { codeOf, FileError, toFileError, toMissingError } from "./file-error.ts";
import {
  createPathResolver,
  type FileRootsOptions,
  type PathResolver,
  statIfThere,
  toSpecialError,
} from "./path-resolver.ts";
import { isInside } from "./real-path.ts";

export interface OpenedFile {
  handle: FileHandle;
  path: string;
  /** The path for the model: relative to the workspace where it can be. */
  shown: string;
  size: number;
}

export interface OpenedFolder extends HeldFolder {
  /** For showing and joining; `path` is the way into the folder. */
  realPath: string;
  shown: string;
}

/** Undefined: the file does not exist yet. */
export type FileChange = (current: Buffer | undefined) => Promise<string | Uint8Array>;

/** Refusals are FileErrors that say what to do. Paths come from a model: relative, `~`, `file://`, hostile. */
export interface FileRoots {
  rootFor(origin: Origin): string;
  resolveRead(path: string, origin: Origin): Promise<string>;
  resolveWrite(path: string, origin: Origin): Promise<string>;
  /** Whether a file found at a real path, by walking or searching, may be shown. */
  mayRead(real: string, origin: Origin): Promise<boolean>;
  /** Whether a real path is among the assistant's own files: in its home, and not in the workspace. */
  isOwn(real: string): boolean;
  /** Whether the assistant's home is in a folder. */
  holdsHome(real: string): boolean;
  /** A resolved path as the model should see it. */
  display(path: string, origin: Origin): string;
  /** The caller closes the handle. */
  openForReading(path: string, origin: Origin): Promise<OpenedFile>;
  /** The caller closes it. */
  openFolder(path: string, origin: Origin): Promise<OpenedFolder>;
  /** Replaces the whole file in one step, making its folders; returns the resolved path. */
  writeInside(path: string, data: string | Uint8Array, origin: Origin): Promise<string>;
  /** Reads, changes and writes one file without another change of ours in between. */
  updateInside(path: string, origin: Origin, change: FileChange): Promise<string>;
}

const largestUpdate = 50 * 1024 * 1024;
const openAttempts = 3;
/** In the workspace; elsewhere others may be meant to read a new file, such as one of a web site. */
const ownModes = { file: 0o600, folder: 0o700 };
const outsideModes = { file: 0o644, folder: 0o755 };

export function createFileRoots(options: FileRootsOptions): FileRoots {
  const resolver = createPathResolver(options);
  const lock = new KeyedLock();
  const { rootFor, display, isOwn, holdsHome } = resolver;
  const resolveRead: FileRoots["resolveRead"] = (path, origin) => resolver.resolve(path, origin, "read");
  const resolveWrite: FileRoots["resolveWrite"] = (path, origin) => resolver.resolve(path, origin, "write");

  return {
    rootFor,
    display,
    isOwn,
    holdsHome,
    mayRead: (real, origin) => mayRead(resolver, real, origin),
    resolveRead,
    resolveWrite,
    openForReading: (path, origin) => openForReading(resolver, path, origin),
    async openFolder(path, origin) {
      // That of a guest or a group begins with its first use.
      await makeFolder(rootFor(origin));
      const [realPath, held] = await openResolved(path, () => resolveRead(path, origin), holdFolder);
      return { ...held, realPath, shown: display(realPath, origin) };
    },
    async writeInside(path, data, origin) {
      return lock.run(await resolveWrite(path, origin), () => replaceFile(resolver, path, origin, data));
    },
    async updateInside(path, origin, change) {
      const real = await resolveWrite(path, origin);
      return lock.run(real, async () => {
        const before = await identify(real);
        const isThere = before !== undefined;
        const current = isThere ? await readWhole(await openForReading(resolver, path, origin)) : undefined;
        const data = await change(current);
        if ((await identify(real)) !== before) throw new ToolError(changedMeanwhile(display(real, origin)));
        return replaceFile(resolver, path, origin, data);
      });
    },
  };
}

/** Resolves and opens; a path that was replaced in between is resolved again. */
async function openResolved<T>(
  path: string,
  resolve: () => Promise<string>,
  open: (real: string) => Promise<T | undefined>,
): Promise<[real: string, opened: T]> {
  const shown = toOneLine(path, 200);
  for (let attempt = 0; attempt < openAttempts; attempt++) {
    const real = await resolve();
    try {
      const opened = await open(real);
      if (opened !== undefined) return [real, opened];
    } catch (error) {
      throw codeOf(error) === "ENOENT" ? await toMissingError(real, shown) : toFileError(error, shown);
    }
  }
  throw new FileError(
    phrase("file.busy", { file: shown }),
    `${shown} was being replaced while it was opened. Try again.`,
  );
}

async function openForReading(resolver: PathResolver, path: string, origin: Origin): Promise<OpenedFile> {
  const [real, handle] = await openResolved(
    path,
    () => resolver.resolve(path, origin, "read"),
    (real) => openVerified(real),
  );
  const shown = resolver.display(real, origin);
  try {
    const status = await handle.stat({ bigint: true });
    if (status.isDirectory()) throw toFileError({ code: "EISDIR" }, shown);
    if (!status.isFile()) throw toSpecialError(shown);
    await resolver.checkNames(status, shown, origin);
    return { handle, path: real, shown, size: Number(status.size) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function mayRead(resolver: PathResolver, real: string, origin: Origin): Promise<boolean> {
  try {
    const status = await statIfThere(await resolver.resolve(real, origin, "read"));
    if (status?.isFile()) await resolver.checkNames(status, real, origin);
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

async function replaceFile(
  resolver: PathResolver,
  path: string,
  origin: Origin,
  data: string | Uint8Array,
): Promise<string> {
  const modesOf = (real: string) => (isInside(real, resolver.rootFor(origin)) ? ownModes : outsideModes);
  const [real, folder] = await openResolved(
    path,
    () => resolver.resolve(path, origin, "write"),
    async (real) => {
      await makeFolder(dirname(real), modesOf(real).folder);
      return holdFolder(dirname(real));
    },
  );
  try {
    // Committed with the result of the call.
    const options = { mode: modesOf(real).file, realPath: real, commits: false };
    await writeFileAtomic(join(folder.path, basename(real)), data, options);
  } catch (error) {
    throw toFileError(error, resolver.display(real, origin));
  } finally {
    await folder.close();
  }
  return real;
}

async function readWhole({ handle, shown, size }: OpenedFile): Promise<Buffer> {
  try {
    if (size > largestUpdate) throw new ToolError(`${shown} is too large to edit. Use exec, or split it.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Changes whenever the file does; undefined while there is none. */
async function identify(path: string): Promise<string | undefined> {
  const status = await statIfThere(path);
  return status && `${status.dev}:${status.ino}:${status.size}:${status.mtimeNs}:${status.ctimeNs}`;
}

function changedMeanwhile(shown: string): string {
  return `${shown} was changed by someone else just now. Read it again, then repeat the edit.`;
}
