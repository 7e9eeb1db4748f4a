import { execFileSync } from "node:child_process";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandGround, createCommandGround } from "../../../test/support/command-corpus.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { owner } from "../../../test/support/tool-context.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createFileRoots } from "../files/file-roots.ts";
import { type CommandPolicyOptions, createCommandPolicy } from "./command-policy.ts";

async function setUp(options: Partial<CommandPolicyOptions> = {}) {
  const ground = await createCommandGround({ hasLinks: false });
  const policy = ground.createPolicy(options);
  const judge = (command: string, workingDirectory?: string) =>
    policy.judge(ground.fill(command), { origin: owner, workingDirectory });
  const classOf = async (command: string, workingDirectory?: string) =>
    (await judge(command, workingDirectory)).class;
  return { ...ground, judge, classOf };
}

describe("a judgement", () => {
  it("names every program of the line with its arguments, those inside of others too", async () => {
    const { judge } = await setUp();
    const line = `X=notes; cat "$X.md" | env LANG=C grep -c 'a b' && sh -c 'ls -l; echo $(date)'`;
    expect((await judge(line)).segments).toEqual([
      ["cat", "notes.md"],
      ["env", "LANG=C", "grep", "-c", "a b"],
      ["grep", "-c", "a b"],
      ["sh", "-c", "ls -l; echo $(date)"],
      ["ls", "-l"],
      ["date"],
      ["echo", "0"],
    ]);
  });

  it("gives the worst reason first, and of what is refused nothing else", async () => {
    const { judge, home } = await setUp();
    expect(await judge("npm test && curl https://a.example && frobnicate")).toMatchObject({
      class: "ask",
      reasons: [
        phrase("approval.not-known", { program: "frobnicate" }),
        phrase("approval.network", { program: "curl" }),
        phrase("approval.local-code", { program: "npm" }),
      ],
      needsNetwork: true,
    });
    expect((await judge("npm test && cat ~/.ssh/id_rsa")).reasons).toEqual([
      phrase("approval.secret", { path: `${home}/.ssh/id_rsa` }),
    ]);
  });

  it("tells what only looks around from what changes files or runs code", async () => {
    const { judge } = await setUp({ isContained: () => true });
    const isReadOnly = async (command: string) => (await judge(command)).isReadOnly;
    expect(await isReadOnly("cat notes.md | sort > /dev/null 2>&1; git log")).toBe(true);
    for (const command of [
      "date > stamp",
      "rm a.txt",
      "npm test",
      "sed -i s/a/b/ notes.md",
      "curl a.example",
    ]) {
      expect([command, await isReadOnly(command)]).toEqual([command, false]);
    }
  });
});

describe("where a sandbox contains commands", () => {
  const local = [
    "npm test",
    "make",
    "python3 script.py",
    "./scripts/run.sh",
    "git commit -m x",
    "tar xf a.tar",
    "node -e 'require(1)'",
    "find . | xargs cat",
  ];

  it.each(local)("%s runs, and is asked about elsewhere", async (command) => {
    const { classOf, createPolicy } = await setUp();
    expect(await classOf(command)).toBe("ask");
    const contained = createPolicy({ isContained: () => true });
    expect((await contained.judge(command, { origin: owner })).class).toBe("harmless");
  });

  it("temporary files are its own; elsewhere they are asked about", async () => {
    const options = { scratchFolders: ["/scratch"] };
    const { classOf, createPolicy } = await setUp(options);
    expect(await classOf("date > /scratch/x")).toBe("ask");
    const contained = createPolicy({ ...options, isContained: () => true });
    expect((await contained.judge("date > /scratch/x", { origin: owner })).class).toBe("harmless");
    expect((await contained.judge("date > /scratchy", { origin: owner })).class).toBe("refused");
  });
});

