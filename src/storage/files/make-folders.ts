// A folder with all that lead to it, or why it cannot be made.
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Returns the first one that was made. */
export function makeFolders(path: string, mode?: number): string | undefined {
  const options = { recursive: true, ...(mode !== undefined && { mode }) } as const;
  try {
    return mkdirSync(path, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // Node says so for most reasons, such as a read-only disk or a quota that is used up. A single folder fails with the true one.
    const first = findFirstMissing(path);
    const isMade = makeOne(first, mode);
    const next = mkdirSync(path, options);
    return isMade ? first : next;
  }
}

function findFirstMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : findFirstMissing(parent);
}

/** False if another process made it in the meantime. */
function makeOne(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
