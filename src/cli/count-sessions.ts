// How many conversations a workspace has, without opening any.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFileName } from "../storage/sessions/session-name.ts";

/** Those of this workspace: its id names their folder. */
export async function countSessions(root: string, workspace: string): Promise<number> {
  const id = await readFile(join(workspace, ".nanobot", "workspace-id"), "utf8").catch(ignoreMissing);
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id.trim())) return 0;
  const names = (await readdir(join(root, id.trim())).catch(ignoreMissing)) ?? [];
  return names.filter((name) => parseFileName(name)?.isArchived === false).length;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined) throw error;
}
