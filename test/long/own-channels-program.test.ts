// Custom channels in the real program: what is listed, what is allowed, what runs, and what a broken one cannot do.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { nanobot as command } from "../../src/lib/program-command.ts";
import { words } from "../support/english.ts";
import { eventually } from "../support/eventually.ts";
import { type FakeBoard, startFakeBoard } from "../support/fake-board.ts";
import { createProgramHome, nanobot, type ProgramHome } from "../support/run-program.ts";
import { type Ended, type Program, runProgram, startProgram } from "../support/start-program.ts";

/** Leaves a file behind wherever it is run. */
const mark = `import { writeFileSync } from "node:fs"; writeFileSync(import.meta.dirname + "/ran", "");\n`;
const kind = (body: string) => `${mark}import { defineChannel, z } from "nanobot";
export const channel = defineChannel({ schema: z.object({}), create: () => (${body}) });\n`;

interface Scene extends ProgramHome {
  board: FakeBoard;
  type(...argv: string[]): Promise<Ended>;
  write(name: string, text: string): Promise<void>;
  start(): Promise<Program>;
}

/** With the channel of docs/adding-a-channel.md, which is not yet allowed, and further ones. */
async function setUp(
  files: Record<string, string> = {},
  blocks: Record<string, unknown> = {},
): Promise<Scene> {
  const board = await startFakeBoard();
  const home = await createProgramHome();
  const script = join(home.home, "script.json");
  await writeFile(script, JSON.stringify({ steps: ["Two litres."], loop: true }));
  const block = { enabled: true, apiBase: board.url, token: board.token, allowFrom: ["ann"] };
  const enabled = Object.keys(files).map((name) => [name.replace(/(\/index)?\.\w+$/, ""), { enabled: true }]);
  const config = {
    agents: { defaults: { provider: "scripted", model: "script" } },
    providers: { scripted: { script } },
    memory: { autoRecall: false },
    channels: { collectMs: 0, blackboard: block, ...Object.fromEntries(enabled), ...blocks },
  };
  await writeFile(join(home.home, "config.json"), JSON.stringify(config));
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(home.home, "channels", name)), { recursive: true });
    await writeFile(join(home.home, "channels", name), text);
  };
  const example = await readFile(packagePath("test/examples/blackboard.ts"), "utf8");
  await write("blackboard.ts", example.replace('"../../src/index.ts"', '"nanobot"'));
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const start = async () => {
    const program = startProgram(nanobot("gateway", "--port", "0"), { env: home.env });
    await program.waitFor(words.gateway.stopHint);
    return program;
  };
  return {
    ...home,
    board,
    write,
    start,
    type: (...argv) => runProgram(nanobot(...argv), { env: home.env }),
  };
}

async function end(program: Program): Promise<Ended> {
  program.kill("SIGTERM");
  return program.ended;
}

describe("nanobot channels", () => {
  it("lists, allows and blocks files and folders, and asks again when one changes", async () => {
    const { type, write, home } = await setUp({
      "room/index.ts": `import "./rates.ts"; ${kind("{ start: async () => {}, send: async () => ({}) }")}`,
      "room/rates.ts": "export const rate: number = 1;",
      "lib/shared.ts": "export {};",
    });
    const listed = JSON.parse((await type("channels", "--json")).stdout);
    expect(listed).toEqual([
      {
        file: "blackboard.ts",
        state: "new",
        covers: ["blackboard.ts"],
        channel: null,
        reason: expect.stringContaining(`${command} channels allow blackboard.ts`),
      },
      expect.objectContaining({ file: "room", covers: ["room/index.ts", "room/rates.ts"] }),
    ]);
    const refused = await type("channels", "allow", "room");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(existsSync(join(home, "channels/room/ran"))).toBe(false);
    const allowed = await type("channels", "allow", "room", "--yes");
    expect(allowed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rates\.ts \(30\)[\s\S]*room {2}allowed {2}room/),
    });
    await write("room/rates.ts", "export const rate: number = 2;");
    expect((await type("channels")).stdout).toMatch(/room {2}changed {2}Not used, because it changed/);
    await type("channels", "allow", "room", "-y");
    expect(JSON.parse((await type("channels", "block", "room", "--json")).stdout)).toEqual({
      blocked: "room",
    });
    expect((await type("channels")).stdout).toMatch(/room {2}not allowed/);
    expect(await type("channels", "allow", "rom")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "room"?'),
    });
  });

  it("says in status and doctor what waits for the owner, and which block has a wrong name", async () => {
    const { type } = await setUp(
      {},
      { telegran: { enabled: true }, discord: { enabled: false }, pigeon: {} },
    );
    const allow = `${command} channels allow blackboard.ts`;
    const nearest = 'There is no channel "telegran" (channels.telegran). Did you mean "telegram"?';
    for (const command of ["status", "doctor"]) {
      const { stdout } = await type(command);
      expect(stdout).toContain(allow);
      expect(stdout).toContain(nearest);
      expect(stdout).toContain('There is no channel "pigeon"');
      expect(stdout).not.toContain("discord");
    }
    const status = JSON.parse((await type("status", "--json")).stdout);
    expect(status.unknownChannels).toEqual([nearest, expect.stringContaining("pigeon")]);
  });
});

