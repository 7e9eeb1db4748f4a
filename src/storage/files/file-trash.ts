// Files and folders that a person removed: moved aside, each person's apart, and kept for a while so that it can be undone.
import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Scope } from "../scope.ts";
import { toScopeName } from "../scope-folders.ts";
import { makeFolder, moveFile, removeFile } from "./change-files.ts";
import { ignoreMissing } from "./plain-file.ts";

const keptMs = 14 * 24 * 60 * 60 * 1000;

export class FileTrash {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The id to bring it back by. Rejects with EXDEV where the path is on another file system. */
  async put(path: string, scope: Scope): Promise<string> {
    const folder = this.#folderOf(scope);
    await makeFolder(folder);
    await this.#prune(folder);
    const id = `${this.#clock.now().toString(36)}-${randomBytes(6).toString("hex")}`;
    await moveFile(path, join(folder, id));
    return id;
  }

  /** False when it is no longer there, or something else is in its place. */
  async restore(id: string, to: string, scope: Scope): Promise<boolean> {
    const path = join(this.#folderOf(scope), id);
    if ((await stat(path).catch(ignoreMissing)) === undefined || isThere(to)) return false;
    await moveFile(path, to);
    return true;
  }

  async #prune(folder: string): Promise<void> {
    for (const name of await readdir(folder)) {
      const at = Number.parseInt(name, 36);
      if (at < this.#clock.now() - keptMs) await removeFile(join(folder, name));
    }
  }

  #folderOf(scope: Scope): string {
    return join(this.#folder, toScopeName(scope));
  }
}

/** Also a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
