import { execFileSync } from "node:child_process";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { owner } from "../../test/support/tool-context.ts";
import { createWorkspace, type TestWorkspace } from "../../test/support/workspace.ts";
import { createFileRoots } from "./file-roots.ts";
import { findConcern } from "./simple-command.ts";

type Judge = (command: string, workingDirectory?: string) => Promise<string | undefined>;

async function setUp(): Promise<TestWorkspace & { judge: Judge }> {
  const created = await createWorkspace({ "笔记.md": "x", "src/a.ts": "x" });
  execFileSync("git", ["init", "-q", created.workspace]);
  return {
    ...created,
    judge: (command, workingDirectory) =>
      findConcern(command, { roots: created.roots, origin: owner, workingDirectory }),
  };
}

describe("without asking", () => {
  const harmless = [
    "ls",
    "ls -la src",
    "ls -lhR --all",
    "  pwd  ",
    "ls\n",
    "cat 笔记.md src/a.ts",
    "cat -n ./src/../笔记.md",
    "head -n 5 笔记.md",
    "head -20 笔记.md",
    "tail -c 100 笔记.md",
    "wc -l 笔记.md",
    "echo 你好 world a=b 50% x@y.z",
    "date",
    "date -u +%Y-%m-%d",
    "date -Iseconds",
    "whoami",
    "uname -a",
    "which git node",
    "git status",
    "git status -sb",
    "git log --oneline -5",
    "git log --since=2.weeks --author=李 -n 3 -- src",
    "git diff --stat HEAD src/a.ts",
    "git diff main..dev",
    "git show HEAD:src/a.ts",
    "git branch -a",
    "git branch --show-current",
  ];
  it.each(harmless)("runs %s", async (command) => {
    const { judge } = await setUp();
    expect(await judge(command)).toBeUndefined();
  });
});

describe("only after asking", () => {
  const risky = [
    "rm -rf .",
    "ls; rm x",
    "ls && rm x",
    "ls & rm x",
    "ls | sh",
    "ls > x",
    "ls\nrm x",
    "ls\r\nrm x",
    "cat <x",
    "echo $HOME",
    "echo `id`",
    "echo $(id)",
    "echo 'quoted'",
    'echo "quoted"',
    "echo a\\ b",
    "cat *.md",
    "cat 笔记.md\u00a0",
    "\ufeffls",
    "cat\u3000笔记.md",
    "cat ?.md",
    "cat {a,b}",
    "cat ~/.ssh/id_rsa",
    "ls ~root",
    "PATH=. ls",
    "FOO=bar",
    "#ls",
    "!!",
    "./ls",
    "/bin/ls",
    "src/ls",
    "cat /etc/passwd",
    "cat //etc/passwd",
    "cat ../outside/secret.md",
    "cat src/../../outside/secret.md",
    "cat link",
    "ls folder-link",
    "ls -L",
    "ls /",
    "cat /dev/zero",
    "cat /proc/self/environ",
    "cat -",
    "head /etc/passwd",
    "tail -f 笔记.md",
    "wc --files0-from=/etc/passwd",
    "date -s 2020",
    "date --set=2020",
    "date 010100002030",
    "date -f /etc/passwd",
    "which -x a",
    "pwd x",
    "whoami x",
    "git",
    "git push",
    "git commit -m x",
    "git -c core.pager=evil log",
    "git -C ../outside status",
    "git --git-dir=x status",
    "git diff --output=x",
    "git diff --ext-diff",
    "git diff --no-index a b",
    "git diff /etc/passwd /etc/hosts",
    "git log --textconv",
    "git log -o x",
    "git log --show-signature",
    "git branch new",
    "git branch -D main",
    "git branch --edit-description",
    "git show --output=x",
    "git difftool",
    "gitx status",
    "constructor",
    "__proto__",
    "toString x",
    "env",
    `echo ${"x".repeat(2000)}`,
    "find . -delete",
    "xargs rm",
    "",
  ];
  it.each(risky)("runs %j", async (command) => {
    const { judge, workspace, outside } = await setUp();
    await symlink(join(outside, "secret.md"), join(workspace, "link"));
    await symlink(outside, join(workspace, "folder-link"));
    expect(await judge(command)).toMatch(/\.$/);
  });

  it("runs a harmless one in a folder outside", async () => {
    const { judge } = await setUp();
    expect(await judge("ls", "../outside")).toMatch(/leads outside/);
    expect(await judge("cat secret.md", "../outside")).toMatch(/leads outside/);
    expect(await judge("cat ../../outside/secret.md", "src")).toMatch(/leads outside/);
    expect(await judge("cat ../笔记.md", "src")).toBeUndefined();
  });
});

describe("git", () => {
  it("is asked about where the settings of the repository name programs", async () => {
    const { judge, workspace } = await setUp();
    expect(await judge("git status", "src")).toBeUndefined();
    await appendFile(join(workspace, ".git/config"), "[core]\n\tfsmonitor = touch pwned\n");
    expect(await judge("git status")).toMatch(/not a plain one/);
    expect(await judge("git status", "src")).toMatch(/not a plain one/);
  });

  it("is asked about where a hook would run", async () => {
    const { judge, workspace } = await setUp();
    await mkdir(join(workspace, ".git/hooks"), { recursive: true });
    await writeFile(join(workspace, ".git/hooks/post-index-change"), "");
    expect(await judge("git status")).toMatch(/not a plain one/);
  });

  it("is asked about in a folder made up to look like a repository", async () => {
    const { judge, roots } = await setUp();
    await roots.writeInside("fake/HEAD", "ref: refs/heads/main\n", owner);
    await roots.writeInside(
      "fake/config",
      "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch pwned\n",
      owner,
    );
    await roots.writeInside("fake/objects/x", "", owner);
    await roots.writeInside("fake/refs/x", "", owner);
    expect(await judge("git status", "fake")).toMatch(/not a plain one/);
    expect(await judge("git status", "fake/objects")).toMatch(/not a plain one/);
  });

  it("is asked about where the repository is not the workspace's", async () => {
    const { workspace, judge } = await setUp();
    await mkdir(join(workspace, "sub"));
    const inner = createFileRoots({
      workspaceFor: () => join(workspace, "sub"),
      readRoots: [],
      isRestricted: true,
    });
    expect(await findConcern("git status", { roots: inner, origin: owner })).toMatch(/not a plain one/);
    await writeFile(join(workspace, "sub/.git"), "gitdir: /elsewhere\n");
    expect(await judge("git status", "sub")).toMatch(/not a plain one/);
  });
});

it("never lets bash see anything but the plain words", async () => {
  const { judge, workspace } = await setUp();
  const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  });
  const nasty = fc.string({
    unit: fc.constantFrom(..."ab /.~$`'\"\\;&|<>(){}[]*?!#\n\t=%+-早"),
    maxLength: 12,
  });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        words.map((parts) => parts.join(" ")),
        nasty,
      ),
      async (text) => {
        const command = `echo x${text}`;
        if ((await judge(command)) !== undefined) return;
        accepted++;
        const output = execFileSync("bash", ["-c", command], { cwd: workspace, encoding: "utf8" });
        expect(output).toBe(
          `${command
            .replace(/[ \n]+$/, "")
            .split(/ +/)
            .slice(1)
            .join(" ")}\n`,
        );
      },
    ),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(20);
});
