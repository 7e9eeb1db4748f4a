// Where the files of a scope are. Nothing else builds these paths: the workspace is the owner's, people and groups have
// folders in it, and folders of their own for results of tools and for what they send.
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ignoreMissing } from "./files/plain-file.ts";
import type { HomePaths } from "./home.ts";
import { fromScope, ownerScope, type Scope } from "./scope.ts";

type FolderKind = "people" | "groups";

const folderKinds: readonly FolderKind[] = ["people", "groups"];

/** The files of a person or group: prompt files, memory, and what tools write. */
export function rootOf(workspace: string, scope: Scope): string {
  const subfolder = toOwnFolder(scope);
  return subfolder === undefined ? workspace : join(workspace, subfolder.kind, subfolder.name);
}

/** The folders of a workspace that hold the roots of people and of groups. */
export function scopeFolders(workspace: string): Array<{ kind: FolderKind; folder: string }> {
  return folderKinds.map((kind) => ({ kind, folder: join(workspace, kind) }));
}

/** Full texts of long results of tools. */
export function resultsOf({ toolResults }: Pick<HomePaths, "toolResults">, scope: Scope): string {
  const subfolder = toOwnFolder(scope);
  if (subfolder === undefined) return join(toolResults, "owner");
  return join(toolResults, `${subfolder.kind === "people" ? "guest" : "group"}-${subfolder.name}`);
}

/** Files of messages. Those of guests and groups are in separate folders; the owner may see all. */
export function mediaOf({ media }: Pick<HomePaths, "media">, scope: Scope): string {
  const subfolder = toOwnFolder(scope);
  return subfolder === undefined ? media : join(media, subfolder.kind, subfolder.name);
}

/** A name for the records of a scope, unique in a folder. */
export function toScopeName(scope: Scope): string {
  const subfolder = toOwnFolder(scope);
  return subfolder === undefined ? "owner" : `${subfolder.kind}-${subfolder.name}`;
}

/** The scope whose root holds a path; undefined outside of the workspace. */
export function scopeAround(workspace: string, path: string): Scope | undefined {
  const way = relative(workspace, path);
  if (way === ".." || way.startsWith(`..${sep}`)) return undefined;
  const [kind, name = ""] = way.split(sep);
  const known = folderKinds.find((each) => each === kind);
  return known === undefined || name === "" ? ownerScope : toScope(known, name);
}

/** The owner's first, then everyone who has a folder. `onUnreadable` is called instead of throwing. */
export async function listScopes(
  workspace: string,
  onUnreadable?: (error: unknown) => undefined,
): Promise<Scope[]> {
  const scopes: Scope[] = [ownerScope];
  for (const { kind, folder } of scopeFolders(workspace)) {
    const names = (await readdir(folder).catch(ignoreMissing).catch(onUnreadable)) ?? [];
    const all = names.sort().map((name) => ({ name, scope: toScope(kind, name) }));
    // A folder with any other name is nobody's.
    scopes.push(...all.flatMap(({ name, scope }) => (toOwnFolder(scope)?.name === name ? scope : [])));
  }
  return scopes;
}

/** Of a folder that is named after an id, made safe for a file system. */
export function toScope(kind: FolderKind, name: string): Scope {
  const id = decode(name);
  return kind === "people" ? `person:${id}` : `group:${id}`;
}

function toOwnFolder(scope: Scope): { kind: FolderKind; name: string } | undefined {
  const { group, role, person } = fromScope(scope);
  if (group !== undefined) return { kind: "groups", name: toFolderName(group) };
  return role === "owner" ? undefined : { kind: "people", name: toFolderName(person) };
}

/** Dots too: a person may be called `..`. */
function toFolderName(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E");
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
