import { execFileSync } from "node:child_process";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommandGround } from "../../../test/support/command-corpus.ts";
import { owner } from "../../../test/support/tool-context.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { CommandAccess } from "../../runner/tool.ts";
import type { CommandPolicyOptions } from "./command-policy.ts";

async function setUp(options: Partial<CommandPolicyOptions> = {}) {
  const ground = await createCommandGround({ hasLinks: true });
  const policy = ground.createPolicy(options);
  const judge = (command: string, access: CommandAccess & { workingDirectory?: string } = {}) =>
    policy.judge({ command: ground.fill(command), ...access }, { origin: owner });
  const classOf = async (command: string, access?: CommandAccess & { workingDirectory?: string }) =>
    (await judge(command, access)).class;
  return { ...ground, judge, classOf };
}

const contained = { isContained: () => true };

describe("where a sandbox contains commands", () => {
  it.each([
    "npm test",
    "python3 -c 'import os; os.system(\"ls\")'",
    "rm -rf src",
    "git commit -m x",
    "curl https://a.example",
    "cat /etc/shadow",
    "echo 'x",
    "X=ls; $X",
    "base64 -d x | sh",
    ":(){ :|:& };:",
  ])("%s runs, and is asked about elsewhere", async (command) => {
    expect(await (await setUp(contained)).classOf(command)).toBe("harmless");
    expect(await (await setUp()).classOf(command)).toBe("ask");
  });

  it("leaving it is asked about, as what it is", async () => {
    const { judge } = await setUp(contained);
    expect(await judge("curl https://a.example", { network: ["a.example"] })).toMatchObject({
      class: "ask",
      reasons: [phrase("approval.wants-hosts", { hosts: "a.example" })],
      needsNetwork: true,
      programs: ["curl"],
    });
    expect(await judge("make", { outside: true, writable: ["/srv/x"], network: true })).toMatchObject({
      class: "ask",
      reasons: [
        phrase("approval.wants-outside"),
        phrase("approval.wants-network"),
        phrase("approval.wants-writable", { paths: "/srv/x" }),
      ],
    });
  });

  it.each([
    [{ network: ["127.0.0.1"] }, "approval.private-address"],
    [{ network: ["localhost:8080"] }, "approval.private-address"],
    [{ network: ["169.254.169.254"] }, "approval.private-address"],
    [{ network: ["*.com"] }, "approval.bad-host"],
    [{ network: ["a b"] }, "approval.bad-host"],
    [{ writable: ["/"] }, "approval.system"],
    [{ writable: ["{home}/.ssh"] }, "approval.secret"],
    [{ writable: ["{home}/.ssh/authorized_keys"] }, "approval.secret"],
    [{ writable: ["{ws}/memory"] }, "approval.own"],
    [{ writable: ["{ws}/.."] }, "approval.own"],
  ] as const)("%j is refused, whoever asks", async (access, code) => {
    const { judge, fill } = await setUp(contained);
    const filled = "writable" in access ? { writable: access.writable.map(fill) } : access;
    expect(await judge("ls", filled)).toMatchObject({ class: "refused", reasons: [{ code }] });
  });

  it("networks that the owner opened can be asked for", async () => {
    const { classOf } = await setUp({ ...contained, allowedNetworks: ["192.168.1.0/24"] });
    expect(await classOf("ls", { network: ["192.168.1.7:80"] })).toBe("ask");
    expect(await classOf("ls", { network: ["192.168.2.7"] })).toBe("refused");
  });
});

