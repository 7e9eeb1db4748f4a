// What a command in a sandbox sees of the files: the folder of the person behind the turn to work in, what may be read
// in addition, and inside of these what stays closed. Knows no sandbox.
import { lstat, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { ToolError } from "../../runner/tool.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { protectedFolders } from "../files/protected-places.ts";
import { isInside, toRealRoot } from "../files/real-path.ts";
import { MountPoints } from "./mount-points.ts";

export interface Place {
  path: string;
  access: "write" | "read" | "none";
  isFolder: boolean;
}

export interface PlacesOptions {
  /** The owner's; people and groups have folders in it. */
  workspace: string;
  /** What `~` means. */
  userFolder: string;
  rootFor(origin: Origin): string;
  /** Skills, results, media: what file tools may read in addition. */
  readRootsFor(origin: Origin): readonly string[];
  /** From the config; absolute, or from `~`. */
  readBinds?: readonly string[];
  writeBinds?: readonly string[];
  /** What must not show when something around it is visible; keys in the user's folder need no mention. */
  hidden?: readonly string[];
  /** Names of files in a root that are part of every prompt: only file tools write them. */
  promptFiles?: readonly string[];
  mountPoints?: MountPoints;
}

export interface FoundPlaces {
  /** From the general to the particular: what comes later counts. Only what exists. */
  places: Place[];
  /** Folders that the command can change. */
  writable: string[];
  /** Called when the command has ended; removes what was made for it. */
  release(): void;
}

export interface PlacesRequest {
  /** Granted to this command. */
  writable?: readonly string[];
  isLeftRunning?: boolean;
}

export type FindPlaces = (origin: Origin, request?: PlacesRequest) => Promise<FoundPlaces>;

type WantedPlace = Pick<Place, "path" | "access">;

/** In the user's folder. */
export const keyPlaces = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".config/gh",
  ".config/gcloud",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
];

export function createPlaces(options: PlacesOptions): FindPlaces {
  const { userFolder, readBinds = [], writeBinds = [], hidden = [], promptFiles = [] } = options;
  const { mountPoints = new MountPoints() } = options;
  const workspace = toRealRoot(options.workspace);
  /** What was closed in a root before any command ran there: later a command could put a link in its place. */
  const closed = new Map<string, Place[]>();

  function toPlaces(paths: readonly string[], access: Place["access"]): WantedPlace[] {
    return paths
      .map((path) => (/^~(\/|$)/.test(path) ? join(userFolder, path.slice(1)) : resolve(path)))
      .flatMap((path) => [path, toRealRoot(path)])
      .map((path) => ({ path, access }));
  }

  async function findClosed(root: string, isLeftRunning: boolean): Promise<Place[]> {
    const isOwners = root === workspace;
    const repository = isLeftRunning ? await look(repositoryOf(root), lstat) : [];
    return [...(await findKept(root, isOwners)), ...repository];
  }

  async function findKept(root: string, isOwners: boolean): Promise<Place[]> {
    const first = closed.get(root);
    const wanted = first ?? closedInside(root, isOwners ? [...ownersAlone, ...promptFiles] : promptFiles);
    const found = await look(wanted, lstat);
    if (first === undefined) closed.set(root, found);
    return found;
  }

  return async (origin, { writable = [], isLeftRunning = false } = {}) => {
    const root = toRealRoot(options.rootFor(origin));
    const visible: WantedPlace[] = [
      ...toPlaces([...readBinds, ...options.readRootsFor(origin)], "read"),
      ...toPlaces([...writeBinds, ...writable], "write"),
      { path: root, access: "write" },
    ];
    const names = new Set(visible.map(({ path }) => path));
    if (names.has("/")) throw new ToolError("The sandbox cannot bind /. Correct tools.exec in the config.");
    const keys = keyPlaces.map((name) => join(userFolder, name));
    // What was bound by its own name is meant to be seen; what nothing visible is around does not show anyway.
    const covered = toPlaces([...hidden, ...keys], "none").filter(
      ({ path }) => !names.has(path) && visible.some((place) => isInside(path, place.path)),
    );
    // Only what is there can be closed, so what a command could make in its place is made first, empty.
    const empty = [...listEmpty(root, root === workspace), ...(isLeftRunning ? [join(root, ".git")] : [])];
    const release = mountPoints.hold(empty);
    try {
      const seen = await look(visible, stat);
      checkThere(toPlaces(writable, "write"), seen);
      const closedNow = await findClosed(root, isLeftRunning);
      const places = arrange([...seen, ...closedNow, ...(await look(covered, stat))]);
      const changed = [...toPlaces([...writeBinds, ...writable], "write").map(({ path }) => path), root];
      const folders = places.filter(({ path, isFolder }) => isFolder && changed.includes(path));
      return { places, writable: folders.map(({ path }) => path), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Of the owner's root: read by commands, written by nobody but file tools, if at all. */
const ownersAlone = [...protectedFolders, ".nanobot", "skills", "people", "groups"];

/** What finds its way into prompts is written by file tools alone, which ask and remember. */
function closedInside(root: string, more: readonly string[]): WantedPlace[] {
  return ["memory", ...more].map((name): WantedPlace => ({ path: join(root, name), access: "read" }));
}

/**
 * Settings and hooks are programs that git runs for the person, outside of any sandbox; they are looked at when a command
 * has ended, and closed to one that may run for hours. Their folder is bound onto itself, because renamed it would take
 * them out of the way; an empty one is closed.
 */
function repositoryOf(root: string): WantedPlace[] {
  const isEmpty = lookAt(join(root, ".git/HEAD")) === undefined;
  const closed = ["hooks", "config"].map(
    (name): WantedPlace => ({ path: join(root, ".git", name), access: "read" }),
  );
  return [{ path: join(root, ".git"), access: isEmpty ? "read" : "write" }, ...closed];
}

function checkThere(wanted: readonly WantedPlace[], seen: readonly Place[]): void {
  const missing = wanted.find(({ path }) => !seen.some((place) => place.path === path));
  if (missing !== undefined)
    throw new ToolError(
      `${missing.path} does not exist, so that it cannot be made writable. Name its folder.`,
    );
}

function listEmpty(root: string, isOwners: boolean): string[] {
  return ["memory", ...(isOwners ? ownersAlone : [])].map((name) => join(root, name));
}

/** 0.1.0 made them for its commands and left them there. */
export async function removeEmptyFolders(root: string, isOwners: boolean): Promise<void> {
  for (const path of listEmpty(root, isOwners))
    await rmdir(path).catch((error) => {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
    });
}

/** A name that leads through a link inside of something visible is left to that link. */
function arrange(places: Place[]): Place[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  const sorted = [...byPath.values()].sort((a, b) => a.path.length - b.path.length);
  const isNested = ({ path }: Place) =>
    sorted.some((other) => other.path !== path && other.access !== "none" && isInside(path, other.path));
  return sorted.filter((place) => !isNested(place) || toRealRoot(place.path) === place.path);
}

/** With `lstat`, links are passed over: a command may have made one, and it may lead to a key. */
async function look(wanted: readonly WantedPlace[], by: typeof stat | typeof lstat): Promise<Place[]> {
  const places = wanted.map(async ({ path, access }): Promise<Place[]> => {
    try {
      const status = await by(path);
      return status.isSymbolicLink() ? [] : [{ path, access, isFolder: status.isDirectory() }];
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
      throw error;
    }
  });
  return (await Promise.all(places)).flat();
}