describe("a gateway with custom channels", () => {
  it("starts none before it is allowed, then talks through it, and leaves it out once it changes", async () => {
    const { type, write, start, board, home } = await setUp();
    const before = await end(await start());
    expect(before.stderr).toContain("nanobot channels allow blackboard.ts");
    expect(board.polls()).toBe(0);

    await type("channels", "allow", "blackboard", "--yes");
    const program = await start();
    board.say("Milk?");
    await eventually(() => [...board.pinned.values()]).toEqual([{ to: "ann", text: "Two litres." }]);
    const health = async () => JSON.parse((await type("gateway", "status", "--json")).stdout).channels;
    const counted = { name: "blackboard", state: "running", received: 1, sent: 1 };
    await eventually(health).toContainEqual(expect.objectContaining(counted));
    expect((await end(program)).stderr).not.toContain("cannot be started");

    const polls = board.polls();
    const source = await readFile(join(home, "channels/blackboard.ts"), "utf8");
    await write("blackboard.ts", `${source}\n// changed`);
    expect((await end(await start())).stderr).toContain("because it changed since you allowed it");
    expect(board.polls()).toBe(polls);
  });

  it("goes on with the others when one throws, hangs or is no channel, and says why of each", async () => {
    const broken = {
      "a.ts": 'throw new Error("boom");',
      "b.ts": "export const nothing: number = 1;",
      "c.ts": kind('(() => { throw new Error("no board at board-key-1"); })()'),
      "d.ts": kind("{ start: async () => {} }"),
      "e.ts": kind('{ start: async () => { throw new Error("lost"); }, send: async () => ({}) }'),
      "f.ts": kind("{ start: () => new Promise(() => {}), send: async () => ({}) }"),
      "telegram.ts": kind("{ start: async () => {}, send: async () => ({}) }"),
    };
    const { type, start, board } = await setUp(broken, { telegram: { enabled: false } });
    for (const name of ["blackboard", ...Object.keys(broken)]) await type("channels", "allow", name, "-y");
    expect((await type("channels")).stdout).toMatch(/telegram\.ts {2}broken {2}The name "telegram" is taken/);
    const program = await start();
    board.say("Milk?");
    await eventually(() => board.pinned.size).toBe(1);
    const { problems, channels } = JSON.parse((await type("gateway", "status", "--json")).stdout);
    expect(problems).toEqual([
      expect.stringContaining('The channel a cannot be started: It could not be loaded: "boom"'),
      expect.stringContaining("The channel b cannot be started: b.ts does not export exactly one channel"),
      expect.stringMatching(/The channel c cannot be started: "no board at (?!board-key-1)/),
      expect.stringContaining("The channel d cannot be started: create returned no channel"),
    ]);
    const states = Object.fromEntries(channels.map(({ name, ...state }: { name: string }) => [name, state]));
    expect(states).toMatchObject({
      blackboard: { state: "running" },
      e: { state: expect.stringMatching(/retrying|starting/), error: '"lost"' },
      f: { state: "starting" },
    });
    // It hangs and does not listen, and is not waited for.
    expect((await end(program)).code).toBe(0);
  });
});
