// Where the files of a person or a group are: a guest and a group have folders of their own.
import { join } from "node:path";
import { toFolderName } from "../api/files/media-folder.ts";
import type { Origin } from "../bus/types.ts";
import type { HomePaths } from "../storage/home.ts";

type Whose = Pick<Origin, "group" | "role" | "person">;

/** The workspace is the owner's. */
export function personRoot(workspace: string, { group, role, person }: Whose): string {
  if (group !== undefined) return join(workspace, "groups", toFolderName(group));
  return role === "owner" ? workspace : join(workspace, "people", toFolderName(person));
}

export function resultsFolder({ toolResults }: HomePaths, { group, role, person }: Whose): string {
  if (group !== undefined) return join(toolResults, `group-${toFolderName(group)}`);
  return join(toolResults, role === "owner" ? "owner" : `guest-${toFolderName(person)}`);
}
