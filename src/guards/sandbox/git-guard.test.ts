// A command plants something that git would run; then a person runs git there, outside of any sandbox.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createSandboxedShell,
  hasBubblewrap,
  type SandboxedShell,
} from "../../../test/support/sandboxed-shell.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { packagePath } from "../../lib/package-root.ts";
import { GitGuard } from "./git-guard.ts";

const isHere = hasBubblewrap();
const git = "git -c user.name=a -c user.email=a@b";
const repository = `git init -q . && ${git} add note.md && ${git} commit -qm one`;

/** What a person does there; nothing of it may run the marker. */
function useGit(folder: string): void {
  const commands = [
    ["status"],
    ["diff"],
    ["log", "-1"],
    ["add", "-A"],
    ["commit", "-m", "mine"],
    ["fetch"],
    ["status"],
  ];
  for (const args of commands) {
    try {
      const person = ["-c", "user.name=p", "-c", "user.email=p@q", "-c", "safe.directory=*"];
      execFileSync("git", [...person, ...args], { cwd: folder, stdio: "ignore", timeout: 20_000 });
    } catch (error) {
      if (!("status" in (error as object))) throw error;
    }
  }
}

const script = "#!/bin/sh\\ntouch $MARK\\n";
const fsmonitor = "git config core.fsmonitor 'touch $MARK'";
/** Each in a workspace with a repository, or in one without. */
const planted: Array<[name: string, command: string, folder?: string]> = [
  ["a setting", fsmonitor],
  ["a hook", `printf '${script}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`],
  [
    "a hook of the index",
    `printf '${script}' > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change`,
  ],
  [
    "another folder of settings",
    `cp -r .git/. alt/; git config -f alt/config core.fsmonitor 'touch $MARK'; echo ../alt > .git/commondir`,
  ],
  [
    "hooks elsewhere",
    `mkdir h; printf '${script}' > h/post-index-change; chmod +x h/*; git config core.hooksPath h`,
  ],
  ["an included file", "git config -f inc core.fsmonitor 'touch $MARK'; git config include.path ../inc"],
  [
    "a filter",
    "git config filter.x.clean 'touch $MARK; cat'; echo '* filter=x' > .gitattributes; echo 1 >> note.md",
  ],
  [
    "a filter of its own attributes",
    "git config filter.x.clean 'touch $MARK; cat'; echo '* filter=x' > .git/info/attributes; echo 1 >> note.md",
  ],
  ["a program for differences", "git config diff.external 'touch $MARK'; echo 1 >> note.md"],
  ["an upload program", "git remote add origin ./x; git config remote.origin.uploadpack 'touch $MARK;'"],
  [
    "an address that is a program",
    "git config remote.origin.url 'ext::sh -c touch% $MARK'; git config protocol.ext.allow always",
  ],
  [
    "settings of a work tree",
    "git config extensions.worktreeConfig true; git config -f .git/config.worktree core.fsmonitor 'touch $MARK'",
  ],
  ["one line of settings", "printf '[core]fsmonitor=touch $MARK\\n' >> .git/config"],
  ["a continued line", "printf '[core]\\n\\tfsmo\\\\\\nnitor = touch $MARK\\n' >> .git/config"],
  [
    "a repository in place of the old",
    "git init -q other && git config -f other/.git/config core.fsmonitor 'touch $MARK' && rm -rf .git && mv other/.git .git",
  ],
  [
    "a nested repository that is in the index",
    `git init -q sub && cd sub && ${git} commit -q --allow-empty -m x && ${fsmonitor} && cd .. && ${git} add sub`,
  ],
  [
    "a repository that is a link",
    "mv .git real; ln -s real .git; git config -f real/config core.fsmonitor 'touch $MARK'",
  ],
  [
    "a repository that a file leads to",
    "mv .git real; echo 'gitdir: real' > .git; git config -f real/config core.fsmonitor 'touch $MARK'",
  ],
  [
    "a folder that looks like one",
    "mkdir -p b/objects b/refs; echo 'ref: refs/heads/x' > b/HEAD; printf '[core]\\nbare=false\\nworktree=..\\nfsmonitor=touch $MARK\\n' > b/config",
    "b",
  ],
  ["settings for Mercurial", "mkdir .hg; printf '[hooks]\\npre-status = touch $MARK\\n' > .hg/hgrc"],
  [
    "a name that a Mac takes for the same",
    "mkdir -p $'n/.g\\342\\200\\214it/objects'; printf '[core]\\nfsmonitor=touch $MARK\\n' > $'n/.g\\342\\200\\214it/config'",
  ],
  ["a bundle", "git config fetch.bundleURI 'ext::sh -c touch% $MARK'; git config remote.origin.url ./x"],
  [
    "a helper for keys",
    "git config credential.helper '!touch $MARK #'; git remote add origin https://127.0.0.1:9/x",
  ],
  [
    "another address",
    "git config url.'ext::sh -c touch% $MARK'.insteadOf https://; git remote add origin https://x",
  ],
  [
    "settings in another work tree",
    "git worktree add -q tree -b t; git config extensions.worktreeConfig true; git -C tree config --worktree core.fsmonitor 'touch $MARK'",
    "tree",
  ],
  [
    "a module that is there already",
    "mkdir -p .git/modules/m/objects .git/modules/m/refs m; echo 'ref: refs/heads/x' > .git/modules/m/HEAD; git config -f .git/modules/m/config core.fsmonitor 'touch $MARK'; echo 'gitdir: ../.git/modules/m' > m/.git",
    "m",
  ],
  [
    "settings by the environment of a hook",
    "printf '#!/bin/sh\\ntouch $MARK' > .git/hooks/fsmonitor-watchman; chmod +x .git/hooks/*; GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=.git/hooks/fsmonitor-watchman git status -s",
  ],
  ["objects elsewhere", "mkdir -p /tmp/o; echo /tmp/o > .git/objects/info/alternates"],
  [
    "a program for a merge",
    "git config merge.x.driver 'touch $MARK'; echo '* merge=x' > .git/info/attributes",
  ],
  [
    "steps of a rebase",
    "mkdir .git/rebase-merge; echo 'exec touch $MARK' > .git/rebase-merge/git-rebase-todo",
  ],
  [
    "a way to merge that is a program",
    `mkdir -p .git/rebase-merge git-merge-..; printf '${script}' > x; chmod +x x; printf ../../x > .git/rebase-merge/strategy`,
  ],
  [
    "a way to merge of a sequence",
    `mkdir -p .git/sequencer git-merge-..; printf '${script}' > x; chmod +x x; printf '[options]\n\tstrategy = ../../x\n' > .git/sequencer/opts`,
  ],
  [
    "settings for Jujutsu",
    "mkdir -p .jj/repo; printf '[core]\nfsmonitor = \"touch $MARK\"\n' > .jj/repo/config.toml",
  ],
  ["settings for Darcs", "mkdir -p _darcs/prefs; echo 'ALL posthook touch $MARK' > _darcs/prefs/defaults"],
];

