// Whether the home and the workspace can be used as such. Changes nothing.
import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { ignoreMissing } from "./files/plain-file.ts";
import type { HomePaths } from "./home.ts";

/** Why a home cannot be begun; one that is in use already is judged by those who write there. */
export async function checkHome({ home, run }: HomePaths): Promise<Phrase | undefined> {
  if ((await findCode(access(run))) === undefined) return undefined;
  const code = await findObstacle(home);
  return code === undefined ? undefined : phrase("storage.home-unwritable", { home, errno: code });
}

/** False for a workspace that is something else than a folder, or is below such a thing. */
export async function canBeWorkspace(path: string): Promise<boolean> {
  // The slash makes the system look for a folder.
  return (await findCode(access(path + sep))) !== "ENOTDIR";
}

export async function hasWorkspace(path: string): Promise<boolean> {
  return (await findCode(access(path))) === undefined;
}

/** Of the disk that holds the home; undefined when there is no home. */
export async function readFreeBytes({ home }: HomePaths): Promise<number | undefined> {
  const disk = await statfs(home).catch(ignoreMissing);
  return disk && disk.bavail * disk.bsize;
}

/** What only the owner should be able to read, and others can. */
export async function listOpenFiles({ home, config, stateDatabase, pairing }: HomePaths): Promise<string[]> {
  const paths = [home, config, stateDatabase, pairing];
  const stats = await Promise.all(paths.map((path) => stat(path).catch(ignoreUnreadable)));
  return paths.filter((_, index) => ((stats[index]?.mode ?? 0) & 0o077) !== 0);
}

/** Folders that are there and cannot be looked into: another owner, a network disk that is gone. */
export async function listUnusableFolders(
  { home, sessions, run, logs, cache, media, toolResults }: HomePaths,
  workspace: string,
): Promise<Array<{ path: string; errno: string }>> {
  const inside = ["memory", "skills", "people", "groups", "cron", "prompts", ".nanobot"];
  const all = [home, sessions, run, logs, cache, media, toolResults, workspace];
  const folders = [...all, ...inside.map((name) => join(workspace, name))];
  const checks = folders.map(async (path) => {
    const errno = await readdir(path).then(
      () => "ENOENT",
      ({ code = "EIO" }: NodeJS.ErrnoException) => code,
    );
    return errno === "ENOENT" ? [] : [{ path, errno }];
  });
  return (await Promise.all(checks)).flat();
}

/** When something was last written here, as far as that can be read. */
export async function readNewestTime({ config, stateDatabase, log }: HomePaths): Promise<number> {
  const states = [config, stateDatabase, log].map((path) => stat(path).catch(ignoreUnreadable));
  return Math.max(...(await Promise.all(states)).map((found) => found?.mtimeMs ?? 0));
}

/** Why nothing could be made there. A folder that is not there yet is made in the next one above it that is. */
async function findObstacle(folder: string): Promise<string | undefined> {
  const code = await findCode(access(folder + sep, constants.W_OK | constants.X_OK));
  const parent = dirname(folder);
  return code === "ENOENT" && parent !== folder ? findObstacle(parent) : code;
}

async function findCode(look: Promise<void>): Promise<string | undefined> {
  try {
    await look;
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

function ignoreUnreadable(): undefined {}