describe("paths", () => {
  it("count from the folder that is given, and from where the line goes", async () => {
    const { classOf } = await setUp();
    expect(await classOf("cat ../notes.md", "src")).toBe("harmless");
    expect(await classOf("cat ../../outside/secret.md", "src")).toBe("ask");
    expect(await classOf("ls", "../outside")).toBe("refused");
    expect(await classOf("cd src/deep && cat ../../notes.md")).toBe("harmless");
    expect(await classOf("mkdir -p out && cd out && touch a && ls ..")).toBe("harmless");
    expect(await classOf("(cd src && ls) && cat notes.md")).toBe("harmless");
  });

  it("go through links as the kernel goes, not as the text reads", async () => {
    const { classOf, workspace } = await setUp();
    await mkdir(join(workspace, "a/b"), { recursive: true });
    await symlink("a/b", join(workspace, "way"));
    expect(await classOf("cat way/../../notes.md")).toBe("harmless");
    expect(await classOf("cat way/../../../outside/secret.md")).toBe("ask");
    expect(await classOf("cd way && cat ../x")).toBe("harmless");
    expect(await classOf("cd way && cd ../.. && ls")).toBe("ask");
  });

  it("of links that a pattern finds are looked at", async () => {
    const { classOf, workspace, outside } = await setUp();
    expect(await classOf("cat *.md")).toBe("harmless");
    await symlink(join(outside, "secret.md"), join(workspace, "z.md"));
    expect(await classOf("cat ./*.md")).toBe("ask");
    expect(await classOf("cat [a-y]*.md")).toBe("harmless");
  });

  it("of a guest end at the guest's own folder, and the system is not for guests", async () => {
    const { workspace, home } = await setUp();
    const root = join(workspace, "people/li");
    await mkdir(root, { recursive: true });
    const roots = createFileRoots({ workspaceFor: () => root, readRoots: [], isRestricted: true });
    const policy = createCommandPolicy({ roots, home, isContained: () => true, allow: [], deny: [] });
    const classOf = async (command: string) =>
      (await policy.judge(command, { origin: { ...owner, role: "guest", person: "li" } })).class;
    expect(await classOf("echo hi > note.md && cat note.md")).toBe("harmless");
    expect(await classOf("cat ../../notes.md")).toBe("ask");
    expect(await classOf("echo hi > ../../notes.md")).toBe("refused");
    expect(await classOf("cat /etc/os-release")).toBe("ask");
  });

  it("are free where the owner lifted the limit, but for secrets, the system and what the assistant keeps", async () => {
    const { workspace, outside, home } = await setUp();
    const own = join(home, ".nanobot");
    const roots = createFileRoots({
      workspaceFor: () => workspace,
      readRoots: [],
      isRestricted: false,
      home: { folder: own, workspace },
    });
    const policy = createCommandPolicy({
      roots,
      home,
      isContained: () => false,
      allow: [],
      deny: [],
    });
    const classOf = async (command: string) => (await policy.judge(command, { origin: owner })).class;
    expect(await classOf(`cat ${outside}/secret.md`)).toBe("harmless");
    expect(await classOf(`echo x > ${outside}/new.md`)).toBe("harmless");
    for (const refused of [
      `cat ${own}/config.json`,
      `cat ${own}/anything-else`,
      "cat ~/.nanobot/*",
      "cat ~/.ssh/id_rsa",
      "rm -r ~",
      "rm /",
      "echo x > /etc/motd",
      "echo x > memory/history.jsonl",
    ]) {
      expect([refused, await classOf(refused)]).toEqual([refused, "refused"]);
    }
  });
});

it("does not guess at a home folder behind a colon", async () => {
  const { createPolicy } = await createCommandGround({ hasLinks: false });
  const classOf = async (command: string) => (await createPolicy().judge(command, { origin: owner })).class;
  expect(await classOf("printf %s x=:~")).toBe("harmless");
  expect(await classOf("cat x=:~/notes")).toBe("ask");
  expect(await classOf("cat x=:y")).toBe("harmless");
});

describe("git", () => {
  const classOf = async ({ createPolicy }: CommandGround, command: string, workingDirectory?: string) =>
    (await createPolicy().judge(command, { origin: owner, workingDirectory })).class;

  it("only reads a repository of the workspace whose settings start no programs", async () => {
    const ground = await createCommandGround({ hasLinks: false });
    expect(await classOf(ground, "git status")).toBe("harmless");
    expect(await classOf(ground, "git -C src log", ".")).toBe("harmless");
    await appendFile(join(ground.workspace, ".git/config"), "[core]\n\tfsmonitor = touch pwned\n");
    expect(await classOf(ground, "git status")).toBe("ask");
    expect(await classOf(ground, "git status", "src")).toBe("ask");
    const contained = ground.createPolicy({ isContained: () => true });
    expect((await contained.judge("git status", { origin: owner })).class).toBe("harmless");
  });

  it("is asked about where a hook would run, or where a folder is made up to look like a repository", async () => {
    const ground = await createCommandGround({ hasLinks: false });
    await mkdir(join(ground.workspace, ".git/hooks"), { recursive: true });
    await writeFile(join(ground.workspace, ".git/hooks/post-index-change"), "");
    expect(await classOf(ground, "git status")).toBe("ask");
    await mkdir(join(ground.workspace, "fake"));
    await writeFile(join(ground.workspace, "fake/HEAD"), "ref: refs/heads/main\n");
    expect(await classOf(ground, "git status", "fake")).toBe("ask");
    const inner = await createCommandGround({ hasLinks: false });
    execFileSync("rm", ["-r", join(inner.workspace, ".git")]);
    expect(await classOf(inner, "git status")).toBe("ask");
  });
});

