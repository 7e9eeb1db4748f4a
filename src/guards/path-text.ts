// The absolute path that a model's words name, before anything on the disk is looked at.
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { phrase } from "../i18n/phrase.ts";
import { toOneLine } from "../lib/text.ts";
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
