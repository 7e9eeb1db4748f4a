// A workspace with files in it, beside a folder that is not part of it, and the roots that confine tools to it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFileRoots, type FileRoots } from "../../src/guards/file-roots.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface TestWorkspace {
  workspace: string;
  /** Holds `secret.md` with the word "needle". */
  outside: string;
  roots: FileRoots;
}

export async function createWorkspace(
  files: Record<string, string | Uint8Array> = {},
): Promise<TestWorkspace> {
  const inside = Object.entries(files).map(([name, content]) => [`ws/${name}`, content]);
  const base = await createTemporaryFolder({
    "outside/secret.md": "needle",
    ...Object.fromEntries(inside),
  });
  const workspace = join(base, "ws");
  await mkdir(workspace, { recursive: true });
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  return { workspace, outside: join(base, "outside"), roots };
}
