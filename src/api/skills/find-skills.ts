// The skills in a folder that somebody offers: the folder itself, or folders in it, as in a repository of many.
import { basename, join } from "node:path";
import { isMain, listEntries } from "../../skills/skill-files.ts";

const deepest = 4;
const mostFolders = 2000;

/** Without links and hidden folders; a skill is not searched for further ones. */
export function findSkills(root: string): string[] {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0, seen = 0; depth <= deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++seen > mostFolders) return found;
      const entries = listEntries(folder, mostFolders) ?? [];
      if (entries.some(({ name }) => isMain(name))) found.push(folder);
      else
        for (const entry of entries)
          if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
            next.push(join(folder, entry.name));
    }
    level = next;
  }
  return found;
}

/** The one that is meant; the names of all when that is not clear. */
export function chooseSkill(folders: string[], name: string | undefined): string | string[] {
  const meant = name === undefined ? folders : folders.filter((folder) => basename(folder) === name);
  const [only] = meant;
  return meant.length === 1 && only !== undefined ? only : folders.map((folder) => basename(folder));
}
