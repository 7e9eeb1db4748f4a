// The place that a path really names: all symbolic links resolved, also where the last parts do not exist yet.
import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { phrase } from "../i18n/phrase.ts";
import { FileError } from "./file-error.ts";

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
