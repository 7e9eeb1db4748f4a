// Paths: the absolute path that a model's words name, without looking at the disk, and the real path behind it, with all
// symbolic links resolved, also where the last parts do not exist yet.

import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { phrase } from "../../i18n/phrase.ts";
import { toOneLine } from "../../lib/text.ts";
import { FileError } from "./file-error.ts";

const longestPath = 4096;

/** Understands `~`, `file://` and paths that count from the root. `..` is folded, symbolic links are not looked at. */
export function toAbsolutePath(path: string, root: string): string {
  const plain = /^file:\/\//i.test(path) ? fromFileUrl(path) : path;
  if (plain.includes("\0")) throw refuse(path, "The path has a NUL byte in it. Give a plain path.");
  if (plain.trim() === "") throw refuse(path, 'The path is empty. Give one, or "." for the workspace.');
  if (plain.length > longestPath) throw refuse(path, `The path is longer than ${longestPath} characters.`);
  if (plain === "~" || plain.startsWith("~/")) return join(homedir(), plain.slice(1));
  return resolve(root, plain);
}

/** True for the folder itself and what is below it; `/ws-evil` is not inside `/ws`. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Relative to the folder and with `/` when inside it, otherwise as it is. */
export function toShownPath(path: string, folder: string): string {
  if (!isInside(path, folder)) return path;
  return relative(folder, path).replaceAll(sep, "/") || ".";
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    // A host, an encoded slash, or a percent sign without its digits.
    if (!(error instanceof TypeError || error instanceof URIError)) throw error;
    throw refuse(url, `"${toOneLine(url, 200)}" is no usable file address. Give a plain path.`);
  }
}

function refuse(path: string, message: string): FileError {
  return new FileError(phrase("file.unusable", { file: `"${toOneLine(path, 200)}"` }), message);
}

export async function toRealPath(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // Its target may appear later, anywhere; so it is not taken for a name that is still free.
  if (await isLink(absolute)) {
    throw new FileError(
      phrase("file.broken-link", { file: absolute }),
      `"${absolute}" is a symbolic link to something that does not exist. Use another path.`,
    );
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await toRealPath(parent), basename(absolute));
}

/** For roots, which come from the configuration and not from a model. One that cannot be looked at keeps its name. */
export function toRealRoot(absolute: string): string {
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(toRealRoot(parent), basename(absolute));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
