// Operations about the caller's files in the workspace: listing, finding, reading, and putting them in order.
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { FileError } from "../../guards/files/file-error.ts";
import { fail } from "../../i18n/user-error.ts";
import { takeHead } from "../../lib/text.ts";
import { copyToFile, makeFolder, moveFile } from "../../storage/files/change-files.ts";
import { isThere } from "../../storage/files/file-trash.ts";
import { type FileFacts, lookAt } from "../../storage/files/folder-entries.ts";
import { scopeOf } from "../../storage/scope.ts";
import { detectEncoding } from "../../tools/files/file-content.ts";
import { listFolder, takePage, walkFolder } from "../../tools/files/walk-folder.ts";
import { type Caller, operation } from "../operation.ts";
import type { AssistantServices } from "../services.ts";
import { FileAccess, originOf, withUserErrors } from "./file-access.ts";

export interface ListedFile extends FileFacts {
  /** Relative to the caller's folder, with `/`. */
  path: string;
  name: string;
}

const path = z.string().max(4_096);
const most = 200;
/** Of names that are looked through. */
const mostWalked = 50_000;
const longestText = 1_000_000;

const listFiles = operation({
  name: "files.list",
  about: "What is in a folder of the caller's, folders first, a page at a time.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({
    path,
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(1_000).optional(),
  }),
  async run(
    services,
    { path: folder, offset = 0, limit = most },
    caller,
  ): Promise<{ files: ListedFile[]; total: number }> {
    const access = accessOf(services, caller);
    const { roots } = services.conversation;
    const opened = await withUserErrors(async () =>
      roots.openFolder(await access.read(folder), access.origin),
    );
    try {
      const entries = (await listFolder(opened)).filter(({ path: name }) => !name.startsWith("."));
      const sorted = [
        ...entries.filter(({ kind }) => kind === "folder"),
        ...entries.filter(({ kind }) => kind !== "folder"),
      ];
      const page = sorted.slice(offset, offset + limit).map((entry) => join(opened.realPath, entry.path));
      return { files: await toListed(access, page), total: sorted.length };
    } finally {
      await opened.close();
    }
  },
});

const findFiles = operation({
  name: "files.find",
  about: "The caller's files whose path holds all of these words, the shortest paths first.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ query: z.string().max(200), limit: z.int().min(1).max(200).optional() }),
  async run(services, { query, limit = 50 }, caller): Promise<{ files: ListedFile[]; isPartial: boolean }> {
    const access = accessOf(services, caller);
    const { roots } = services.conversation;
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const opened = await withUserErrors(() => roots.openFolder(".", access.origin));
    try {
      const signal = caller.signal ?? AbortSignal.timeout(10_000);
      const all = walkFolder(opened, { roots, origin: access.origin, signal, includesHidden: false });
      const { items, hasMore } = await takePage(all, 0, mostWalked);
      const matches = items
        .filter(
          ({ kind, path: name }) =>
            kind === "file" && words.every((word) => name.toLowerCase().includes(word)),
        )
        .sort((a, b) => a.path.length - b.path.length)
        .slice(0, limit);
      const real = matches.map((entry) => join(opened.realPath, entry.path));
      return { files: await toListed(access, real), isPartial: hasMore };
    } finally {
      await opened.close();
    }
  },
});

const readText = operation({
  name: "files.read",
  about: "The text of a file of the caller's, or that it is none; long ones are cut.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ path }),
  async run(services, params, caller): Promise<{ text?: string; isCut: boolean; size: number; at: number }> {
    const access = accessOf(services, caller);
    const { roots } = services.conversation;
    return withUserErrors(async () => {
      const { handle, size } = await roots.openForReading(await access.read(params.path), access.origin);
      try {
        const buffer = Buffer.alloc(Math.min(size, longestText));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
        const bytes = buffer.subarray(0, bytesRead);
        const at = Math.trunc((await handle.stat()).mtimeMs);
        const isCut = size > bytesRead;
        const encoding = detectEncoding(bytes, !isCut);
        if (bytesRead > 0 && encoding === undefined) return { isCut, size, at };
        return { text: new TextDecoder(encoding ?? "utf-8").decode(bytes), isCut, size, at };
      } finally {
        await handle.close();
      }
    });
  },
});

