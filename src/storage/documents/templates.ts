// A workspace's first files, copied from the templates. What is already there is never overwritten.

import { constants, lstat, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packagePath } from "../../lib/package-root.ts";
import { changeMode, copyToFile, makeFolder, removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";

/** Part of the prompt until the first conversation is over and the model has emptied it. */
export const bootstrapFile = "BOOTSTRAP.md";

const workspaceFiles = [
  "AGENTS.md",
  "SOUL.md",
  "USER.md",
  "TOOLS.md",
  "IDENTITY.md",
  "HEARTBEAT.md",
  "memory/MEMORY.md",
];

export interface TemplateOptions {
  /** A brand-new workspace begins with a guided conversation. Default true. */
  hasBootstrap?: boolean;
}

/** Copies the templates that are missing; returns the names of those it made. */
export async function copyTemplates(
  workspace: string,
  { hasBootstrap = true }: TemplateOptions = {},
): Promise<string[]> {
  const made: string[] = [];
  try {
    for (const name of workspaceFiles) made.push(...(await copyTemplate(workspace, name)));
    const isNew = made.length === workspaceFiles.length;
    if (isNew && hasBootstrap) made.push(...(await copyTemplate(workspace, bootstrapFile)));
    return made;
  } catch (error) {
    // All of them or none, so that the next start begins again.
    for (const name of made) await removeFile(join(workspace, name));
    throw error;
  }
}

/** For a workspace in which nothing of an assistant is yet, whatever else it holds. A file that a person removed stays removed. */
export async function ensureWorkspace(workspace: string, options?: TemplateOptions): Promise<void> {
  // One that cannot be read is reported by name.
  await stat(workspace).catch(ignoreMissing);
  const signs = [...workspaceFiles, bootstrapFile, "memory"];
  const isUsed = (await Promise.all(signs.map((name) => isThere(join(workspace, name))))).some(Boolean);
  if (!isUsed) await copyTemplates(workspace, options);
}

/** What cannot be looked at is there: nothing is copied over it. */
async function isThere(path: string): Promise<boolean> {
  const isMissing = (error: NodeJS.ErrnoException) => ["ENOENT", "ENOTDIR"].includes(error.code ?? "");
  return lstat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
}

async function copyTemplate(workspace: string, name: string): Promise<string[]> {
  const target = join(workspace, name);
  await makeFolder(dirname(target));
  try {
    await copyToFile(packagePath("templates", name), target, constants.COPYFILE_EXCL);
    await changeMode(target, 0o600);
    return [name];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return [];
    // What a full disk took of it is not the template.
    await removeFile(target);
    throw error;
  }
}
