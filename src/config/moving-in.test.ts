import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asLoaded, createConfigHome, start, toLines } from "../../test/support/config-home.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { packagePath } from "../lib/package-root.ts";
import { TriggerFile } from "../storage/jobs/trigger-file.ts";
import { toModelInput } from "./model-input.ts";
import { moveIn } from "./moving-in.ts";
import { saveConfig } from "./save.ts";

const pythonConfig = packagePath("test/fixtures/python-home/config.json");
const pythonTools = {
  restrictToWorkspace: false,
  exec: { enable: true, sandbox: "" },
  web: { enable: true },
};

describe("a whole config as the Python original writes it", () => {
  test("is our default config but for what is safer here, without a word of warning", async () => {
    const home = await createConfigHome(await readFile(pythonConfig, "utf8"));
    const { load, moved } = await start(home, { HOME: "/home/me" });
    expect([...load.warnings, ...moved].map(({ phrase }) => phrase.code)).toEqual([
      "config.unsafe-default",
      "config.unsafe-default",
    ]);
    const ours = asLoaded(await (await createConfigHome()).load()).config;
    expect(load.config).toMatchObject({
      ...ours,
      agents: {
        defaults: {
          ...ours.agents.defaults,
          workspace: "/home/me/.nanobot/workspace",
          maxConcurrentSubagents: 1,
        },
      },
      providers: { lmStudio: { apiBase: "http://localhost:1234/v1" } },
      transcription: { ...ours.transcription, provider: "groq" },
      tools: {
        ...ours.tools,
        imageGeneration: { ...ours.tools.imageGeneration, provider: "openrouter" },
        mcpServers: { files: { command: "npx" } },
        web: { fetch: { useJinaReader: true } },
      },
    });
  });

  test("does not choose a model: its default is written into every file", async () => {
    const home = await createConfigHome(await readFile(pythonConfig, "utf8"));
    const { load } = await start(home);
    expect(toModelInput(load, {})).toMatchObject({ isModelChosen: false, hasConfig: true });
  });
});

describe("the open defaults of the Python original", () => {
  test("count as not set, which every start says until they are confirmed", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    const first = await start(home);
    expect(first.load.config.tools).toMatchObject({ restrictToWorkspace: true, exec: { sandbox: "auto" } });
    expect(toLines(first.load.warnings)).toEqual([
      "tools.restrictToWorkspace config.unsafe-default NANOBOT_TOOLS__RESTRICT_TO_WORKSPACE",
      "tools.exec.sandbox config.unsafe-default NANOBOT_TOOLS__EXEC__SANDBOX",
    ]);
    const second = await start(home);
    expect(second.load.config.tools).toMatchObject({ restrictToWorkspace: true, exec: { sandbox: "auto" } });
    expect(toLines(second.load.warnings)).toEqual(toLines(first.load.warnings));
  });

  test("stay without effect when something else in the file is edited", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    await start(home);
    await writeFile(home.paths.config, JSON.stringify({ tools: pythonTools, api: { port: 1 } }));
    expect((await start(home)).load.config.tools.restrictToWorkspace).toBe(true);
  });

  test("hold when they were taken out and written again", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    await start(home);
    await writeFile(home.paths.config, JSON.stringify({ tools: { exec: { sandbox: "" } } }));
    await start(home);
    await writeFile(
      home.paths.config,
      JSON.stringify({ tools: { restrictToWorkspace: false, exec: { sandbox: "" } } }),
    );
    const { load } = await start(home);
    expect(load.config.tools).toMatchObject({ restrictToWorkspace: false, exec: { sandbox: "auto" } });
  });

  test("hold in a file that was made after the first start", async () => {
    const home = await createConfigHome();
    await start(home);
    await writeFile(home.paths.config, JSON.stringify({ tools: pythonTools }));
    const { load } = await start(home);
    expect(load.config.tools).toMatchObject({ restrictToWorkspace: false, exec: { sandbox: "auto" } });
  });

  test("hold when the environment says so", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    const { load } = await start(home, { NANOBOT_TOOLS__RESTRICT_TO_WORKSPACE: "false" });
    expect(load.config.tools.restrictToWorkspace).toBe(false);
  });

  test("its sandbox is a required sandbox, from the first start on", async () => {
    const home = await createConfigHome({ tools: { exec: { sandbox: "bwrap" } } });
    expect((await start(home)).load.config.tools.exec.sandbox).toBe("required");
  });

  test("a save keeps the mark that the file is ours", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    await start(home);
    await saveConfig({
      home: home.paths,
      env: {},
      clock: createFakeClock(),
      change: { tools: { restrictToWorkspace: false } },
    });
    expect((await start(home)).load.config.tools.restrictToWorkspace).toBe(false);
    expect((await start(home)).load.config.tools.restrictToWorkspace).toBe(false);
  });

  test("the config itself stays as it is", async () => {
    const home = await createConfigHome({ tools: pythonTools });
    const before = await home.readConfig();
    await start(home);
    expect(await home.readConfig()).toBe(before);
  });

  test("a mark that cannot be read or written does no harm", async () => {
    const home = await createConfigHome({ tools: pythonTools }, { run: "a file in its way" });
    const { load, moved } = await start(home);
    expect(load.config.tools.restrictToWorkspace).toBe(true);
    expect(moved.map(({ phrase }) => phrase.code)).toEqual(["file.unreadable"]);
  });
});