describe.runIf(isHere)("after a command", () => {
  let shell: SandboxedShell;

  it.each(planted)("%s is set aside in a repository that was there", async (_, command, folder = ".") => {
    shell = await createSandboxedShell();
    const mark = join(shell.workspace, "PWNED");
    await shell.run(repository);
    const output = await shell.run(`mkdir -p alt; ${command.replaceAll("$MARK", mark)}; rm -f ${mark}`);
    expect(output).toMatch(/Set aside/);
    useGit(join(shell.workspace, folder));
    expect(existsSync(mark)).toBe(false);
  });

  it("is set aside in a repository that the same command made, too", async () => {
    shell = await createSandboxedShell();
    const mark = join(shell.workspace, "PWNED");
    expect(await shell.run(`git init -q . && ${fsmonitor.replace("$MARK", mark)}`)).toMatch(/Set aside/);
    useGit(shell.workspace);
    expect(existsSync(mark)).toBe(false);
  });

  it("what two commands plant together is set aside", async () => {
    shell = await createSandboxedShell();
    const mark = join(shell.workspace, "PWNED");
    await shell.run(`mkdir evil; printf '[core]\\nfsmonitor=touch ${mark}\\n' > evil/config`);
    await shell.run("mkdir evil/objects evil/refs; echo 'ref: refs/heads/x' > evil/HEAD; mv evil .git");
    useGit(shell.workspace);
    expect(existsSync(mark)).toBe(false);
  });
});

describe.runIf(isHere)("marks of files", () => {
  it("setuid and setgid are taken from what a command made, also among objects; others keep theirs", async () => {
    const { workspace, run } = await createSandboxedShell({
      files: { ".nanobot/workspace/mine": "", ".nanobot/workspace/plain": "" },
    });
    const modeOf = (name: string) => statSync(join(workspace, name)).mode & 0o7777;
    chmodSync(join(workspace, "mine"), 0o4755);
    chmodSync(join(workspace, "plain"), 0o640);
    expect(await run("true")).toBe("Exit code: 0");
    await run(
      "git init -q . && cp /bin/true a && chmod 4755 a && install -m 2711 /bin/true .git/objects/b && cp a c && chmod 6000 c",
    );
    expect([".git/objects/b", "a", "c", "mine", "plain"].map(modeOf)).toEqual([
      0o711, 0o755, 0, 0o4755, 0o640,
    ]);
  });
});

