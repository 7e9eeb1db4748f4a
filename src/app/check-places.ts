// Whether the home and the workspace can be what they are meant to be, found out before anything is made in them.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import type { HomePaths } from "../storage/home.ts";

/** A sentence about a home that cannot be begun; one that is in use already is judged by those who write there. */
export async function checkHome({ home, run }: HomePaths, words: Words): Promise<string | undefined> {
  if ((await findCode(access(run))) === undefined) return undefined;
  const code = await findObstacle(home);
  return code === undefined
    ? undefined
    : say(phrase("storage.home-unwritable", { home, errno: code }), words);
}

/** A sentence about a workspace that is something else than a folder, or lies below such a thing. */
export async function checkWorkspace(path: string, { failure }: Words): Promise<string | undefined> {
  // The slash makes the system look for a folder.
  const code = await findCode(access(path + sep));
  return code === "ENOTDIR" ? failure.notAFolder(path) : undefined;
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
