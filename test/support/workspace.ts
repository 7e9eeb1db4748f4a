// A workspace with files in it, next to a folder that is not part of it, and the roots that confine tools to it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFileRoots, type FileRoots } from "../../src/guards/files/file-roots.ts";
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

/** A small project with what a search should find and what it should pass over. */
export const searchedProject = {
  "README.md": "hello\n",
  "src/app.ts": "const a = 1;\nneedle();\nconst b = 2;\n// needle twice: needle\n",
  "src/deep/util.py": "def needle(): pass\n",
  "笔记/日记.md": "今天很好\n找针：needle\n",
  ".hidden/x.md": "needle\n",
  ".env": "needle=1\n",
  "node_modules/lib/index.js": "needle\n",
  ".git/config": "needle\n",
  ".gitignore": "*\n",
};