describe.runIf(isHere)("where nanobot is killed in the middle of a command", () => {
  it("the next start looks at what the command left, and puts back what was there", async () => {
    const { workspace, userFolder, run } = await createSandboxedShell();
    await run(`${repository} && git config user.name mine`);
    const runFolder = join(userFolder, "run");
    const script = `
      import { execSync } from "node:child_process";
      import { GitGuard } from ${JSON.stringify(packagePath("src/guards/sandbox/git-guard.ts"))};
      await new GitGuard(${JSON.stringify(runFolder)}).begin([${JSON.stringify(workspace)}]);
      execSync("git config core.fsmonitor 'touch PWNED'; cp /bin/true a; chmod u+s a", { cwd: ${JSON.stringify(workspace)} });
      process.kill(process.pid, "SIGKILL");`;
    const { signal } = await runProgram([process.execPath, "--input-type=module", "-e", script]);
    expect(signal).toBe("SIGKILL");
    const next = new GitGuard(runFolder);
    expect(await next.finishLeft()).toEqual([join(workspace, ".git/config")]);
    expect(readFileSync(join(workspace, ".git/config"), "utf8")).toContain("name = mine");
    expect(statSync(join(workspace, "a")).mode & 0o7000).toBe(0);
    // The next command tells it, once, and nothing is left under way.
    expect(await (await next.begin([workspace])).end()).toEqual([join(workspace, ".git/config")]);
    expect(await (await next.begin([workspace])).end()).toEqual([]);
    expect(await readdir(runFolder)).toEqual([]);
  });
});

describe.runIf(isHere)("git in the sandbox", () => {
  let shell: SandboxedShell;
  beforeAll(() => {
    expect(isHere).toBe(true);
  });

  it("works as ever, and nothing of it is set aside", async () => {
    shell = await createSandboxedShell();
    const commands = [
      repository,
      "git checkout -q -b work && git branch -m better && git tag v1 && git stash list",
      "git config user.name someone && git config user.email some@one.example",
      "git remote add origin https://a.example/x.git && git config branch.better.remote origin",
      `echo 2 >> note.md && git commit -qam two && git merge -q --no-edit v1 && git rebase -q v1`,
      "git worktree add -q ../workspace/tree -b other && git -C tree status -s",
      "git clone -q . copy && git -C copy log -1 --oneline",
      "git submodule --quiet add ./copy sub 2>/dev/null; git gc -q; git status -s",
    ];
    for (const command of commands) {
      const output = await shell.run(command);
      expect([command, output]).toEqual([command, expect.stringMatching(/Exit code: 0$/)]);
    }
  });

  it("what the owner had is put back, and the owner's own hooks stay", async () => {
    shell = await createSandboxedShell({
      files: {
        ".nanobot/workspace/.git/hooks/pre-commit": "mine",
        ".nanobot/workspace/.git/config": "[core]\n\tfsmonitor = mine\n",
      },
    });
    const read = (name: string) => readFileSync(join(shell.workspace, ".git", name), "utf8");
    expect(await shell.run("echo hello")).toBe("hello\nExit code: 0");
    expect(
      await shell.run(
        "echo x > .git/hooks/pre-commit; echo '[core]' > .git/config; echo '[alias]\nx=!y' >> .git/config",
      ),
    ).toMatch(/Set aside/);
    expect([read("hooks/pre-commit"), read("config")]).toEqual(["mine", "[core]\n\tfsmonitor = mine\n"]);
    expect(await readdir(join(shell.workspace, ".git"))).toContain("config.set-aside");
  });

  it("is closed to a command that is left running", async () => {
    shell = await createSandboxedShell();
    const closed = await shell.run("mkdir .git/hooks || git init -q . || echo closed", {
      yield_time_ms: 20_000,
    });
    expect(closed).toMatch(/^closed$/m);
    expect(existsSync(join(shell.workspace, ".git"))).toBe(false);
    await shell.run(repository);
    const output = await shell.run("echo x >> .git/config || mv .git old || echo closed; git status -s", {
      yield_time_ms: 20_000,
    });
    expect(output).toMatch(/^closed$/m);
  });
});
