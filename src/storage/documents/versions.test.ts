import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { cases, sampled } from "../../../test/support/long-form.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Versions, type VersionsProblem } from "./versions.ts";

const memory = "memory/MEMORY.md";
const skill = "skills/喂猫/SKILL.md";
const cursor = "memory/.dream_cursor";
const tracked = ["SOUL.md", "USER.md", memory, cursor, skill];
const hasGit = hasSystemPart(["git", "--version"], "git");
const hasStrace = hasSystemPart(["strace", "-V"], "strace");
const hasMounts = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

async function createVersions(files: Record<string, string> = {}) {
  const folder = await createTemporaryFolder();
  const [gitFolder, workTree] = [join(folder, "versions"), join(folder, "workspace")];
  const clock = createFakeClock();
  const problems: VersionsProblem[] = [];
  const onProblem = (problem: VersionsProblem) => problems.push(problem);
  const versions = new Versions({ gitFolder, workTree, clock, onProblem });

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(workTree, path)), { recursive: true });
    await writeFile(join(workTree, path), text);
  }
  const read = (path: string) => readFile(join(workTree, path), "utf8");
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", gitFolder, "-c", "core.quotePath=false", ...args], {
      encoding: "utf8",
      stdio: "pipe",
    });
  /** What Dream does: keep what is there, change files, keep that. */
  async function dream(changes: Record<string, string | undefined>) {
    await versions.commit({ kind: "start", paths: tracked });
    for (const [path, text] of Object.entries(changes)) {
      if (text === undefined) await rm(join(workTree, path));
      else await write(path, text);
    }
    const version = await versions.commit({ kind: "dream", paths: tracked });
    if (version === undefined) throw new Error("nothing was changed");
    return version;
  }
  await mkdir(workTree);
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return { versions, folder, gitFolder, workTree, clock, problems, write, read, git, dream };
}

describe("a version", () => {
  it("shows what really changed, not what the message says", async () => {
    const { versions, dream } = await createVersions({ [memory]: "# Memory\n- likes tea\n" });
    const { id } = await dream({ [memory]: "# Memory\n- likes coffee\n- 有一只猫\n", [skill]: "喂猫\n" });
    const [version, start] = await versions.log();
    expect(version).toMatchObject({ id, kind: "dream", summary: `${memory} +2 -1, ${skill} +1 -0` });
    expect(version?.details).toBe(
      `${memory}\n  -- likes tea\n  +- likes coffee\n  +- 有一只猫\n${skill}\n  +喂猫`,
    );
    expect(start).toMatchObject({ kind: "start", summary: `${memory} +2 -0` });
    expect(await versions.diff(id)).toEqual([
      { path: memory, added: 2, removed: 1, patch: " # Memory\n-- likes tea\n+- likes coffee\n+- 有一只猫" },
      { path: skill, added: 1, removed: 0, patch: "+喂猫" },
    ]);
  });

  it("is not made when nothing changed, and keeps its time", async () => {
    const { versions, clock, dream, gitFolder } = await createVersions();
    expect(await versions.commit({ kind: "start", paths: tracked })).toBeUndefined();
    await expect(readdir(gitFolder)).rejects.toThrow("ENOENT");
    const version = await dream({ "USER.md": "Ada\n" });
    expect(version.at).toBe(clock.now());
    expect(await versions.commit({ kind: "dream", paths: tracked })).toBeUndefined();
    expect(await versions.log()).toHaveLength(1);
  });

  it("bounds what it tells of a large change", async () => {
    const { dream } = await createVersions();
    const lines = Array.from({ length: 500 }, (_, index) => `- fact ${index} ${"x".repeat(500)}`);
    const { details, summary } = await dream({ [memory]: lines.join("\n") });
    expect(summary).toBe(`${memory} +500 -0`);
    expect(details.length).toBeLessThan(2_500);
    expect(details).toMatch(/\.\.\. 489 more$/);
  });

  it("is found by the beginning of its id, and nothing else is", async () => {
    const { versions, dream } = await createVersions();
    const made = [];
    for (let index = 0; index < 17; index++) made.push(await dream({ "USER.md": `${index}\n` }));
    const [first] = made;
    expect(await versions.diff(first?.hash ?? "")).toEqual(
      await versions.diff(` ${first?.id.toUpperCase()} `),
    );
    await expect(versions.diff("ffffffffff")).rejects.toMatchObject({
      phrase: { code: "memory.version-unknown" },
    });
    await expect(versions.diff("../HEAD")).rejects.toMatchObject({
      phrase: { code: "memory.version-unknown" },
    });
    await expect(versions.diff("")).rejects.toMatchObject({ phrase: { code: "memory.version-unknown" } });
    // Of seventeen, two begin with the same digit.
    const digits = made.map(({ id }) => id[0] ?? "");
    const twice = digits.find((digit, index) => digits.indexOf(digit) !== index) ?? "";
    await expect(versions.restore(twice)).rejects.toMatchObject({
      phrase: { code: "memory.version-ambiguous", params: { id: twice } },
    });
  });

  it("is listed newest first, by number and by kind, also after the clock was set back", async () => {
    const { versions, dream, gitFolder, workTree, write } = await createVersions({ "SOUL.md": "calm\n" });
    const one = await dream({ "USER.md": "1\n" });
    const two = await dream({ "USER.md": "2\n" });
    expect((await versions.log({ kind: "dream" })).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await versions.log({ most: 1 })).map(({ id }) => id)).toEqual([two.id]);
    await write("USER.md", "3\n");
    const earlier = new Versions({ gitFolder, workTree, clock: createFakeClock(0) });
    const three = await earlier.commit({ kind: "dream", paths: tracked });
    expect((await versions.log({ kind: "dream" })).map(({ id }) => id)).toEqual([three?.id, two.id, one.id]);
  });
});

