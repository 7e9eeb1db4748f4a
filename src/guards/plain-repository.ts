// Whether git may look at a folder without running what its repository tells it to. A repository's settings can name
// programs for nearly every command, and a folder that merely looks like one counts as one for git.
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "./file-error.ts";
import { isInside } from "./path-text.ts";

/** Sections and keys through which a repository starts programs or leads elsewhere. */
const risky =
  /fsmonitor|hookspath|pager|editor|external|textconv|command|filter|sshcommand|gpg|alias|include|worktree|attributesfile|credential|askpass|submodule/i;

const largestConfig = 100_000;

/** Looks from the folder up to the root for the repository that git would find. Both paths are real. */
export async function isPlainRepository(folder: string, root: string): Promise<boolean> {
  for (let current = folder; isInside(current, root); current = dirname(current)) {
    const repository = join(current, ".git");
    if (await isFolder(repository)) return hasPlainConfig(repository);
    // Git takes a folder with a HEAD for a repository without files, and a .git file for a way to one.
    if ((await exists(repository)) || (await exists(join(current, "HEAD")))) return false;
    if (current === root) return false;
  }
  return false;
}

async function hasPlainConfig(repository: string): Promise<boolean> {
  // The hook that even `git status` runs.
  for (const name of ["config.worktree", "hooks/post-index-change"]) {
    if (await exists(join(repository, name))) return false;
  }
  try {
    const config = await readFile(join(repository, "config"), "utf8");
    return config.length < largestConfig && !risky.test(config);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await kindOf(path)) === "folder";
}

async function exists(path: string): Promise<boolean> {
  return (await kindOf(path)) !== undefined;
}

async function kindOf(path: string): Promise<"folder" | "other" | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
