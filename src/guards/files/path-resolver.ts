// Where a person may read and write, as one function from a model's words to a real path. Opens nothing.
import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { toOneLine } from "../../lib/text.ts";
import { ownerScope, scopeOf } from "../../storage/scope.ts";
import { codeOf, FileError, toFileError } from "./file-error.ts";
import {
  findProtectedPlace,
  type Home,
  hasKeptName,
  isDevicePath,
  isOpen,
  isOwn,
} from "./protected-places.ts";
import { isInside, toAbsolutePath, toRealPath, toRealRoot, toShownPath } from "./real-path.ts";

export interface FileRootsOptions {
  /** The file root of the person behind an origin: the workspace, or a guest's or group's folder in it. */
  workspaceFor(origin: Origin): string;
  /** Folders that may be read in addition to the workspace. */
  readRoots: readonly string[] | ((origin: Origin) => readonly string[]);
  /** False lifts the confinement of the owner in private, outside of the home; devices stay closed. */
  isRestricted: boolean;
  /** Inside of it only the folders above are open. Absent: none is known. */
  home?: Home;
}

export type Access = "read" | "write";

export interface PathResolver {
  rootFor(origin: Origin): string;
  display(path: string, origin: Origin): string;
  resolve(path: string, origin: Origin, access: Access): Promise<string>;
  /** Whether a real path is among the assistant's own files: in its home, and not in the workspace. */
  isOwn(real: string): boolean;
  /** Whether the home is in a folder. */
  holdsHome(real: string): boolean;
  /** Refuses a file of several names that has one among what this person may not read. */
  checkNames(status: BigIntStats, shown: string, origin: Origin): Promise<void>;
}

export function createPathResolver(options: FileRootsOptions): PathResolver {
  function rootFor(origin: Origin): string {
    return toRealRoot(options.workspaceFor(origin));
  }

  function readRootsFor(origin: Origin): string[] {
    const { readRoots } = options;
    return (typeof readRoots === "function" ? readRoots(origin) : readRoots).map(toRealRoot);
  }

  function judge(real: string, origin: Origin, access: Access): "open" | "outside" | "kept" {
    const root = rootFor(origin);
    const readRoots = readRootsFor(origin);
    const isLifted = !options.isRestricted && scopeOf(origin) === ownerScope;
    const home = options.home && toRealRoot(options.home.folder);
    if (home !== undefined && isInside(real, home)) {
      if (isOpen(real, home, access === "read" ? [root, ...readRoots] : [root])) return "open";
      return isLifted || isInside(real, root) ? "kept" : "outside";
    }
    if (isInside(real, root)) return "open";
    const isReadable = readRoots.some((folder) => isInside(real, folder));
    if (isLifted) return isReadable && access === "write" ? "kept" : "open";
    return isReadable && access === "read" ? "open" : "outside";
  }

  function refuseProtected(real: string, root: string, shown: string): void {
    const place = isInside(real, root) ? findProtectedPlace(toShownPath(real, root)) : undefined;
    if (place !== undefined) throw toKeptError(shown, place);
  }

  async function resolve(path: string, origin: Origin, access: Access): Promise<string> {
    const root = rootFor(origin);
    const shown = `"${toOneLine(path, 200)}"`;
    const absolute = toAbsolutePath(path, root);
    refuseDevice(absolute, shown);
    try {
      const real = await toRealPath(absolute);
      refuseDevice(real, shown);
      const verdict = judge(real, origin, access);
      if (verdict === "kept") throw toKeptError(shown, options.home?.folder ?? dirname(real));
      if (verdict === "outside")
        throw new FileError(
          phrase("file.outside", { file: shown }),
          `${shown} leads outside ${outsideHint(root)}`,
        );
      if (access === "write") refuseProtected(real, root, shown);
      await refuseSpecial(real, shown);
      return real;
    } catch (error) {
      throw toFileError(error, shown);
    }
  }

  return {
    rootFor,
    resolve,
    display: (path, origin) => toShownPath(path, rootFor(origin)),
    isOwn: (real) => options.home !== undefined && isOwn(real, options.home),
    holdsHome: (real) => options.home !== undefined && isInside(toRealRoot(options.home.folder), real),
    async checkNames(status, shown, origin) {
      if (options.home === undefined) return;
      const { folder } = options.home;
      const isKept = await hasKeptName(status, toRealRoot(folder), [
        rootFor(origin),
        ...readRootsFor(origin),
      ]);
      if (isKept) throw toKeptError(shown, folder);
    },
  };
}

function toKeptError(shown: string, place: string): FileError {
  return new FileError(
    phrase("file.kept", { file: shown, place }),
    `${shown} is in ${place}, which the assistant keeps for itself. Use another path.`,
  );
}

export function toSpecialError(shown: string): FileError {
  return new FileError(
    phrase("file.not-regular", { file: shown }),
    `${shown} is a device, pipe or socket, not a file. Use a regular file.`,
  );
}

export async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function outsideHint(root: string): string {
  return `the workspace ${root}. Use a path inside it: the limit is deliberate, so do not look for a way around it.`;
}

function refuseDevice(path: string, shown: string): void {
  if (isDevicePath(path)) throw toSpecialError(shown);
}

async function refuseSpecial(real: string, shown: string): Promise<void> {
  const status = await statIfThere(real);
  if (status !== undefined && !status.isFile() && !status.isDirectory()) throw toSpecialError(shown);
}