describe("restoring", () => {
  it("brings back exactly the files of that change, whatever their line ends, and is a version itself", async () => {
    const before = { "USER.md": "a\r\nb\r\n", "SOUL.md": "", [memory]: "一\n二", [cursor]: "3" };
    const { versions, dream, read } = await createVersions(before);
    const { id } = await dream({
      "USER.md": "a\r\nc\r\n",
      "SOUL.md": "calm\n",
      [memory]: undefined,
      [skill]: "喂猫\n",
      [cursor]: "9",
    });
    expect(await versions.restore(id)).toMatchObject({
      kind: "restore",
      details: expect.stringContaining(`Undoes ${id}.`),
    });
    expect([await read("USER.md"), await read("SOUL.md"), await read(memory)]).toEqual([
      "a\r\nb\r\n",
      "",
      "一\n二",
    ]);
    await expect(read(skill)).rejects.toThrow("ENOENT");
    expect(await read(cursor)).toBe("9");
    await expect(versions.restore(id)).rejects.toMatchObject({
      phrase: { code: "memory.nothing-to-undo", params: { id } },
    });
  });

  it("can be undone itself", async () => {
    const { versions, dream, read } = await createVersions({ "USER.md": "old\n" });
    const { id } = await dream({ "USER.md": "new\n" });
    const { id: restored } = await versions.restore(id);
    await versions.restore(restored);
    expect(await read("USER.md")).toBe("new\n");
  });

  it("leaves what came later, by Dream or by hand, and keeps what nobody had kept", async () => {
    const { versions, dream, read, write } = await createVersions({ [memory]: "one\ntwo\nthree\n" });
    const { id } = await dream({ [memory]: "one\ntwo\nthree\nwrong\n" });
    await dream({ [memory]: "one\ntwo\nthree\nwrong\nlater\n" });
    await write(memory, "by hand\none\ntwo\nthree\nwrong\nlater\n");
    await versions.restore(id);
    expect(await read(memory)).toBe("by hand\none\ntwo\nthree\nlater\n");
    expect((await versions.log()).map(({ kind }) => kind).slice(0, 3)).toEqual(["restore", "start", "dream"]);
  });

  it("refuses where a later version changed the same lines, and names it", async () => {
    const { versions, dream, read } = await createVersions({ [memory]: "tea\n", "USER.md": "Ada\n" });
    const { id } = await dream({ [memory]: "coffee\n", "USER.md": "Ada L.\n" });
    const { id: later } = await dream({ [memory]: "coffee with milk\n" });
    await dream({ "SOUL.md": "calm\n" });
    await expect(versions.restore(id)).rejects.toMatchObject({
      phrase: { code: "memory.version-conflict", params: { id, path: memory, later } },
    });
    expect([await read(memory), await read("USER.md")]).toEqual(["coffee with milk\n", "Ada L.\n"]);
    await versions.restore(later);
    await versions.restore(id);
    expect([await read(memory), await read("USER.md")]).toEqual(["tea\n", "Ada\n"]);
  });

  it("refuses where the same lines were changed by hand, or the file is gone", async () => {
    const { versions, dream, write, workTree } = await createVersions({ "USER.md": "tea\n" });
    const { id } = await dream({ "USER.md": "coffee\n" });
    await write("USER.md", "coffee, black\n");
    const conflict = { phrase: { code: "memory.version-edited", params: { id, path: "USER.md" } } };
    await expect(versions.restore(id)).rejects.toMatchObject(conflict);
    await rm(join(workTree, "USER.md"));
    await expect(versions.restore(id)).rejects.toMatchObject(conflict);
  });

  it("of what Dream made where nothing was removes it", async () => {
    const { versions, dream, read } = await createVersions();
    const { id } = await dream({ "USER.md": "Ada\n" });
    await versions.restore(id);
    await expect(read("USER.md")).rejects.toThrow("ENOENT");
  });

  it("has nothing to go back to before the first version", async () => {
    const { versions } = await createVersions({ "USER.md": "tea\n" });
    const first = await versions.commit({ kind: "start", paths: tracked });
    await expect(versions.restore(first?.id ?? "")).rejects.toMatchObject({
      phrase: { code: "memory.version-first" },
    });
  });

  it("after any further edits gives the file from before with these edits, or refuses and changes nothing", async () => {
    const line = fc.integer({ min: 0, max: 12 }).map((number) => `line ${number}\n`);
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, fc.option(text, { nil: undefined }), async (old, dreamt, later) => {
        fc.pre(old !== dreamt);
        const { versions, dream, read, write } = await createVersions({ [memory]: old, "USER.md": "x\n" });
        const { id } = await dream({ [memory]: dreamt });
        if (later !== undefined) await write(memory, later);
        const now = later ?? dreamt;
        const outcome = await versions.restore(id).catch((error) => error.phrase.code as string);
        const result = await read(memory);
        if (now === dreamt) expect(result).toBe(old);
        else if (typeof outcome === "string") expect(result).toBe(now);
        // Merged: each line stands as often as the three say.
        else {
          const count = (of: string, wanted: string) => of.split("\n").filter((one) => one === wanted).length;
          for (const one of new Set(`${old}${dreamt}${now}`.split("\n"))) {
            const expected = count(now, one) + count(old, one) - count(dreamt, one);
            const both = count(now, one) - count(dreamt, one);
            // The same change made twice counts once.
            const fewest = Math.min(expected, expected - both);
            const most = Math.max(expected, expected - both);
            expect(count(result, one)).toBeGreaterThanOrEqual(Math.max(0, fewest));
            expect(count(result, one)).toBeLessThanOrEqual(Math.max(0, most));
          }
        }
      }),
      { numRuns: cases(40) },
    );
  });
});

