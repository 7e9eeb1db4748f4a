// The library as a program finds it that has installed the package: by its name, from another folder, with its types.
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { packagePath, packageRoot } from "../src/lib/package-root.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const run = promisify(execFile);

/** A project with the package in its node_modules: the built one, or where a test run builds nothing, its sources. */
async function createProject(): Promise<string> {
  const folder = await createTemporaryFolder();
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "shop", type: "module" }));
  if (inject("isBuilt") === true) {
    await symlink(packageRoot, join(modules, "nanobot"));
    return folder;
  }
  await mkdir(join(modules, "nanobot"));
  await symlink(packagePath("src"), join(modules, "nanobot", "src"));
  const manifest = { name: "nanobot", type: "module", exports: "./src/index.ts" };
  await writeFile(join(modules, "nanobot", "package.json"), JSON.stringify(manifest));
  return folder;
}

const program = `
import { createNanobot, createScripted, defineTool, z } from "nanobot";

const shout = defineTool({
  name: "shout",
  description: "Says it louder.",
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: async ({ text }) => ({ content: text.toUpperCase() }),
});
const provider = createScripted([
  { toolCalls: [{ name: "shout", arguments: { text: "hello" } }] },
  (request) => request.messages.at(-1).content + "!",
  { deltas: ["你", "好"] },
  "Gone.",
  { deltas: ["One"], hold: true },
]);
const bot = await createNanobot({ home: process.argv[2], provider, tools: [shout] });
const first = await bot.run("Shout.");
const pieces = [];
for await (const event of bot.stream("你好吗？")) if (event.type === "text-delta") pieces.push(event.text);
const fleeting = await bot.run("Secret.", { ephemeral: true });
for await (const event of bot.stream("Count.", { session: "other" })) if (event.type === "text-delta") break;
await bot.memory.write("# Facts\\n");
const keys = (await bot.sessions.list()).map(({ key }) => key).sort();
const found = await bot.memory.search("shout");
const result = {
  first: [first.text, first.tools.map(({ name }) => name)],
  pieces,
  fleeting: [fleeting.text, fleeting.session],
  keys,
  found: found.length > 0,
  memory: await bot.memory.read(),
};
await bot.close();
console.log(JSON.stringify(result));
`;

test("a program imports it by its name, uses all of it, and ends on its own", async () => {
  const folder = await createProject();
  await writeFile(join(folder, "main.mjs"), program);
  const home = join(folder, "home");
  const env = { PATH: process.env.PATH, HOME: folder };
  const { stdout, stderr } = await run(process.execPath, ["main.mjs", home], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({
    first: ["HELLO!", ["shout"]],
    pieces: ["你", "好"],
    fleeting: ["Gone.", ""],
    keys: ["other", "sdk:default"],
    found: true,
    memory: "# Facts\n",
  });
  expect(stderr).toBe("");
});

const typed = `
import { createNanobot, type Nanobot, type RunEvent, type RunResult } from "nanobot";

const bot: Nanobot = await createNanobot({ home: "/tmp/x", ask: async ({ detail }) => detail === "ls" });
const result: RunResult = await bot.run("Hello", { session: "a", media: [], ephemeral: false });
const tokens: number = result.usage.input;
for await (const event of bot.stream("Hello")) {
  const seen: RunEvent = event;
  if (event.type === "text-delta") console.log(event.text, seen, tokens);
  if (event.type === "result") console.log(event.result.stop === "completed");
}
const found = await bot.memory.search("x", { count: 3 });
console.log(found[0]?.text, (await bot.sessions.get("a"))?.messages.length, (await bot.tools())[0]?.name);
// @ts-expect-error: options have types.
await bot.run("Hello", { session: 5 });
// @ts-expect-error: results have types.
console.log(result.answer);
await bot.close();
`;

test.skipIf(inject("isBuilt") !== true)(
  "a program in strict TypeScript is checked against its types",
  async () => {
    const folder = await createProject();
    await writeFile(join(folder, "main.ts"), typed);
    await mkdir(join(folder, "node_modules", "@types"));
    await symlink(packagePath("node_modules/@types/node"), join(folder, "node_modules", "@types", "node"));
    const options = { module: "nodenext", target: "es2023", strict: true, noEmit: true, types: ["node"] };
    const config = {
      compilerOptions: { ...options, lib: ["es2023", "esnext.disposable"] },
      files: ["main.ts"],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = packagePath("node_modules/typescript/bin/tsc");
    const checking = run(process.execPath, [compiler, "--project", folder]);
    expect(
      await checking.then(
        () => "",
        ({ stdout }) => stdout,
      ),
    ).toBe("");
  },
);
