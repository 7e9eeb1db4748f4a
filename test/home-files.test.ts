// What the assistant keeps in its home is nobody's to read by tools, whatever it is called: only listed places are open.
import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Origin } from "../src/bus/types.ts";
import { scopeOf } from "../src/storage/scope.ts";
import { rootOf } from "../src/storage/scope-folders.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const secret = "marmalade-9431";
const hiddenName = "unlisted-name";

/** Of no kind that the program knows, at every depth, next to what it does know. */
const keptPlaces = [
  `${hiddenName}.json`,
  "config.json.bak",
  "state.db-later",
  `tokens/${hiddenName}`,
  `.cache2/deep/er/${hiddenName}.md`,
  `run/${hiddenName}`,
  `sessions/${hiddenName}.jsonl`,
  `logs/${hiddenName}.log`,
  `undo/blobs/${hiddenName}`,
  `tool-results/guest-other/${hiddenName}.txt`,
  `workspace-two/${hiddenName}.md`,
];

const ofOthers = [`media/people/other/${hiddenName}.txt`, `workspace/people/other/${hiddenName}.md`];

const guest: Origin = { ...terminalOrigin, channel: "telegram", chatId: "7", role: "guest", person: "li" };
const group: Origin = { ...terminalOrigin, channel: "telegram", chatId: "-9", group: "telegram:-9" };

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });

function callsOn(path: string) {
  return [
    call("read_file", { path }),
    call("grep", { pattern: "marmalade", path, output_mode: "content" }),
    call("edit_file", { path, old_text: "x", new_text: "y" }),
    call("message", { content: "look", media: [path] }),
    call("exec", { command: `cat '${path}'` }),
    call("exec", { command: `cp '${path}' copy.txt && cat copy.txt` }),
  ];
}

function resultsOf({ provider }: TestApp): string {
  const { messages = [] } = provider.requests.at(-1) ?? {};
  return JSON.stringify(messages.filter(({ role }) => role === "tool").map(({ content }) => content));
}

interface Scene {
  app: TestApp;
  kept: string[];
  /** How many the model makes. */
  calls: number;
  /** The last of them, on folders. */
  looks: number;
}

async function createScene(origin: Origin, isRestricted: boolean): Promise<Scene> {
  const config = { tools: { restrictToWorkspace: isRestricted, exec: { sandbox: "off" } } };
  const names = origin === terminalOrigin ? keptPlaces : [...keptPlaces, ...ofOthers];
  const replies: Array<{ toolCalls: ReturnType<typeof call>[] } | string> = [];
  const app = await createTestApp({ steps: [() => replies.shift() ?? "done"], loop: true }, { config });
  const root = rootOf(app.workspace, scopeOf(origin));
  await mkdir(root, { recursive: true });
  const kept = names.map((name) => join(app.home, name));
  for (const path of kept) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${secret}\n`);
  }
  const [first = "", second = ""] = kept;
  await symlink(first, join(root, "link.md"));
  await symlink(app.home, join(root, "up"));
  await link(second, join(root, "hard.md"));
  const ways = [
    ...kept,
    "link.md",
    "hard.md",
    `up/${hiddenName}.json`,
    `/proc/self/root${first}`,
    relative(root, first),
    `file://${first}`,
    join(app.home, "CONFIG.JSON"),
  ];
  const folders = [app.home, dirname(app.home), join(app.home, "tokens"), "up", "."];
  const looks = folders.flatMap((path) => [
    call("list_dir", { path, recursive: true }),
    call("glob", { path, pattern: "**/*listed-n*" }),
    call("glob", { path, pattern: "**/.*/**/*listed-n*" }),
    call("grep", { pattern: "marmalade", path }),
    call("grep", { pattern: "marmalade", path, glob: "**/.*/**", output_mode: "content" }),
    call("exec", { command: "cat *", working_dir: path }),
  ]);
  for (const path of ways) replies.push({ toolCalls: callsOn(path) });
  for (let index = 0; index < looks.length; index += 6)
    replies.push({ toolCalls: looks.slice(index, index + 6) });
  return { app, kept, calls: ways.length * 6 + looks.length, looks: looks.length };
}

