// Where a person may read and write, as one function from a model's words to a real path. Opens nothing.
import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import type { Origin } from "../bus/types.ts";
import { phrase } from "../i18n/phrase.ts";
import { toOneLine } from "../lib/text.ts";
import { codeOf, FileError, toFileError } from "./file-error.ts";
import { isInside, toAbsolutePath, toShownPath } from "./path-text.ts";
import { findProtectedPlace, isDevicePath } from "./protected-places.ts";
import { toRealPath, toRealRoot } from "./real-path.ts";

export interface FileRootsOptions {
  /** The file root of the person behind an origin: the workspace, or a guest's or group's folder in it. */
  workspaceFor(origin: Origin): string;
  /** Folders that may be read besides the workspace. */
  readRoots: readonly string[] | ((origin: Origin) => readonly string[]);
  /** False lifts the confinement; protected places and devices stay closed. */
  isRestricted: boolean;
  /** Files and folders outside the workspace that are never written, restricted or not. */
  protectedPaths?: readonly string[];
}

export type Access = "read" | "write";

export interface PathResolver {
  rootFor(origin: Origin): string;
  display(path: string, origin: Origin): string;
  resolve(path: string, origin: Origin, access: Access): Promise<string>;
}

export function createPathResolver(options: FileRootsOptions): PathResolver {
  function rootFor(origin: Origin): string {
    return toRealRoot(options.workspaceFor(origin));
  }

  function readRootsFor(origin: Origin): string[] {
    const { readRoots } = options;
    return (typeof readRoots === "function" ? readRoots(origin) : readRoots).map(toRealRoot);
  }

  function isAllowed(real: string, origin: Origin, access: Access): boolean {
    if (!options.isRestricted || isInside(real, rootFor(origin))) return true;
    return access === "read" && readRootsFor(origin).some((folder) => isInside(real, folder));
  }

  function refuseProtected(real: string, root: string, shown: string): void {
    const place = isInside(real, root)
      ? findProtectedPlace(toShownPath(real, root))
      : options.protectedPaths?.find((path) => isInside(real, toRealRoot(path)));
    if (place === undefined) return;
    throw new FileError(
      phrase("file.kept", { file: shown, place }),
      `${shown} is in ${place}, which the assistant keeps for itself. Write somewhere else.`,
    );
  }

  async function resolve(path: string, origin: Origin, access: Access): Promise<string> {
    const root = rootFor(origin);
    const shown = `"${toOneLine(path, 200)}"`;
    const absolute = toAbsolutePath(path, root);
    refuseDevice(absolute, shown);
    try {
      const real = await toRealPath(absolute);
      refuseDevice(real, shown);
      if (!isAllowed(real, origin, access))
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

  return { rootFor, resolve, display: (path, origin) => toShownPath(path, rootFor(origin)) };
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