test("triggers of the Python version are taken over once, with rights that it did not say", async () => {
  const row = { name: "build", channel: "telegram", chatId: "42", sessionKey: "telegram:42", runHistory: [] };
  const triggers = [{ id: "trg_ABCD2345", ...row }, { id: "trg_OFF", ...row, enabled: false }, "torn"];
  const home = await createConfigHome(
    {},
    { "workspace/triggers/triggers.json": JSON.stringify({ triggers }) },
  );
  const { moved } = await start(home);
  expect(moved.map(({ phrase }) => phrase)).toEqual([
    { code: "config.triggers-taken-over", params: { count: 1 } },
  ]);
  const taken = new TriggerFile(home.paths.triggers);
  expect(await taken.list()).toMatchObject([{ id: "trg_ABCD2345", name: "build", origin: {} }]);
  await taken.remove("trg_ABCD2345");
  expect((await start(home)).moved).toEqual([]);
  expect(await taken.list()).toEqual([]);
});

describe("the schedule in its legacy place", () => {
  const jobs = '{"version":1,"jobs":[{"id":"1a2b3c4d","name":"Wasser trinken"}]}';

  test("moves into the workspace, and a copy is kept", async () => {
    const home = await createConfigHome(
      {},
      { "cron/jobs.json": jobs, "cron/action.jsonl": '{"action":"add"}\n' },
    );
    const { moved } = await start(home);
    const target = join(home.paths.workspace, "cron");
    expect(await readFile(join(target, "jobs.json"), "utf8")).toBe(jobs);
    const [replayed = ""] = (await readdir(target)).filter((name) => name.startsWith("action.jsonl"));
    expect(await readFile(join(target, replayed), "utf8")).toBe('{"action":"add"}\n');
    expect(await readdir(join(home.paths.home, "cron"))).toEqual([]);
    const copies = join(home.paths.backup, "2026-08-01-100000", "cron");
    expect((await readdir(copies)).sort()).toEqual(["action.jsonl", "jobs.json"]);
    expect(await readFile(join(copies, "jobs.json"), "utf8")).toBe(jobs);
    expect(moved.map(({ phrase, path }) => `${phrase.code} ${path}`)).toEqual([
      "config.moved cron/action.jsonl",
      "config.moved cron/jobs.json",
    ]);
  });

  test("with jobs that only wait to be taken over loses none of them", async () => {
    const add = (id: string, name: string) => ({ action: "add", params: { id, name } });
    const lines = [
      add("11111111", "tea"),
      "torn {",
      add("22222222", "walk"),
      { action: "update", params: { id: "11111111", name: "coffee" } },
      { action: "del", params: { job_id: "22222222" } },
      { action: "del", params: { job_id: "33333333" } },
      add("44444444", "read"),
    ];
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const present = { version: 1, mine: 7, jobs: [{ id: "33333333" }, { id: "55555555" }] };
    const home = await createConfigHome(
      {},
      { "workspace/cron/action.jsonl": text, "workspace/cron/jobs.json": JSON.stringify(present) },
    );
    const { moved } = await start(home);
    expect(moved.map(({ phrase, path }) => `${phrase.code} ${path}`)).toEqual([
      "config.jobs-taken-over workspace/cron/action.jsonl",
    ]);
    const folder = join(home.paths.workspace, "cron");
    expect(JSON.parse(await readFile(join(folder, "jobs.json"), "utf8"))).toEqual({
      version: 1,
      mine: 7,
      jobs: [{ id: "55555555" }, { id: "11111111", name: "coffee" }, { id: "44444444", name: "read" }],
    });
    const [kept = ""] = (await readdir(folder)).filter((name) => name.startsWith("action.jsonl"));
    expect(await readFile(join(folder, kept), "utf8")).toBe(text);
    expect((await start(home)).moved).toEqual([]);
  });

  test("stays where the workspace has a schedule already", async () => {
    const home = await createConfigHome({}, { "cron/jobs.json": jobs, "workspace/cron/jobs.json": "theirs" });
    expect((await start(home)).moved).toEqual([]);
    expect(await readFile(join(home.paths.workspace, "cron", "jobs.json"), "utf8")).toBe("theirs");
    expect(await readFile(join(home.paths.home, "cron", "jobs.json"), "utf8")).toBe(jobs);
  });

  test("does not come back when the schedule in the workspace is removed later", async () => {
    const home = await createConfigHome({}, { "cron/jobs.json": jobs });
    await start(home);
    await rm(join(home.paths.workspace, "cron", "jobs.json"));
    expect((await start(home)).moved).toEqual([]);
    expect(await readdir(join(home.paths.workspace, "cron"))).toEqual([]);
  });

  test("goes to the workspace that the config names", async () => {
    const workspace = await createTemporaryFolder();
    const home = await createConfigHome({ agents: { defaults: { workspace } } }, { "cron/jobs.json": jobs });
    await start(home);
    expect(await readFile(join(workspace, "cron", "jobs.json"), "utf8")).toBe(jobs);
  });

  test("stays where it is while another workspace is borrowed for one run", async () => {
    const home = await createConfigHome({}, { "cron/jobs.json": jobs });
    const load = asLoaded(await home.load({}, join(home.paths.home, "borrowed")));
    expect(await moveIn({ home: home.paths, load, clock: createFakeClock() })).toEqual([]);
    expect(await readFile(join(home.paths.home, "cron", "jobs.json"), "utf8")).toBe(jobs);
  });

  test("stays, with a warning, where it cannot be moved", async () => {
    const home = await createConfigHome({}, { "cron/jobs.json": jobs, workspace: "a file in its way" });
    const { moved } = await start(home);
    expect(moved.map(({ phrase, path }) => `${phrase.code} ${path}`)).toEqual([
      "config.not-moved cron/jobs.json",
    ]);
    expect(await readFile(join(home.paths.home, "cron", "jobs.json"), "utf8")).toBe(jobs);
  });
});

