// Which folder holds the sessions of a workspace, with those of older places taken over.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { toSessionFileError } from "../files/stored-file-error.ts";
import type { HomeLock } from "../home-lock.ts";
import { migrateSessions } from "../python/session-places.ts";
import { placeSessions } from "./placement.ts";
import { parseFileName } from "./session-name.ts";

export interface SessionManagerOptions {
  /** `<home>/sessions`: a folder for each workspace; once it held the files themselves. */
  root: string;
  workspace: string;
  clock: Clock;
  log: Log;
  /** Held while sessions of older places are taken over: two processes that start at once do not take the same ones. */
  lock?: HomeLock;
}

export async function prepareFolder(options: SessionManagerOptions): Promise<string> {
  try {
    const folder = await placeSessions(options);
    await migrateSessions({ ...options, folder });
    return folder;
  } catch (error) {
    throw toSessionFileError(error, "write", options.root);
  }
}

/** How many conversations go on in a workspace, without opening any: the id in it names their folder. */
export async function countSessions(root: string, workspace: string): Promise<number> {
  const id = await readFile(join(workspace, ".nanobot", "workspace-id"), "utf8").catch(ignoreUnreadable);
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id.trim())) return 0;
  const names = (await readdir(join(root, id.trim())).catch(ignoreUnreadable)) ?? [];
  return names.filter((name) => parseFileName(name)?.isArchived === false).length;
}

function ignoreUnreadable(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined) throw error;
}
