// nanobot memory, as a person and as a script meet it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { channelRows } from "../src/channels/index.ts";
import { nanobot as command } from "../src/lib/program-command.ts";
import { anything, like, words } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome } from "./support/run-program.ts";
import { typeHere } from "./support/type-here.ts";

async function createHome() {
  const { env, workspace } = await createProgramHome();
  await mkdir(join(workspace, "memory"), { recursive: true });
  await writeFile(join(workspace, "memory/MEMORY.md"), "The car is a blue Volvo.\n\n我的牙医在北京路。");
  return { run: (...argv: string[]) => typeHere(argv, env), env };
}

test("memory search finds what was written, in both languages, without a model", async () => {
  const { run } = await createHome();
  const found = await run("memory", "search", "which", "car?");
  expect(found).toMatchObject({ code: 0, stderr: "" });
  expect(found.stdout).toMatch(
    like(`• ${anything} ${words.memory.roles.memory} (memory/MEMORY.md): The car is a blue Volvo.`),
  );
  expect((await run("memory", "search", "牙医")).stdout).toContain("北京路");
});

test("memory search --json prints one value", async () => {
  const { run } = await createHome();
  const { stdout } = await run("memory", "search", "volvo", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    hits: [
      {
        kind: "memory",
        name: "memory/MEMORY.md",
        reference: "memory/MEMORY.md",
        text: expect.stringContaining("Volvo"),
      },
    ],
    sessions: [],
  });
  expect(JSON.parse((await run("memory", "search", "zebra", "--json")).stdout)).toEqual({
    hits: [],
    sessions: [],
  });
});

test("memory search says what is missing, and what to try", async () => {
  const { run } = await createHome();
  expect(await run("memory", "search", "zebra")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(words.memory.nothingFound),
  });
  expect(await run("memory", "search")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(like(words.memory.needsWords(anything))),
  });
  expect(await run("memory")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(words.usage.seeHelp(`${command} memory`)),
  });
});

test("what was said to the assistant is found by the next command", async () => {
  const model = await startFakeModel(() => ({ text: "Noted." }));
  const { env } = await createProgramHome(configFor(model.url));
  await typeHere(["agent", "-m", "Remember the word kingfisher"], env);
  const { stdout } = await typeHere(["memory", "search", "kingfisher"], env);
  expect(stdout).toContain(`${words.memory.roles.user} (cli:direct): Remember the word kingfisher`);
});

test("memory show prints what is known, and the file that is named", async () => {
  const { run } = await createHome();
  expect((await run("memory", "show")).stdout).toContain("The car is a blue Volvo.");
  const named = await run("memory", "show", "memory.md", "--json");
  expect(JSON.parse(named.stdout)).toMatchObject([
    { path: "memory/MEMORY.md", text: expect.stringContaining("Volvo") },
  ]);
  expect((await run("memory", "show", "nothing")).stdout).toMatch(like(words.memory.noFile(anything)));
});

test("channels lists every platform", async () => {
  const { run } = await createHome();
  const { stdout, code } = await run("channels");
  expect(code).toBe(0);
  for (const { name } of channelRows) expect(stdout).toContain(name);
});
