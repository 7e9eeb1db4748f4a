// Where skills are looked for, the most important place first, and the folders in each.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { isInside, toRealRoot, toShownPath } from "../guards/files/real-path.ts";
import { packagePath } from "../lib/package-root.ts";
import { lookBehindLinks } from "../storage/files/file-stamp.ts";
import { listEntries } from "../storage/files/folder-entries.ts";
import { skillPlacesOf } from "../storage/home.ts";
import type { SkillsLoaderOptions } from "./loader.ts";
import type { SkillSource } from "./skill.ts";

export interface SkillRoot {
  source: SkillSource;
  path: string;
  /** Nothing in it changes while the program runs: it is looked at once. */
  isFixed?: boolean;
}

export interface RootListing {
  realRoot: string;
  folders: string[];
}

const mostSkills = 2000;

export function toRoots(options: SkillsLoaderOptions): SkillRoot[] {
  const { workspace, home, env, directories = [], builtIn } = options;
  const userFolder = env.HOME || homedir();
  const further = directories.map((path) => {
    const expanded = /^~(?=$|[/\\])/.test(path) ? join(userFolder, path.slice(1)) : path;
    return { source: "directory" as const, path: isAbsolute(expanded) ? expanded : resolve(home, expanded) };
  });
  const roots: SkillRoot[] = [
    { source: "workspace", path: join(workspace, "skills") },
    { source: "user", path: skillPlacesOf(home).folder },
    { source: "agents", path: join(userFolder, ".agents", "skills") },
    ...further,
    { source: "built-in", path: builtIn ?? packagePath("skills"), isFixed: builtIn === undefined },
  ];
  return roots.filter(({ path }, index) => roots.findIndex((other) => other.path === path) === index);
}

/** The folders as the root names them, sorted, and the root without links in its path. */
export function listRoot(path: string): RootListing {
  // Most are not there, and an exception takes ten times as long.
  if (lookBehindLinks(path) === undefined) return { realRoot: path, folders: [] };
  const realRoot = toRealRoot(path);
  const folders = (listEntries(realRoot, mostSkills) ?? [])
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
    .map(({ name }) => join(path, name));
  return { realRoot, folders };
}

/** The skill's folder that a path is in or names; undefined when it is in none. */
export function findSkillFolder(path: string, roots: readonly SkillRoot[]): string | undefined {
  const real = toRealRoot(path);
  const root = roots.find((candidate) => isInside(real, toRealRoot(candidate.path)));
  const [name = "."] = root === undefined ? [] : toShownPath(real, toRealRoot(root.path)).split("/");
  return root === undefined || name === "." ? undefined : join(root.path, name);
}
