// The corpora of command lines, and a workspace in which each of them means something.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CommandPolicy,
  type CommandPolicyOptions,
  createCommandPolicy,
} from "../../src/guards/command/command-policy.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

export interface CorpusLine {
  kind: string;
  /** With `{ws}`, `{outside}` and `{home}` still in it. */
  text: string;
}

/** `class<TAB>command`; in the command `\n` is a new line, and `\\` a backslash. */
export function readCorpus(name: "hostile" | "honest"): CorpusLine[] {
  const lines = readFileSync(packagePath(`test/fixtures/commands-${name}.txt`), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [kind = "", text = ""] = line.split(/\t(.*)/s);
      return { kind, text: text.replaceAll(/\\([\\n])/g, (_, sign) => (sign === "n" ? "\n" : "\\")) };
    });
}

export interface CommandGround extends TestWorkspace {
  home: string;
  fill(text: string): string;
  createPolicy(options?: Partial<CommandPolicyOptions>): CommandPolicy;
}

const files = {
  "README.md": "hello\n",
  "notes.md": "needle\n",
  "package.json": "{}\n",
  "data.csv": "a,1\n",
  "data.json": "[]\n",
  "src/app.ts": "needle();\n",
  "src/deep/util.py": "",
  "scripts/run.sh": "echo hi\n",
  "evil/history.jsonl": "",
  "evil/memory/history.jsonl": "",
  "memory/MEMORY.md": "",
  "memory/history.jsonl": "",
  "odd/-rf": "",
  "笔记.md": "针\n",
  "文档/计划.md": "计划\n",
  "node_modules/.bin/tsc": "",
};

/** `hasLinks`: some links of the workspace lead out of it. */
export async function createCommandGround({ hasLinks }: { hasLinks: boolean }): Promise<CommandGround> {
  const created = await createWorkspace(files);
  const { workspace, outside, roots } = created;
  execFileSync("git", ["init", "-q", workspace]);
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
      createCommandPolicy({ roots, home, isContained: () => false, allow: [], deny: [], ...options }),
  };
}
