// A workspace in which the lines of the corpora mean something.
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CommandPolicy,
  type CommandPolicyOptions,
  createCommandPolicy,
} from "../../src/guards/command/command-policy.ts";
import { corpusFiles } from "./corpus-lines.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

export interface CommandGround extends TestWorkspace {
  home: string;
  fill(text: string): string;
  createPolicy(options?: Partial<CommandPolicyOptions>): CommandPolicy;
}

/** `hasLinks`: some links of the workspace lead out of it. */
export async function createCommandGround({ hasLinks }: { hasLinks: boolean }): Promise<CommandGround> {
  const created = await createWorkspace(corpusFiles);
  const { workspace, outside, roots } = created;
  for (const name of ["objects", "refs"]) await mkdir(join(workspace, ".git", name));
  if (hasLinks) {
    await symlink(join(outside, "secret.md"), join(workspace, "link"));
    await symlink(outside, join(workspace, "folder-link"));
  }
  await symlink("src", join(workspace, "inside-link"));
  await symlink("src/deep", join(workspace, "deep-link"));
  const home = join(dirname(workspace), "home");
  await mkdir(join(home, ".nanobot"), { recursive: true });
  return {
    ...created,
    home,
    fill: (text) =>
      text.replaceAll("{ws}", workspace).replaceAll("{outside}", outside).replaceAll("{home}", home),
    createPolicy: (options) =>
      createCommandPolicy({
        roots,
        workspace,
        home,
        isContained: () => false,
        allow: [],
        deny: [],
        ...options,
      }),
  };
}
