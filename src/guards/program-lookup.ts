// Whether a program is on a PATH, asked again only when something in one of its folders has come or gone.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { lookBehindLinks } from "../storage/files/file-stamp.ts";

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