describe("a foreign file anywhere in the home", () => {
  it.each([
    ["the owner", terminalOrigin, true],
    ["the owner without the limit", terminalOrigin, false],
    ["a guest", guest, true],
    ["a guest where the owner's limit is lifted", guest, false],
    ["a group", group, true],
  ] as const)("is read by no tool for %s", async (_who, origin, isRestricted) => {
    const { app, kept, calls, looks } = await createScene(origin, isRestricted);
    await app.loop.processDirect({ sessionKey: `${origin.channel}:${origin.chatId}`, text: "look", origin });
    const results = resultsOf(app);
    expect(JSON.parse(results)).toHaveLength(calls);
    expect(JSON.parse(results).filter((text: string) => text.includes(secret))).toEqual([]);
    // What is found is named by searches and lists; refusals name no more than what was asked for.
    const found = JSON.parse(results).slice(-looks);
    expect(found.filter((text: string) => text.includes(hiddenName))).toEqual([]);
    for (const path of kept) expect(await readFile(path, "utf8")).toBe(`${secret}\n`);
  });
});

describe("a link in the place of a file that prompts are made of", () => {
  it.each([
    ["the owner", terminalOrigin],
    ["a guest", guest],
    ["a group", group],
  ] as const)("leads %s to nothing that the assistant keeps", async (_who, origin) => {
    const app = await createTestApp(["hello"]);
    const root = rootOf(app.workspace, scopeOf(origin));
    await mkdir(join(root, "memory"), { recursive: true });
    await writeFile(join(app.home, "keys"), secret);
    for (const name of ["USER.md", "memory/MEMORY.md"]) {
      await rm(join(root, name), { force: true });
      await symlink(join(app.home, "keys"), join(root, name));
    }
    await app.loop.processDirect({ sessionKey: `${origin.channel}:${origin.chatId}`, text: "hi", origin });
    expect(app.provider.requests).toHaveLength(1);
    expect(JSON.stringify(app.provider.requests)).not.toContain(secret);
  });

  it("leads a guest to nothing of others, and the owner to files of the owner's own", async () => {
    const app = await createTestApp(["hello", "hello"]);
    const outside = await createTemporaryFolder({ "me.md": `elsewhere ${secret}` });
    const root = rootOf(app.workspace, scopeOf(guest));
    await mkdir(root, { recursive: true });
    for (const folder of [root, app.workspace]) {
      await rm(join(folder, "USER.md"), { force: true });
      await symlink(join(outside, "me.md"), join(folder, "USER.md"));
    }
    await app.loop.processDirect({ sessionKey: "telegram:7", text: "hi", origin: guest });
    expect(JSON.stringify(app.provider.requests)).not.toContain(secret);
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "hi" });
    expect(JSON.stringify(app.provider.requests)).toContain(secret);
  });
});

it("what is made in the home and in the workspace is for the owner alone, and what others made keeps its modes", async () => {
  const app = await createTestApp([
    { toolCalls: [call("write_file", { path: "new/b.md", content: "y" })] },
    { toolCalls: [call("write_file", { path: "theirs/a.md", content: "y" })] },
    { toolCalls: [call("exec", { command: "true" })] },
    "done",
  ]);
  const theirs = [join(app.workspace, "theirs"), join(app.workspace, "theirs/a.md")];
  await mkdir(theirs[0] ?? "");
  await writeFile(theirs[1] ?? "", "x");
  await chmod(theirs[0] ?? "", 0o755);
  await chmod(theirs[1] ?? "", 0o640);
  await app.loop.processDirect({ sessionKey: "cli:direct", text: "go" });
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  expect(await Promise.all(theirs.map(modeOf))).toEqual([0o755, 0o640]);
  const names = (await readdir(app.home, { recursive: true })).map((name) => join(app.home, name));
  const open = [];
  for (const path of names.filter((name) => !theirs.includes(name)))
    if (((await modeOf(path)) & 0o077) !== 0) open.push(path);
  expect(open).toEqual([]);
});
