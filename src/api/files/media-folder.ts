// Where the files of each person and group lie.
import { join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import type { HomePaths } from "../../storage/home.ts";

/** What a guest or a group has sent lies apart, and is theirs to read. Undefined for the owner in private. */
export function mediaFolderOf(
  { media }: HomePaths,
  { group, role, person }: Pick<Origin, "group" | "role" | "person">,
): string | undefined {
  if (group !== undefined) return join(media, "groups", toFolderName(group));
  return role === "owner" ? undefined : join(media, "people", toFolderName(person));
}

/** Dots too: a person may be called `..`. */
export function toFolderName(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E");
}