describe("the history", () => {
  it.runIf(hasGit)("is read by Git, which finds no fault in it", async () => {
    const { git, dream, versions } = await createVersions({ "USER.md": "Ada\r\n", [memory]: "" });
    const { id, hash } = await dream({ [memory]: "- 有一只猫\n", [skill]: "喂猫\n" });
    await versions.restore(id);
    expect(git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(git("log", "--format=%an|%s").trim().split("\n")).toEqual([
      `nanobot|restore: ${memory} +0 -1, ${skill} +0 -1`,
      `nanobot|dream: ${memory} +1 -0, ${skill} +1 -0`,
      `nanobot|start: USER.md +1 -0, ${memory} +0 -0`,
    ]);
    expect(git("show", `${hash}:${skill}`)).toBe("喂猫\n");
    expect(git("cat-file", "blob", `${hash}:USER.md`)).toBe("Ada\r\n");
    git("gc", "--quiet", "--prune=now");
    expect(await versions.log()).toHaveLength(3);
    expect(await versions.diff(id)).toHaveLength(2);
  });

  it.runIf(hasGit)("never touches a repository around or in the workspace", async () => {
    const { workTree, folder, dream, versions } = await createVersions({ "USER.md": "Ada\n" });
    execFileSync("git", ["init", "-q", folder]);
    await writeFile(join(workTree, ".git"), "gitdir: ../elsewhere\n");
    await writeFile(join(workTree, ".gitignore"), "*\n");
    const before = await readdir(join(folder, ".git"), { recursive: true });
    const { id } = await dream({ "USER.md": "Ada L.\n" });
    await versions.restore(id);
    expect(await readdir(join(folder, ".git"), { recursive: true })).toEqual(before);
    expect(await readFile(join(workTree, ".git"), "utf8")).toBe("gitdir: ../elsewhere\n");
    expect(await versions.log()).toHaveLength(3);
  });

  it("does not follow links, and takes no file from outside", async () => {
    const { workTree, folder, versions, write, dream, read } = await createVersions({ "USER.md": "Ada\n" });
    await writeFile(join(folder, "secret"), "secret\n");
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "outside/MEMORY.md"), "secret\n");
    await symlink("../secret", join(workTree, "SOUL.md"));
    await symlink("../outside", join(workTree, "memory"));
    await versions.commit({ kind: "start", paths: [...tracked, "../secret", "/etc/passwd", ".git/config"] });
    const [start] = await versions.log();
    expect(start?.summary).toBe("USER.md +1 -0");
    await rm(join(workTree, "memory"));
    const { id } = await dream({ [memory]: "mine\n" });
    await write(memory, "mine\n");
    await rm(join(workTree, "memory"), { recursive: true });
    await symlink("../outside", join(workTree, "memory"));
    await expect(versions.restore(id)).rejects.toMatchObject({ phrase: { code: "memory.version-edited" } });
    expect(await read(memory)).toBe("secret\n");
  });

  const harms: Record<string, (gitFolder: string) => Promise<void>> = {
    "its objects are gone": (gitFolder) => rm(join(gitFolder, "objects"), { recursive: true }),
    "an object is empty": async (gitFolder) => {
      const head = (await readFile(join(gitFolder, "refs/heads/main"), "utf8")).trim();
      await writeFile(join(gitFolder, "objects", head.slice(0, 2), head.slice(2)), "");
    },
    "its branch is garbage": (gitFolder) => writeFile(join(gitFolder, "refs/heads/main"), "\0\xff"),
    "its branch is empty": (gitFolder) => writeFile(join(gitFolder, "refs/heads/main"), ""),
    "it is a file": async (gitFolder) => {
      await rm(gitFolder, { recursive: true });
      await writeFile(gitFolder, "");
    },
  };
  it.each(Object.entries(harms))("starts again when %s, and tells where the old one is", async (_, harm) => {
    const { versions, gitFolder, problems, dream, read } = await createVersions({ "USER.md": "Ada\n" });
    await dream({ "USER.md": "Ada L.\n" });
    await harm(gitFolder);
    await dream({ "USER.md": "Ada Lovelace\n" });
    const { id } = await dream({ "USER.md": "Countess\n" });
    expect(problems).toEqual([{ kind: "damaged", folder: gitFolder, keptAs: expect.any(String) }]);
    const [problem] = problems;
    expect(problem?.kind === "damaged" && (await readdir(dirname(problem.keptAs)))).toHaveLength(3);
    expect((await versions.log()).map(({ kind }) => kind)).toEqual(["dream", "dream", "start"]);
    await versions.restore(id);
    expect(await read("USER.md")).toBe("Ada Lovelace\n");
  });

  it("survives a copy of the home that was made in the middle of a version", async () => {
    const { gitFolder, dream, versions, clock, workTree } = await createVersions({ "USER.md": "Ada\n" });
    await versions.commit({ kind: "start", paths: tracked });
    await cp(gitFolder, `${gitFolder}-copy`, { recursive: true });
    await dream({ "USER.md": "Ada L.\n" });
    // All objects, but not yet the name of the newest.
    await cp(join(gitFolder, "objects"), join(`${gitFolder}-copy`, "objects"), { recursive: true });
    const copy = new Versions({ gitFolder: `${gitFolder}-copy`, workTree, clock });
    expect(await copy.log()).toHaveLength(1);
    expect(await copy.commit({ kind: "dream", paths: tracked })).toMatchObject({ summary: "USER.md +1 -1" });
  });

  it.runIf(hasStrace)(
    "is whole after a death at any step of a restoring, and the next one finishes it",
    async () => {
      const script = new URL("../../../test/support/restore-version.ts", import.meta.url).pathname;
      // Every eighth step, and each of them with FULL=1.
      for (let when = 1; ; when += sampled(8, 1)) {
        const before = { "USER.md": "Ada\n", [memory]: "tea\n" };
        const { folder, dream, write, read, git, problems } = await createVersions(before);
        await dream({ "USER.md": "Ada L.\n", [memory]: "coffee\n", [skill]: "喂猫\n" });
        await write("USER.md", "by hand\nAda L.\n");
        const calls = "rename,renameat,renameat2,unlink,unlinkat";
        const inject = ["-e", `trace=${calls}`, "-e", `inject=${calls}:signal=SIGKILL:when=${when}`];
        const argv = ["strace", "-f", "-qq", "-o", "/dev/null", ...inject, process.execPath, script, folder];
        const env = { ...process.env, UV_THREADPOOL_SIZE: "1" };
        const { stdout } = await runProgram(argv, { env });
        const { stdout: second } = await runProgram([process.execPath, script, folder], { env });
        expect([await read("USER.md"), await read(memory)]).toEqual(["by hand\nAda\n", "tea\n"]);
        await expect(read(skill)).rejects.toThrow("ENOENT");
        expect(git("fsck", "--strict", "--no-dangling")).toBe("");
        expect(problems).toEqual([]);
        if (stdout !== "") break;
        expect(["restore", "nothing"]).toContain(second);
      }
    },
    120_000,
  );

  it.runIf(hasMounts)("on a read-only disk keeps nobody from working, and says so once", async () => {
    const folder = await createTemporaryFolder();
    const script = new URL("../../../test/support/keep-version.ts", import.meta.url).pathname;
    const line = `mount -t tmpfs tmpfs "$1" && "$2" ${script} "$1" && mount -o remount,ro "$1" && "$2" ${script} "$1"`;
    const shell = ["unshare", "-Urm", "sh", "-c", line, "sh", folder, process.execPath];
    const { stdout, stderr } = await runProgram(shell);
    expect(stderr).toBe("");
    const [writable, readOnly] = stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(writable).toMatchObject({ kept: ["start", "dream"], problems: [], log: 2 });
    expect(readOnly).toMatchObject({ kept: [], problems: [{ kind: "unwritable", code: "EROFS" }], log: 2 });
  });
});
