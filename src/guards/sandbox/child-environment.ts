// The environment of programs that we start: enough to work, no secrets, nothing that npm added; and which programs are
// on its PATH.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { lookBehindLinks } from "../../storage/files/file-stamp.ts";

interface ChildEnvironmentOptions {
  /** Usually `process.env`. */
  from: NodeJS.ProcessEnv;
  /** Further variables to hand on, named by the user. */
  allowedKeys?: readonly string[];
  /** Folders before and after the usual ones, joined as in PATH. */
  pathPrepend?: string;
  pathAppend?: string;
}

const handedOn = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL"];

/** Without these hardly anything starts on Windows. */
const handedOnByWindows = [
  "SystemRoot",
  "SystemDrive",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "USERNAME",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramFiles",
  "ProgramData",
];

const usualPath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export function createChildEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { from, allowedKeys = [] } = options;
  const names = [...handedOn, ...(process.platform === "win32" ? handedOnByWindows : []), ...allowedKeys];
  const kept = names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]));
  return {
    TERM: from.TERM ?? "dumb",
    PYTHONUNBUFFERED: "1",
    ...Object.fromEntries(kept),
    PATH: createPath(options),
  };
}

function createPath({ from, pathPrepend = "", pathAppend = "" }: ChildEnvironmentOptions): string {
  const own = (from.PATH ?? from.Path ?? "").split(delimiter).filter((folder) => !isFromNpm(folder));
  const middle = own.some(isUsable) ? own : usualPath;
  const folders = [...pathPrepend.split(delimiter), ...middle, ...pathAppend.split(delimiter)].map(
    expandHome,
  );
  return [...new Set(folders.filter(isUsable))].join(delimiter);
}

/** What `npm run` and npx put in front of PATH. */
function isFromNpm(folder: string): boolean {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$|[\\/]node-gyp-bin[\\/]?$/.test(folder);
}

/** A relative folder would let a file in the workspace stand in for a program. */
function isUsable(folder: string): boolean {
  return isAbsolute(folder);
}

function expandHome(folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : folder;
}

/** Hands out the same function as long as no folder of the PATH has changed. */
export type ProgramLookup = () => (name: string) => boolean;

/** `endings` are those of programs, such as Windows' PATHEXT. */
export function createProgramLookup(path: string, endings: readonly string[] = [""]): ProgramLookup {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  let state: string | undefined;
  let hasProgram: (name: string) => boolean = () => false;

  return () => {
    const now = folders.map((folder) => lookBehindLinks(folder)?.ctimeMs).join(" ");
    if (now === state) return hasProgram;
    state = now;
    const found = new Map<string, boolean>();
    hasProgram = (name) => {
      const isFound = found.get(name) ?? isOnPath(name);
      found.set(name, isFound);
      return isFound;
    };
    return hasProgram;
  };

  function isOnPath(name: string): boolean {
    // A path is no name: it would lead out of the folders.
    if (!/^[\w.+-]+$/.test(name)) return false;
    return folders.some((folder) => endings.some((ending) => isProgram(join(folder, name + ending))));
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
