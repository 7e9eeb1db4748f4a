// Which folder holds the sessions of a workspace. They are outside of it, so that file tools never reach them; an id in
// the workspace names the folder, and a marker in the folder names the workspace, so that moves and copies are told apart.
import { randomBytes } from "node:crypto";
import { readdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import type { Log } from "../../lib/log.ts";
import { changeMode, makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { hasControls, ignoreMissing, publishNew, readPlainFile, refuseLink } from "../files/plain-file.ts";
import type { SessionManagerOptions } from "./session-folder.ts";

const idPattern = /^[0-9a-f]{32}$/;
const mostAttempts = 3;
const longestId = 4096;

/** The workspace's own folder below the root; it exists when this returns. */
export async function placeSessions({ root, workspace, log }: SessionManagerOptions): Promise<string> {
  await makeFolder(workspace);
  const placement = new Placement(root, await realpath(workspace), log);
  await placement.prepareRoot();
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const id = await placement.settleId();
    if (id !== undefined) return placement.bind(id);
  }
  throw fail("storage.sessions-unplaced", { workspace, path: placement.idPath });
}

class Placement {
  readonly #root: string;
  readonly #workspace: string;
  readonly #log: Log;
  readonly idPath: string;

  constructor(root: string, workspace: string, log: Log) {
    this.#root = resolve(root);
    this.#workspace = workspace;
    this.#log = log;
    this.idPath = idPathOf(workspace);
  }

  async prepareRoot(): Promise<void> {
    if (isInside(await resolveExisting(this.#root), this.#workspace)) {
      throw fail("storage.sessions-in-workspace", { folder: this.#root, workspace: this.#workspace });
    }
    await makePrivate(this.#root);
    await refuseLink(dirname(this.idPath));
  }

  /** The id that is valid for this workspace; undefined when another process was faster with a new one. */
  async settleId(): Promise<string | undefined> {
    const text = await readPlainFile(this.idPath, longestId);
    const id = text?.trim() ?? "";
    if (!idPattern.test(id)) return this.#renewId(text);
    const recorded = await this.#readMarker(id);
    if (recorded === undefined) return (await this.#isDamaged(id)) ? this.#renewId(text) : id;
    if (await this.#isHere(recorded)) return id;
    // A folder that only happens to be there is no original: the marker may be damaged.
    const original = await readPlainFile(idPathOf(recorded), longestId).catch(ignoreMissing);
    if (original?.trim() === id) {
      this.#log.warn("workspace-copied", { from: recorded, to: this.#workspace });
      return this.#renewId(text);
    }
    this.#log.info("workspace-moved", { from: recorded, to: this.#workspace });
    return id;
  }

  /** It names no folder, and a folder names this workspace. */
  async #isDamaged(id: string): Promise<boolean> {
    const isThere = (await stat(join(this.#root, id)).catch(ignoreMissing)) !== undefined;
    return !isThere && (await this.#findFolder()) !== undefined;
  }

  async bind(id: string): Promise<string> {
    const folder = join(this.#root, id);
    await refuseLink(folder);
    await makePrivate(folder);
    if ((await this.#readMarker(id)) !== this.#workspace) {
      await writeFileAtomic(markerOf(folder), this.#workspace, { forceMode: true });
    }
    return folder;
  }

  /** Folder first, then the id that names it: after a crash in between it is found by its marker. */
  async #renewId(judged: string | undefined): Promise<string | undefined> {
    const sessionFolder = await this.#findFolder();
    const id = sessionFolder ?? randomBytes(16).toString("hex");
    // One that was found may be that of a process that is too late as well, and removes it: it is not made again.
    if (sessionFolder === undefined) await this.bind(id);
    if (await this.#publishId(id, judged)) return id;
    const published = (await readPlainFile(this.idPath, longestId))?.trim();
    if (sessionFolder === undefined && published !== id) await removeFile(join(this.#root, id));
    return undefined;
  }

  /** In place of what was judged to be no valid id. Of several processes that start at once one succeeds. */
  async #publishId(id: string, judged: string | undefined): Promise<boolean> {
    await makeFolder(dirname(this.idPath));
    if (judged !== undefined && (await readPlainFile(this.idPath, longestId)) === judged) {
      await removeFile(this.idPath);
    }
    const temporary = `${this.idPath}.${randomBytes(8).toString("hex")}.tmp`;
    await writeFile(temporary, id, { mode: 0o600, flag: "wx" });
    return publishNew(temporary, this.idPath);
  }

  /** The folder that names this workspace, of several the fullest. */
  async #findFolder(): Promise<string | undefined> {
    const counted: Array<{ id: string; files: number }> = [];
    for (const id of (await readdir(this.#root)).filter((name) => idPattern.test(name)).sort()) {
      const recorded = await this.#readMarker(id);
      if (recorded === undefined || !(await this.#isHere(recorded))) continue;
      // Gone meanwhile: it was that of another process, which was too late with it.
      const files = await readdir(join(this.#root, id)).catch(ignoreMissing);
      if (files !== undefined) counted.push({ id, files: files.length });
    }
    return counted.sort((a, b) => b.files - a.files)[0]?.id;
  }

  async #readMarker(id: string): Promise<string | undefined> {
    const text = await readPlainFile(markerOf(join(this.#root, id)), 64 * 1024);
    const path = text?.replace(/\r?\n$/, "") ?? "";
    return isAbsolute(path) && !hasControls(path) ? path : undefined;
  }

  async #isHere(recorded: string): Promise<boolean> {
    return (
      recorded === this.#workspace || (await realpath(recorded).catch(ignoreMissing)) === this.#workspace
    );
  }
}

function idPathOf(workspace: string): string {
  return join(workspace, ".nanobot", "workspace-id");
}

function markerOf(folder: string): string {
  return join(folder, ".workspace");
}

async function makePrivate(folder: string): Promise<void> {
  await makeFolder(folder);
  if (((await stat(folder)).mode & 0o077) !== 0) await changeMode(folder, 0o700);
}

/** The real path of what exists of it, with the rest as given. */
async function resolveExisting(path: string): Promise<string> {
  const real = await realpath(path).catch(ignoreMissing);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(await resolveExisting(parent), relative(parent, path));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
