import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { cases, sampled } from "../../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { owner } from "../../../test/support/tool-context.ts";
import { ToolError } from "../../runner/tool.ts";
import { createFileRoots, type FileRoots } from "./file-roots.ts";
import type { FileRootsOptions } from "./path-resolver.ts";

interface House {
  base: string;
  workspace: string;
  outside: string;
  roots: FileRoots;
}

/** A workspace next to a folder that is not part of it. */
async function createHouse(options: Partial<FileRootsOptions> = {}): Promise<House> {
  const base = await createTemporaryFolder({
    "ws/notes/笔记.md": "inside",
    "ws-evil/secret.txt": "outside",
    "ws/memory/history.jsonl": "",
  });
  const workspace = join(base, "ws");
  const roots = createFileRoots({
    workspaceFor: () => workspace,
    readRoots: [],
    isRestricted: true,
    ...options,
  });
  return { base, workspace, outside: join(base, "ws-evil"), roots };
}

async function read(roots: FileRoots, path: string): Promise<string> {
  const { handle } = await roots.openForReading(path, owner);
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

describe("reading", () => {
  it("takes relative, absolute, dotted and file:// paths inside the workspace", async () => {
    const { workspace, roots } = await createHouse();
    const file = join(workspace, "notes", "笔记.md");
    const ways = [
      "notes/笔记.md",
      "./notes/../notes/笔记.md",
      file,
      pathToFileURL(file).href,
      `${workspace}//notes//笔记.md`,
    ];
    for (const way of ways) expect(await roots.resolveRead(way, owner), way).toBe(file);
    expect(roots.display(file, owner)).toBe("notes/笔记.md");
    expect(roots.display(workspace, owner)).toBe(".");
  });

  it("takes ~ for the home folder, and a name that only begins with ~ for a name", async () => {
    const home = await createTemporaryFolder();
    process.env.HOME = home;
    const roots = createFileRoots({ workspaceFor: () => home, readRoots: [], isRestricted: true });
    expect(homedir()).toBe(home);
    expect(await roots.resolveRead("~/a.txt", owner)).toBe(join(home, "a.txt"));
    expect(await roots.resolveRead("~", owner)).toBe(home);
    expect(await roots.resolveRead("~$draft.docx", owner)).toBe(join(home, "~$draft.docx"));
  });

  it("refuses what is outside, and names the workspace", async () => {
    const { base, workspace, outside, roots } = await createHouse();
    await symlink(outside, join(workspace, "link"));
    await symlink(join(outside, "secret.txt"), join(workspace, "file-link"));
    const ways = [
      "../ws-evil/secret.txt",
      join(outside, "secret.txt"),
      `${workspace}-evil/secret.txt`,
      "link/secret.txt",
      "link/not-there-yet.txt",
      "file-link",
      "notes/../../ws-evil/secret.txt",
      pathToFileURL(join(outside, "secret.txt")).href,
      `file://${base}/ws/%2e%2e/ws-evil/secret.txt`,
      "/etc/passwd",
      "/",
      "..",
      "~/.ssh/id_rsa",
    ];
    for (const way of ways) {
      await expect(roots.resolveRead(way, owner), way).rejects.toThrow(workspace);
      await expect(roots.resolveRead(way, owner), way).rejects.toBeInstanceOf(ToolError);
      await expect(roots.openForReading(way, owner), way).rejects.toBeInstanceOf(ToolError);
      await expect(roots.openFolder(way, owner), way).rejects.toBeInstanceOf(ToolError);
    }
  });

  it("refuses NUL bytes, blank and endless paths, foreign hosts and broken addresses", async () => {
    const { roots } = await createHouse();
    const ways = [
      "a\0b",
      "file:///a%00b",
      "",
      "  ",
      "x".repeat(5000),
      "file://server/share",
      "file:///%zz",
      `${"y".repeat(300)}.txt`,
    ];
    for (const way of ways) {
      await expect(roots.resolveRead(way, owner), way).rejects.toBeInstanceOf(ToolError);
      await expect(roots.writeInside(way, "", owner), way).rejects.toBeInstanceOf(ToolError);
    }
  });

  it("follows symbolic links that stay inside, and refuses circles and links to nowhere", async () => {
    const { workspace, roots } = await createHouse();
    await symlink("notes", join(workspace, "same"));
    await symlink("circle", join(workspace, "circle"));
    await symlink(join(workspace, "nowhere"), join(workspace, "dangling"));
    expect(await read(roots, "same/笔记.md")).toBe("inside");
    await expect(roots.resolveRead("circle", owner)).rejects.toThrow(/circle/);
    await expect(roots.writeInside("dangling", "x", owner)).rejects.toThrow(/does not exist/);
    await expect(roots.writeInside("dangling/x", "x", owner)).rejects.toThrow(/does not exist/);
  });

  it("accepts a workspace that is itself reached through a symbolic link", async () => {
    const { base, workspace } = await createHouse();
    await symlink(workspace, join(base, "alias"));
    const roots = createFileRoots({
      workspaceFor: () => join(base, "alias"),
      readRoots: [],
      isRestricted: true,
    });
    expect(await read(roots, "notes/笔记.md")).toBe("inside");
    expect(await read(roots, join(base, "alias/notes/笔记.md"))).toBe("inside");
    expect(roots.rootFor(owner)).toBe(workspace);
  });

  it("reads extra roots but does not write them", async () => {
    const { outside, roots } = await createHouse({
      readRoots: (origin) => (origin.role === "owner" ? [`${outside}`] : []),
    });
    const path = join(outside, "secret.txt");
    expect(await read(roots, path)).toBe("outside");
    await expect(roots.resolveRead(path, { ...owner, role: "guest" })).rejects.toThrow(/outside/);
    await expect(roots.writeInside(path, "x", owner)).rejects.toThrow(/outside/);
    expect(await readFile(path, "utf8")).toBe("outside");
  });

  it("keeps people in their own folders", async () => {
    const { workspace } = await createHouse();
    const roots = createFileRoots({
      workspaceFor: ({ role, person }) => (role === "owner" ? workspace : join(workspace, "people", person)),
      readRoots: [],
      isRestricted: true,
    });
    const guest = { ...owner, role: "guest" as const, person: "li" };
    const path = await roots.writeInside("mine.txt", "hi", guest);
    expect(path).toBe(join(workspace, "people/li/mine.txt"));
    await expect(roots.resolveRead("../../notes/笔记.md", guest)).rejects.toThrow(/outside/);
    await expect(roots.resolveRead(join(workspace, "notes/笔记.md"), guest)).rejects.toThrow(/outside/);
    await expect(roots.resolveRead("../other/mine.txt", guest)).rejects.toThrow(/outside/);
  });

  it("says what a missing file was probably called", async () => {
    const { roots } = await createHouse();
    await expect(roots.openForReading("notes/笔记.txt", owner)).rejects.toThrow(
      /Not found: notes\/笔记\.txt\. Did you mean "笔记\.md"/,
    );
    await expect(roots.openForReading("notes/zzzzzzzz", owner)).rejects.toThrow(/list_dir or glob/);
    await expect(roots.openForReading("notes/笔记.md/x", owner)).rejects.toThrow(/is a file, not a folder/);
    await expect(roots.openForReading("notes", owner)).rejects.toThrow(/is a folder/);
    await expect(roots.openFolder("notes/笔记.md", owner)).rejects.toThrow(/is a file, not a folder/);
  });
});

describe("devices, pipes and sockets", () => {
  it("are refused, restricted or not, also behind a link", async () => {
    for (const isRestricted of [true, false]) {
      const { workspace, roots } = await createHouse({ isRestricted });
      execFileSync("mkfifo", [join(workspace, "pipe")]);
      const server = createServer().listen(join(workspace, "socket"));
      onTestFinished(() => void server.close());
      await symlink("/dev/zero", join(workspace, "zero"));
      await symlink("pipe", join(workspace, "pipe-link"));
      const ways = [
        "/dev/zero",
        "/dev/stdin",
        "/dev",
        "/proc/self/fd/0",
        "/proc/1/environ",
        "/proc/self/environ",
        "/proc/thread-self/fd",
        "/proc/self/task/1/mem",
        "pipe",
        "pipe-link",
        "socket",
        "zero",
      ];
      for (const way of ways) {
        await expect(roots.openForReading(way, owner), way).rejects.toBeInstanceOf(ToolError);
        await expect(roots.writeInside(way, "x", owner), way).rejects.toBeInstanceOf(ToolError);
      }
      expect(await readdir(workspace)).toContain("pipe");
    }
  });
});

describe("writing", () => {
  it("makes folders, replaces in one step, and keeps the mode of what was there", async () => {
    const { workspace, roots } = await createHouse();
    expect(await roots.writeInside("新/深/a.sh", "one", owner)).toBe(join(workspace, "新/深/a.sh"));
    await chmod(join(workspace, "新/深/a.sh"), 0o755);
    await roots.writeInside("新/深/a.sh", "two", owner);
    expect(await readFile(join(workspace, "新/深/a.sh"), "utf8")).toBe("two");
    expect((await stat(join(workspace, "新/深/a.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(join(workspace, "新/深"))).toEqual(["a.sh"]);
    await expect(roots.writeInside("notes", "x", owner)).rejects.toThrow(/is a folder/);
  });

  it("refuses the places that the assistant keeps, whatever the spelling", async () => {
    const { workspace, roots } = await createHouse();
    await mkdir(join(workspace, ".git"));
    await symlink(".git", join(workspace, "innocent"));
    const ways = [
      ".git/config",
      ".git",
      ".GIT/hooks/pre-commit",
      ".g\u200cit/config",
      "．git/config",
      ".git./config",
      "sub/.git/config",
      "innocent/config",
      ".nanobot/workspace-id",
      "sessions/x.jsonl",
      "Sessions/x",
      "memory/history.jsonl",
      "memory/./HISTORY.jsonl",
      "memory/.cursor",
      "memory/.dream_cursor",
      "cron/jobs.json",
      "prompts/dream.md",
      "people/li/sessions/a",
      "people/li/memory/history.jsonl",
      "groups/g/cron/jobs.json",
      "git~1/config",
    ];
    for (const way of ways)
      await expect(roots.writeInside(way, "x", owner), way).rejects.toThrow(/keeps for itself/);
    const honest = [
      "memory/MEMORY.md",
      "memory/2026-08-01.md",
      "notes/sessions/x.md",
      ".gitignore",
      "prompts.md",
      "skills/a/prompts/x.md",
      "people/li.md",
    ];
    for (const way of honest)
      expect(await roots.writeInside(way, "x", owner), way).toBe(join(workspace, way));
    expect(await readdir(join(workspace, ".git"))).toEqual([]);
  });

  it("without restriction writes anywhere but protected places", async () => {
    const { workspace, outside, roots } = await createHouse({ isRestricted: false });
    await roots.writeInside(join(outside, "new.txt"), "x", owner);
    expect(await readFile(join(outside, "new.txt"), "utf8")).toBe("x");
    await expect(roots.writeInside(".git/config", "x", owner)).rejects.toThrow(/keeps for itself/);
    const guarded = createFileRoots({
      workspaceFor: () => workspace,
      readRoots: [],
      isRestricted: false,
      home: { folder: outside, workspace },
    });
    await expect(guarded.writeInside(join(outside, "new.txt"), "y", owner)).rejects.toThrow(
      /keeps for itself/,
    );
  });

  it("updates one after the other, and not over a stranger's change", async () => {
    const { workspace, roots } = await createHouse();
    await roots.writeInside("count", "0", owner);
    const add = () => roots.updateInside("count", owner, async (now) => String(Number(now) + 1));
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await readFile(join(workspace, "count"), "utf8")).toBe("20");
    const update = roots.updateInside("count", owner, async () => {
      await writeFile(join(workspace, "count"), "stranger");
      return "ours";
    });
    await expect(update).rejects.toThrow(/changed by someone else/);
    expect(await readFile(join(workspace, "count"), "utf8")).toBe("stranger");
  });
});

const flipper = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [folder, outside] = process.argv.slice(1);
const attempt = (work) => { try { work(); } catch {} };
process.stdout.write("ready");
for (;;) {
  attempt(() => renameSync(folder, folder + ".kept"));
  attempt(() => symlinkSync(outside, folder));
  attempt(() => unlinkSync(folder));
  attempt(() => renameSync(folder + ".kept", folder));
}`;

it("never opens or writes outside while a folder is being swapped for a link", async () => {
  const { workspace, outside, roots } = await createHouse();
  await mkdir(join(workspace, "swap"));
  await writeFile(join(workspace, "swap/secret.txt"), "inside");
  const child = spawn(process.execPath, ["-e", flipper, join(workspace, "swap"), outside]);
  const ended = new Promise((resolve) => child.on("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  try {
    for (let round = 0; round < sampled(100, 400); round++) {
      const content = await read(roots, "swap/secret.txt").catch(toMessage);
      expect(content).not.toBe("outside");
      await roots.writeInside(`swap/${round % 3}.txt`, "x", owner).catch(toMessage);
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  expect(await readdir(outside)).toEqual(["secret.txt"]);
});

function toMessage(error: unknown): string {
  if (!(error instanceof ToolError)) throw error;
  return error.message;
}

describe("any path", () => {
  const names = fc.oneof(
    fc.constantFrom(
      "..",
      ".",
      "notes",
      "link",
      "loop",
      "same",
      "ws",
      "ws-evil",
      "笔记.md",
      "a b",
      "~",
      "..\\..",
      "．．",
      "%2e%2e",
      "secret.txt",
      "...",
    ),
    fc.string({ unit: "grapheme", maxLength: 12 }).filter((name) => !/[\0]/.test(name)),
  );
  const paths = fc
    .tuple(
      fc.constantFrom("", "/", "./", "BASE/ws/", "BASE/ws-", "BASE/", "~/", "file://BASE/ws/", "file:///"),
      fc.array(names, { maxLength: 6 }),
    )
    .map(([prefix, parts]) => prefix + parts.join("/"));

  it("is accepted only if it is inside, and an honest one always", async () => {
    const { base, workspace, outside, roots } = await createHouse();
    await symlink(outside, join(workspace, "link"));
    await symlink("notes", join(workspace, "same"));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(paths, async (template) => {
        const path = template.replace("BASE", base);
        const real = await roots.resolveRead(path, owner).catch(toMessage);
        if (!real.startsWith("/")) return;
        accepted++;
        expect(relative(workspace, real).split("/")[0]).not.toBe("..");
        expect(relative(workspace, real).split("/")[0]).not.toBe("link");
      }),
      { numRuns: cases(2000) },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it("made of honest names is read back as it was written", async () => {
    const { workspace, roots } = await createHouse();
    const honest = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((name) => /^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u.test(name) && Buffer.byteLength(name) < 200);
    await fc.assert(
      fc.asyncProperty(fc.array(honest, { minLength: 1, maxLength: 4 }), async (parts) => {
        const path = ["free", ...parts, "file"].join("/");
        expect(await roots.writeInside(path, "x", owner)).toBe(join(workspace, path));
        expect(await read(roots, path)).toBe("x");
      }),
      { numRuns: sampled(50, 200) },
    );
  });
});
