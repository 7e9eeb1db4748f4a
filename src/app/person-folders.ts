// Where the files of a person or a group are: a guest and a group have folders of their own.
import { join } from "node:path";
import { toFolderName } from "../api/files/media-folder.ts";
import type { Origin } from "../bus/types.ts";
import { isInside, toShownPath } from "../guards/path-text.ts";
import { toRealRoot } from "../guards/real-path.ts";
import type { HomePaths } from "../storage/home.ts";

type Whose = Pick<Origin, "group" | "role" | "person">;

/** The workspace is the owner's. */
export function personRoot(workspace: string, { group, role, person }: Whose): string {
  if (group !== undefined) return join(workspace, "groups", toFolderName(group));
  return role === "owner" ? workspace : join(workspace, "people", toFolderName(person));
}

/** The root that a path belongs to: that of a person or group, or the workspace for everything else. */
export function personRootAround(workspace: string, path: string): string {
  const around = [workspace, toRealRoot(workspace)].find((folder) => isInside(path, folder)) ?? workspace;
  const [kind = "", name = ""] = toShownPath(path, around).split("/");
  return (kind === "people" || kind === "groups") && name !== "" ? join(workspace, kind, name) : workspace;
}

export function resultsFolder({ toolResults }: HomePaths, { group, role, person }: Whose): string {
  if (group !== undefined) return join(toolResults, `group-${toFolderName(group)}`);
  return join(toolResults, role === "owner" ? "owner" : `guest-${toFolderName(person)}`);
}
