// Paths inside the home as they are stored: relative to it, with `/`, because a home can be restored in another folder or
// on another machine. Other paths stay absolute. Homes of 0.1.0 and of the Python original hold only absolute paths, so
// both forms are read.
import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

export function toStored(home: string, path: string): string {
  if (!isAbsolute(path)) return path;
  return relativeTo(home, path) ?? relativeTo(toRealHome(home), path) ?? path;
}

/** Give the real home where paths are compared with real paths. */
export function fromStored(home: string, stored: string): string {
  return stored === "" || isAbsolute(stored) ? stored : join(home, stored);
}

/** What a damaged file has in place of a list of texts stays as it is. */
export function mapPaths<T>(paths: T, change: (path: string) => string): T {
  if (!Array.isArray(paths)) return paths;
  return paths.map((path) => (typeof path === "string" ? change(path) : path)) as T;
}

/** `file:///home/me/.nanobot/media/a.png` as `file:media/a.png`; other addresses stay as they are. */
export function toStoredUrl(home: string, url: string): string {
  if (!url.startsWith("file:")) return url;
  const base = [home, toRealHome(home)].map(toBase).find(({ href }) => url.startsWith(href));
  return base === undefined ? url : `file:${url.slice(base.href.length)}`;
}

export function fromStoredUrl(home: string, stored: string): string {
  return /^file:[^/\\]/.test(stored) ? new URL(stored, toBase(home)).href : stored;
}

/** The home without links; as it is named while there is none. */
export function toRealHome(home: string): string {
  try {
    return realpathSync.native(home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return home;
  }
}

function toBase(home: string): URL {
  return pathToFileURL(`${home}${sep}`);
}

function relativeTo(home: string, path: string): string | undefined {
  const way = relative(home, path);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way === "" ? "." : way.replaceAll(sep, "/");
}
