// nanobot memory why, log, diff, restore and forget, as a person and as a script meet them.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeModel } from "../support/fake-model.ts";
import { configFor, createProgramHome, keys, nanobot, openInTerminal } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";
import { hasSystemPart } from "../support/system-part.ts";

const hasGit = hasSystemPart(["git", "--version"], "git");
const memory = "memory/MEMORY.md";

async function createHome(text: string, more: NodeJS.ProcessEnv = {}) {
  const { env, home, workspace } = await createProgramHome(undefined, more);
  await mkdir(join(workspace, "memory"), { recursive: true });
  await writeFile(join(workspace, memory), text);
  const run = (...argv: string[]) => runProgram(nanobot("memory", ...argv), { env });
  return { run, env, home, workspace, read: () => readFile(join(workspace, memory), "utf8") };
}

test("a line that the assistant wrote is explained by the message, and forgotten with it", async () => {
  const line = "- sails the boat Gannet";
  const model = await startFakeModel((_, index) =>
    index === 0
      ? {
          toolCalls: [{ name: "write_file", arguments: { path: memory, content: `${line}\n- likes tea\n` } }],
        }
      : { text: "Noted." },
  );
  const { env, workspace } = await createProgramHome(configFor(model.url));
  const run = (...argv: string[]) => runProgram(nanobot(...argv), { env });
  await run("agent", "-m", "I bought the boat Gannet");

  const why = await run("memory", "why", line);
  expect(why).toMatchObject({ code: 0, stderr: "" });
  expect(why.stdout).toMatch(/you \(cli:direct\): I bought the boat Gannet \[\S+\]/);
  const { facts } = JSON.parse((await run("memory", "why", "gannet", "--json")).stdout);
  expect(facts[0].sources).toMatchObject([{ role: "user", text: "I bought the boat Gannet" }]);

  const forgotten = JSON.parse((await run("memory", "forget", "boat", "Gannet", "--yes", "--json")).stdout);
  expect(forgotten).toMatchObject({
    lines: [{ file: memory, number: 1, line }],
    version: expect.any(String),
  });
  expect(forgotten.messages).toHaveLength(2);
  expect(await readFile(join(workspace, memory), "utf8")).toBe("- likes tea\n");
  expect((await run("memory", "search", "gannet")).stdout).toContain("Nothing was found");
  expect((await run("memory", "why", "gannet")).stdout).toContain("No source is recorded");
});

test("what was forgotten is listed, shown and brought back, and a script gets JSON", async () => {
  const { run, read } = await createHome("- has a cat named Luna\n- 牙医在北京路\n");
  expect(JSON.parse((await run("log", "--json")).stdout)).toEqual([]);
  expect(JSON.parse((await run("diff", "--json")).stdout)).toBeNull();
  expect(await run("forget", "北京", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(await read()).toBe("- has a cat named Luna\n");

  const [forgotten, start] = JSON.parse((await run("log", "--json")).stdout);
  expect([forgotten.kind, start.kind]).toEqual(["forget", "start"]);
  expect((await run("log")).stdout).toContain(`${forgotten.id}`);
  expect((await run("diff")).stdout).toContain("-- 牙医在北京路");
  const { version, files } = JSON.parse((await run("diff", forgotten.id, "--json")).stdout);
  expect(version).toEqual(forgotten);
  expect(files).toMatchObject([{ path: memory, added: 0, removed: 1 }]);

  expect((await run("restore", forgotten.id)).stdout).toContain("is undone");
  expect(await read()).toBe("- has a cat named Luna\n- 牙医在北京路\n");
  const again = await run("restore", forgotten.id);
  expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nothing to undo") });
  expect(await run("restore")).toMatchObject({ code: 2, stderr: expect.stringContaining("<id>") });
  expect(await run("diff", "nope")).toMatchObject({ code: 1, stderr: expect.stringContaining('"nope"') });
});

test("nothing is forgotten without a yes", async () => {
  const { run, read, env } = await createHome("- has a cat named Luna\n");
  const alone = await run("forget", "luna");
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
  expect(alone.stdout).toContain("memory/MEMORY.md:1: - has a cat named Luna");
  const inJson = await run("forget", "luna", "--json");
  expect(inJson.code).toBe(1);
  expect(JSON.parse(inJson.stdout)).toEqual({ error: expect.stringContaining("--yes") });
  expect(await run("forget")).toMatchObject({ code: 2, stderr: expect.stringContaining("<words>") });
  expect(await run("forget", "zebra", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing"),
  });
  for (const answer of [keys.enter, `n${keys.enter}`]) {
    const terminal = openInTerminal(nanobot("memory", "forget", "luna"), { env });
    await terminal.waitFor("[y] ");
    terminal.type(answer);
    expect(await terminal.ended).toBe(1);
  }
  expect(await read()).toBe("- has a cat named Luna\n");
  const terminal = openInTerminal(nanobot("memory", "forget", "luna"), { env });
  await terminal.waitFor("[y] ");
  terminal.type(`y${keys.enter}`);
  expect(await terminal.ended).toBe(0);
  expect(await read()).toBe("");
});

test.runIf(hasGit)(
  "versions lie in the home, for Git to read, and a damaged one is told and set aside",
  async () => {
    const { run, home, read, workspace } = await createHome("- has a cat named Luna\n- likes tea\n");
    execFileSync("git", ["init", "-q", workspace]);
    await run("forget", "luna", "--yes");
    const folders = execFileSync("find", [join(home, "versions"), "-name", "owner.git"], {
      encoding: "utf8",
    });
    const gitFolder = folders.trim();
    const git = (...argv: string[]) =>
      execFileSync("git", ["--git-dir", gitFolder, ...argv], { encoding: "utf8" });
    expect(git("log", "--format=%an %s").split("\n")[0]).toBe("nanobot forget: memory/MEMORY.md +0 -1");
    expect(
      execFileSync("git", ["status", "--porcelain"], { cwd: workspace, encoding: "utf8" }),
    ).not.toContain("versions");
    await rm(join(gitFolder, "objects"), { recursive: true });
    const forgotten = await run("forget", "tea", "--yes");
    expect(forgotten).toMatchObject({ code: 0, stderr: expect.stringContaining(`${gitFolder}.damaged-`) });
    expect(await read()).toBe("");
    expect(await run("log")).toMatchObject({ code: 0, stderr: "" });
  },
);

test("the commands speak Chinese", async () => {
  const { run } = await createHome("- 有一只猫\n", { LANG: "zh_CN.UTF-8" });
  expect((await run("log")).stdout).toContain("还没有记录过");
  expect((await run("why", "猫")).stdout).toContain("没有记录它的来源");
  expect((await run("forget", "猫")).stderr).toContain("--yes");
  expect((await run("restore", "abcd")).stderr).toContain("没有“abcd”这个版本");
});

test("what was said in a message that became a file is forgotten, too", async () => {
  const { run, env } = await createHome("");
  const workspace = join(env.HOME ?? "", ".nanobot", "workspace");
  await mkdir(join(workspace, "attachments"), { recursive: true });
  const path = join(workspace, "attachments", "long.txt");
  await writeFile(path, "about the weather\nthe safe opens with pelican\n");
  expect((await run("forget", "pelican", "--yes")).code).toBe(0);
  expect(await readFile(path, "utf8")).toBe("about the weather\n");
});