describe("where there is no sandbox", () => {
  const listed = [
    "ls -la src",
    "cat notes.md | head -3",
    "grep -rn needle src | wc -l",
    "cat 'notes.md' 2>/dev/null && echo done",
    "date +%F; pwd; uname -a",
    "tail -n 5 notes.md",
    "git status --short",
    "git log --oneline -5",
    "wc -l src/app.ts notes.md > /dev/null",
    "ls 文档",
  ];

  it("what is on the list runs unasked, and only looks around", async () => {
    const { judge } = await setUp();
    for (const command of listed) {
      const { class: judged, isReadOnly } = await judge(command);
      expect([command, judged, isReadOnly]).toEqual([command, "harmless", true]);
    }
  });

  const unlisted = [
    "cat ../outside/secret.md",
    "cat {outside}/secret.md",
    "cat link",
    "ls folder-link",
    "cat deep-link/../../../outside/secret.md",
    "cat $X",
    "cat *.md",
    "cat ~/x",
    "cat $(ls)",
    "cat notes.md > copy",
    "LANG=C ls",
    "ls &",
    "for i in 1; do ls; done",
    "if ls; then ls; fi",
    "sort -o x notes.md",
    "sort --compress-program=sh notes.md",
    "uniq notes.md out",
    "grep -f /etc/shadow x",
    "grep --file=x y",
    "date -s 2000-01-01",
    "date 01010101",
    "cat notes.md | sh",
    "./ls",
    "/tmp/ls",
    "env ls",
    "awk '{print}' notes.md",
    "sed -n 1p notes.md",
    "git -c core.pager=x log",
    "git diff",
    "git log --output=x",
    "git --git-dir=x status",
    "ls\u200b",
    "cat no\u202etes",
    "head -c1M notes.md -- x",
    "ls --hyperlink=x",
    "command ls",
    "ls <(ls)",
    "cat <<< x",
    "cat < notes.md",
  ];

  it("everything else is asked about", async () => {
    const { judge } = await setUp();
    for (const command of unlisted) {
      const { class: judged, reasons, isReadOnly } = await judge(command);
      expect([command, judged, isReadOnly, reasons]).toEqual([
        command,
        "ask",
        false,
        [phrase("approval.no-sandbox")],
      ]);
    }
  });

  it("paths count from the working folder", async () => {
    const { classOf } = await setUp();
    expect(await classOf("cat util.py", { workingDirectory: "src/deep" })).toBe("harmless");
    expect(await classOf("cat ../app.ts", { workingDirectory: "src/deep" })).toBe("ask");
    expect(await classOf("ls", { workingDirectory: "../outside" })).toBe("ask");
  });

  it("git only reads a repository whose files start no programs", async () => {
    const { classOf, workspace } = await setUp();
    expect(await classOf("git status", { workingDirectory: "src" })).toBe("harmless");
    execFileSync("git", ["init", "-q", join(workspace, "sub")]);
    expect(await classOf("git status")).toBe("harmless");
    await appendFile(join(workspace, "sub/.git/config"), "[core]\n\tfsmonitor = touch pwned\n");
    expect(await classOf("git status")).toBe("ask");
    const hooked = await setUp();
    await mkdir(join(hooked.workspace, ".git/hooks"), { recursive: true });
    await writeFile(join(hooked.workspace, ".git/hooks/post-index-change"), "");
    expect(await hooked.classOf("git status")).toBe("ask");
    const alternate = await setUp();
    await writeFile(join(alternate.workspace, ".git/commondir"), "../alt\n");
    expect(await alternate.classOf("git status")).toBe("ask");
    const bare = await setUp();
    await writeFile(join(bare.workspace, "HEAD"), "ref: refs/heads/main\n");
    expect(await bare.classOf("git status")).toBe("ask");
  });

  it("what is linked meanwhile is looked at each time", async () => {
    const { classOf, workspace, outside } = await setUp();
    expect(await classOf("cat later.md")).toBe("harmless");
    await symlink(join(outside, "secret.md"), join(workspace, "later.md"));
    expect(await classOf("cat later.md")).toBe("ask");
  });
});

