// The tools of the assistant with their guards around them.
import { join } from "node:path";
import type { Origin } from "../bus/types.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createFileRoots, type FileRoots } from "../guards/file-roots.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { Tool } from "../runner/tool.ts";
import { createEditFile } from "../tools/edit-file.ts";
import { createGlob } from "../tools/glob.ts";
import { createGrep } from "../tools/grep.ts";
import { createListDir } from "../tools/list-dir.ts";
import { createReadFile } from "../tools/read-file.ts";
import { createWriteFile } from "../tools/write-file.ts";

export interface ToolParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  /** Beside the built-in ones. */
  tools?: Tool[];
}

export function buildTools({ paths, loaded, workspace, tools = [] }: ToolParts): { tools: ToolRegistry; roots: FileRoots } {
  const { restrictToWorkspace } = loaded.config.tools;
  const roots = createFileRoots({
    workspaceFor: (origin) => personRoot(workspace, origin),
    readRoots: [paths.toolResults],
    isRestricted: restrictToWorkspace,
  });
  const builtIn = [
    createReadFile(roots),
    createWriteFile(roots),
    createEditFile(roots),
    createListDir(roots),
    createGlob(roots),
    createGrep(roots),
  ] as Tool[];
  return { tools: new ToolRegistry([...builtIn, ...tools]), roots };
}

/** A guest has a folder of his own; the workspace is the owner's. */
function personRoot(workspace: string, { role, person }: Origin): string {
  return role === "owner" ? workspace : join(workspace, "people", encodeURIComponent(person));
}