const renameFile = operation({
  name: "files.rename",
  about: "Renames or moves a file or folder of the caller's; nothing is replaced.",
  access: "person",
  needs: "assistant",
  changes: ["files"],
  params: z.strictObject({ path, to: path.min(1) }),
  async run(services, params, caller): Promise<ListedFile> {
    const access = accessOf(services, caller);
    const [from, to] = [await access.write(params.path), await access.write(params.to)];
    refuseRoot(access, from);
    if (!isThere(from)) throw fail("files.gone", { name: basename(from) });
    if (isThere(to)) throw fail("files.name-taken", { name: basename(to) });
    await makeFolder(dirname(to));
    await moveFile(from, to);
    return toOneListed(access, to);
  },
});

const removeFiles = operation({
  name: "files.remove",
  about: "Removes a file or folder of the caller's; `files.restore` brings it back for two weeks.",
  access: "person",
  needs: "assistant",
  changes: ["files"],
  params: z.strictObject({ path }),
  async run(services, params, caller): Promise<{ undo: string }> {
    const access = accessOf(services, caller);
    const real = await access.write(params.path);
    refuseRoot(access, real);
    if (!isThere(real)) throw fail("files.gone", { name: basename(real) });
    return { undo: await services.chat.fileTrash.put(real, scopeOf(caller)).catch(toUserError(real)) };
  },
});

const restoreFiles = operation({
  name: "files.restore",
  about: "Brings back what `files.remove` has removed.",
  access: "person",
  needs: "assistant",
  changes: ["files"],
  params: z.strictObject({ path, undo: z.string().regex(/^[\da-z]{1,12}-[\da-f]{12}$/) }),
  async run(services, params, caller): Promise<ListedFile> {
    const access = accessOf(services, caller);
    const real = await access.write(params.path);
    await makeFolder(dirname(real));
    const isRestored = await services.chat.fileTrash.restore(params.undo, real, scopeOf(caller));
    if (!isRestored) throw fail("request.too-late");
    return toOneListed(access, real);
  },
});

const addFile = operation({
  name: "files.add",
  about: "Puts a file that was given by `file.put` into a folder of the caller's, under a name that is free.",
  access: "person",
  needs: "assistant",
  changes: ["files"],
  params: z.strictObject({
    fileId: z.string().regex(/^[\da-zA-Z-]{8,64}$/),
    folder: path,
    name: z.string().min(1).max(200),
  }),
  async run(services, { fileId, folder, name }, caller): Promise<ListedFile> {
    const access = accessOf(services, caller);
    const [given = ""] = await services.chat.files.find([fileId], caller);
    const target = await access.findFree(folder, toFileName(name));
    await makeFolder(dirname(target));
    await copyToFile(given, target);
    return toOneListed(access, target);
  },
});

export const workspaceFileOperations = [
  listFiles,
  findFiles,
  readText,
  renameFile,
  removeFiles,
  restoreFiles,
  addFile,
] as const;

export function accessOf({ conversation: { roots } }: AssistantServices, caller: Caller): FileAccess {
  return new FileAccess(roots, caller);
}

/** Without folders, and without characters that turn a name around. */
function toFileName(name: string): string {
  return basename(name.replaceAll("\\", "/")).replaceAll(/\p{C}/gu, "_").replace(/^\.+/, "") || "file";
}

function refuseRoot(access: FileAccess, real: string): void {
  if (real === access.root) throw fail("files.whole-folder");
}

function toUserError(real: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === undefined) throw error;
    throw fail("file.unreadable", { file: basename(real), errno: error.code });
  };
}

async function toListed(access: FileAccess, paths: readonly string[]): Promise<ListedFile[]> {
  const listed = await Promise.all(
    paths.map(async (real) => {
      const facts = await lookAt(real);
      return facts && { ...facts, path: toSlashes(access.show(real)), name: basename(real) };
    }),
  );
  return listed.filter((file) => file !== undefined);
}

async function toOneListed(access: FileAccess, real: string): Promise<ListedFile> {
  const [listed] = await toListed(access, [real]);
  if (listed === undefined) throw fail("files.gone", { name: basename(real) });
  return listed;
}

function toSlashes(shown: string): string {
  return shown.replaceAll("\\", "/");
}

/** Bounded; "" where nothing is, or no file. */
export async function readForDiff(
  { conversation: { roots } }: AssistantServices,
  real: string,
  caller: Caller,
): Promise<string> {
  const opened = await roots.openForReading(real, originOf(caller)).catch(ignoreFileError);
  if (opened === undefined) return "";
  try {
    return takeHead(await opened.handle.readFile("utf8"), longestText);
  } finally {
    await opened.handle.close();
  }
}

function ignoreFileError(error: unknown): undefined {
  if (!(error instanceof FileError)) throw error;
}