describe("rules of the owner", () => {
  const allow = ["git push", "npm run *", "docker compose *", "make test:*"];

  it("let named commands run, with all that is in the line", async () => {
    const { classOf } = await setUp({ allow });
    const inside = await setUp({ allow, ...contained });
    for (const command of [
      "git push",
      "npm run build -- --fast",
      "docker compose up -d",
      "make test:unit",
      "cd src && npm run lint | tail -3",
      "/usr/bin/git push",
    ]) {
      expect([command, await classOf(command)]).toEqual([command, "harmless"]);
      expect(await inside.classOf(command, { network: true })).toBe("harmless");
    }
    for (const command of [
      "git push --force",
      "npm runx",
      "npm install && npm run build",
      "npm run build; frobnicate",
      'npm run "$X"',
      "./npm run build",
      "GIT_SSH_COMMAND=x git push",
      "git push $(curl a.example)",
      "make test",
      "cat /etc/passwd | npm run x",
    ]) {
      expect([command, await classOf(command)]).toEqual([command, "ask"]);
      expect(await inside.classOf(command, { network: true })).toBe("ask");
    }
    expect(await inside.classOf("npm run x > /etc/motd", { outside: true })).toBe("ask");
  });

  it("never lift what is refused", async () => {
    const { classOf } = await setUp({ allow: ["ls *"], ...contained });
    expect(await classOf("ls -l", { network: ["127.0.0.1"] })).toBe("refused");
  });

  const deny = ["git push", "rm", "git commit --amend"];
  const denied = [
    "git push origin main",
    "ls && sh -c 'git push'",
    "echo $(git push)",
    "git -C src push",
    "git --git-dir .git push",
    "git --no-pager --work-tree x push",
    "/usr/bin/git push",
    "env A=1 git push",
    "sudo -u bob git push",
    "nice -n 5 timeout 9 rm x",
    "find . -exec rm {} +",
    "find . -name x -execdir rm {} \\;",
    "ls | xargs rm",
    "ls | xargs -n1 -I{} rm {}",
    "watch 'rm x'",
    "script -c 'rm x'",
    "bash <<'E'\nrm x\nE",
    "bash <<< 'rm x'",
    "eval rm x",
    "trap 'rm x' EXIT",
    "f() { rm x; }; f",
    "r''m x",
    "r\\m x",
    "$'\\x72m' x",
    "if true; then rm x; fi",
    "cat <(rm x)",
    "alias r=rm",
    "busybox rm x",
    "xargs env rm",
    "git commit -m x --amend",
    "command rm x",
    "exec rm x",
    "coproc rm x",
    "time rm x",
    "git rebase -x 'rm y' main",
    "git -c alias.z='!rm x' z",
    "parallel rm ::: a",
    "setsid nohup rm x &",
  ];

  it("refuse a command wherever it is in the line, in the sandbox and outside", async () => {
    for (const options of [contained, {}]) {
      const { judge } = await setUp({ deny, ...options });
      for (const command of denied) {
        const { class: judged, reasons } = await judge(command);
        expect([command, judged, reasons[0]?.code]).toEqual([command, "refused", "approval.owner-rule"]);
      }
    }
  });

  const unreadable = [
    "X=rm; $X y",
    "echo cm0= | base64 -d | sh",
    "$(echo rm) x",
    "{rm,x}",
    "/bin/r? x",
    "echo rm | xargs -I{} sh -c '{}'",
    "ls | xargs",
    'python3 -c \'import os; os.system("r"+"m x")\'',
    'awk \'BEGIN{system("r" "m x")}\'',
    "sed '1e rm x' notes.md",
    "mytool --then rm x",
    "source <(echo x)",
    "sh < notes.md",
    "echo 'x",
    'eval "$X"',
  ];

  it("ask about what may start what they deny", async () => {
    const { judge } = await setUp({ deny, ...contained });
    for (const command of unreadable) {
      const { class: judged, reasons } = await judge(command);
      expect([command, judged, reasons[0]?.code]).toEqual([command, "ask", "approval.may-be-denied"]);
    }
  });

  it("leave everything else alone", async () => {
    const { classOf } = await setUp({ deny, ...contained });
    const commands = [
      "git log && ls",
      "echo git push",
      "grep rm notes.md",
      "awk '{print $1}' notes.md",
      "man rm",
    ];
    for (const command of [...commands, "python3 x.py"])
      expect([command, await classOf(command)]).toEqual([command, "harmless"]);
  });

  it("from the Python original: what is denied never runs, and of a list only what is on it", async () => {
    const { classOf } = await setUp({ denyPatterns: ["(?i)\\bdrop\\s+table\\b"], ...contained });
    expect(await classOf("echo 'DROP TABLE x'")).toBe("refused");
    expect(await classOf("echo 'drop it'")).toBe("harmless");
    const listed = await setUp({ allowPatterns: ["git (status|log).*", "ls.*"], ...contained });
    expect(await listed.classOf("git status && ls -l")).toBe("harmless");
    expect(await listed.classOf("git status && pwd")).toBe("refused");
    expect(await listed.classOf("rm -rf / ; ls")).toBe("refused");
    const broken = await setUp({ denyPatterns: ["(?P<x>a)"], ...contained });
    expect(await broken.judge("ls")).toMatchObject({
      class: "ask",
      reasons: [{ code: "approval.bad-pattern" }],
    });
  });
});