describe("a gateway of the Python original on the same home", () => {
  /** Another program than Node that calls itself nanobot, and lives until its input ends. */
  async function startOther(name: string): Promise<number> {
    const folder = await createTemporaryFolder({ [name]: "echo ready; read -r line\n" });
    const child = spawn("/bin/sh", [join(folder, name), "gateway"], { stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(async () => {
      const closed = once(child, "close");
      child.stdin.end();
      await closed;
    });
    await once(child.stdout, "data");
    return child.pid ?? 0;
  }

  async function startWith(state: unknown, name = "gateway.json") {
    const home = await createConfigHome(
      {},
      { [`run/${name}`]: JSON.stringify(state), "cron/jobs.json": "{}" },
    );
    const load = asLoaded(await home.load());
    const moved = await moveIn({ home: home.paths, load, clock: createFakeClock() });
    return moved.map(({ phrase }) =>
      phrase.code === "config.python-gateway" ? phrase.params.pid : phrase.code,
    );
  }

  test.skipIf(process.platform === "win32")(
    "is noticed and named, and nothing is moved under its hands",
    async () => {
      const pid = await startOther("nanobot");
      expect(await startWith({ pid })).toEqual([pid]);
      expect(await startWith({ pid }, "gateway.1234abcd.json")).toEqual([pid]);
    },
  );

  test("is not taken for another program that has its number now, for our own, or for a dead one", async () => {
    const stranger = await startOther("something-else");
    const moved = ["config.moved"];
    expect(await startWith({ pid: stranger })).toEqual(moved);
    expect(await startWith({ pid: process.pid })).toEqual(moved);
    expect(await startWith({ pid: 2 ** 22 + 1 })).toEqual(moved);
    expect(await startWith({ pid: "1" })).toEqual(moved);
    expect(await startWith([])).toEqual(moved);
  });

  test("our own gateway is a Node program", async () => {
    const folder = await createTemporaryFolder({
      "nanobot.mjs": 'console.log("ready"); process.stdin.resume();',
    });
    const child = spawn(process.execPath, [join(folder, "nanobot.mjs")], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(async () => {
      const closed = once(child, "close");
      child.stdin.end();
      await closed;
    });
    await once(child.stdout, "data");
    expect(await startWith({ pid: child.pid })).toEqual(["config.moved"]);
  });

  test("a folder in place of its state does no harm", async () => {
    const home = await createConfigHome({});
    await mkdir(join(home.paths.run, "gateway.json"), { recursive: true });
    expect((await start(home)).moved).toEqual([]);
  });
});