describe("rules of the owner", () => {
  it("let named commands run, with all that stands in the line", async () => {
    const { classOf } = await setUp({ allow: ["git push", "npm run *", "docker compose *", "make test:*"] });
    for (const command of [
      "git push",
      "npm run build -- --fast",
      "docker compose up -d",
      "docker compose",
      "make test:unit",
      "cd src && npm run lint | tail -3",
      "/usr/bin/git push",
    ]) {
      expect([command, await classOf(command)]).toEqual([command, "harmless"]);
    }
    for (const command of [
      "git push --force",
      "npm runx",
      "npm install && npm run build",
      "npm run build; frobnicate",
      'npm run "$X"',
      "./npm run build",
      "npm run build > $OUT",
      "make test",
    ]) {
      expect([command, await classOf(command)]).toEqual([command, "ask"]);
    }
  });

  it("never lift what is refused", async () => {
    const { classOf } = await setUp({ allow: ["cat *", "rm *", "curl *"] });
    expect(await classOf("cat ~/.ssh/id_rsa")).toBe("refused");
    expect(await classOf("rm -rf /")).toBe("refused");
    expect(await classOf("curl http://127.0.0.1/")).toBe("refused");
    expect(await classOf("curl https://a.example")).toBe("harmless");
  });

  it("refuse a command wherever it stands", async () => {
    const { judge } = await setUp({ deny: ["git push", "ls -R*"], allow: ["git *"] });
    for (const command of [
      "git push origin main",
      "ls && sh -c 'git push'",
      "echo $(git push)",
      "git -C src push",
      "/usr/bin/git push",
      "ls -Ra src",
    ]) {
      expect(await judge(command)).toMatchObject({
        class: "refused",
        reasons: [
          { code: "approval.owner-rule", params: { rule: expect.stringMatching(/^(git push|ls -R\*)$/) } },
        ],
      });
    }
    expect((await judge("git log && ls")).class).toBe("harmless");
    expect((await judge("echo git push")).class).toBe("harmless");
  });

  it("from the Python original: what is denied never runs, and of a list only what is on it", async () => {
    const { classOf } = await setUp({ denyPatterns: ["(?i)\\bdrop\\s+table\\b"] });
    expect(await classOf("echo 'DROP TABLE x'")).toBe("refused");
    expect(await classOf("echo 'drop it'")).toBe("harmless");
    const listed = await setUp({ allowPatterns: ["git (status|log).*", "ls.*"] });
    expect(await listed.classOf("git status && ls -l")).toBe("harmless");
    expect(await listed.classOf("git status && pwd")).toBe("refused");
    expect(await listed.classOf("rm -rf / ; ls")).toBe("refused");
    const broken = await setUp({ denyPatterns: ["(?P<x>a)"] });
    expect(await broken.judge("ls")).toMatchObject({
      class: "ask",
      reasons: [{ code: "approval.bad-pattern" }],
    });
  });
});

describe("addresses", () => {
  it("of private networks are refused, but for those that the owner opened", async () => {
    const { classOf } = await setUp({ allowedNetworks: ["192.168.1.0/24"] });
    expect(await classOf("curl http://192.168.1.7:8080/x")).toBe("ask");
    expect(await classOf("curl http://192.168.2.7/")).toBe("refused");
    expect(await classOf("ssh pi@192.168.1.7 uptime")).toBe("ask");
    expect(await classOf("curl --max-time 5 --retry 0 https://a.example")).toBe("ask");
    expect(await classOf("curl 0:8080")).toBe("refused");
  });
});

it("is asked again about the same call without looking again, and later looks again", async () => {
  const clock = createFakeClock();
  const { judge, workspace, outside } = await setUp({ clock });
  expect((await judge("cat later.md")).class).toBe("harmless");
  await symlink(join(outside, "secret.md"), join(workspace, "later.md"));
  expect((await judge("cat later.md")).class).toBe("harmless");
  await clock.advance(1000);
  expect((await judge("cat later.md")).class).toBe("ask");
});
