import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  addHermesDatabase,
  addOpenClawDatabases,
  hermesFiles,
  openClawFiles,
  writeFiles,
} from "../../../test/support/foreign-homes.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import type { MoveItem } from "./step.ts";

afterEach(closeTestGateways);

async function createOpenClaw(): Promise<string> {
  const folder = join(await createTemporaryFolder(), ".openclaw");
  await writeFiles(folder, openClawFiles);
  await addOpenClawDatabases(folder);
  return folder;
}

async function createHermes(): Promise<string> {
  const folder = join(await createTemporaryFolder(), ".hermes");
  await writeFiles(folder, hermesFiles);
  addHermesDatabase(folder);
  return folder;
}

/** Every file below a folder with a hash of its bytes. */
async function digest(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = await Promise.all(
    files.sort().map(async (path) => [
      path,
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ]),
  );
  return Object.fromEntries(pairs);
}

const find = (items: MoveItem[], kind: MoveItem["kind"], name: string) =>
  items.find((item) => item.kind === kind && item.name === name);

const readWorkspace = ({ home }: TestGateway, name: string) =>
  readFile(join(home, "workspace", name), "utf8");

const listJobs = async ({ client }: TestGateway) =>
  (await client.call("jobs.list", {})).jobs.filter(({ kind }) => kind === "turn");

async function searchFor({ client }: TestGateway, query: string): Promise<string> {
  return JSON.stringify((await client.call("memory.search", { query })).hits);
}

describe("moving in from OpenClaw", () => {
  it("lists every item with what will happen, and changes nothing", async () => {
    const from = await createOpenClaw();
    const gateway = await createTestGateway([]);
    const [there, here] = [await digest(from), await digest(join(gateway.home, "workspace"))];
    const { program, items } = await gateway.client.call("move-in.plan", { from });
    expect(program).toBe("openclaw");
    expect(find(items, "prompt", "AGENTS.md")).toMatchObject({ action: "add" });
    expect(find(items, "memory", "memory/MEMORY.md")).toMatchObject({ action: "add" });
    expect(find(items, "note", "memory/2026-03-01.md")).toMatchObject({ action: "add" });
    expect(find(items, "document", "knowledge/openclaw/projects.md")).toMatchObject({ action: "add" });
    expect(find(items, "skill", "counter")).toMatchObject({ action: "add" });
    expect(find(items, "skill", "managed")).toMatchObject({ action: "add" });
    expect(find(items, "skill", "evil")).toMatchObject({
      action: "leave",
      reason: { code: "move-in.skill-flagged" },
    });
    expect(find(items, "job", "Morning brief")).toMatchObject({ action: "add", to: "telegram:42" });
    expect(find(items, "job", "Water")).toMatchObject({ action: "add", to: "cli:direct" });
    expect(find(items, "job", "Old one")).toMatchObject({
      action: "leave",
      reason: { code: "jobs.time-over" },
    });
    expect(find(items, "job", "Watcher")).toMatchObject({ reason: { code: "move-in.no-such-schedule" } });
    expect(items.filter(({ kind }) => kind === "conversation").map(({ name }) => name)).toEqual([
      "New age",
      "About tomatoes",
      "Gardeners",
    ]);
    expect(find(items, "channel", "telegram")).toMatchObject({ action: "add" });
    expect(find(items, "channel", "signal")).toMatchObject({ reason: { code: "move-in.no-such-channel" } });
    expect(find(items, "model", "anthropic/claude-sonnet-4-6")).toMatchObject({ action: "add" });
    expect(find(items, "host", "custom-proxy")).toMatchObject({ action: "add" });
    expect(items.filter(({ kind }) => kind === "secret").map(({ to }) => to)).toEqual([
      "providers.custom-proxy.apiKey",
      "providers.openai.apiKey",
      "providers.anthropic.apiKey",
      "channels.telegram.token",
    ]);
    expect(find(items, "server", "notes")).toMatchObject({ action: "leave" });
    expect(find(items, "file", "BOOT.md")).toMatchObject({ action: "leave" });
    // What is shown holds no secret.
    expect(JSON.stringify(items)).not.toMatch(/-secret/);
    expect(await digest(from)).toEqual(there);
    expect(await digest(join(gateway.home, "workspace"))).toEqual(here);
  });

  it("takes it over once, without a change of the other home, and keys only when they were agreed to", async () => {
    const from = await createOpenClaw();
    const gateway = await createTestGateway([]);
    const there = await digest(from);
    const questions: string[] = [];
    const { items } = await gateway.client.call(
      "move-in.run",
      { from },
      {
        async ask({ phrase, detail }) {
          questions.push(phrase.code, detail ?? "");
          return "no";
        },
      },
    );
    expect(items.filter(({ action }) => action === "failed")).toEqual([]);
    expect(questions).toEqual(["move-in.ask-secrets", expect.stringContaining("channels.telegram.token")]);
    expect(await readWorkspace(gateway, "AGENTS.md")).toContain("haiku");
    expect(await readWorkspace(gateway, "USER.md")).toContain("Likes tea");
    expect(await readWorkspace(gateway, "memory/MEMORY.md")).toContain("Luna");
    expect(await readWorkspace(gateway, "memory/2026-03-01.md")).toMatch(/tomatoes[\s\S]*soil/);
    expect(await readFile(join(gateway.home, "skills/counter/notes.txt"), "utf8")).toContain("one two");
    expect(await readdir(join(gateway.home, "skills"))).toEqual(["counter", "managed"]);
    const jobs = await listJobs(gateway);
    expect(jobs.map(({ message, channel, chatId }) => [message, channel, chatId]).sort()).toEqual([
      ["Summarise my morning", "telegram", "42"],
      ["Water the plants", "cli", "direct"],
    ]);
    const config = await readFile(join(gateway.home, "config.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({
      agents: { defaults: { model: "anthropic/claude-sonnet-4-6" } },
      channels: { telegram: { enabled: false, allowFrom: ["42"] } },
      providers: { "custom-proxy": { apiBase: "http://localhost:4000/v1" } },
    });
    expect(config).not.toContain("secret");
    expect(await searchFor(gateway, "quetzal tomatoes")).toContain("first of March");
    expect(await searchFor(gateway, "axolotl pond")).toContain("axolotl");
    expect(await searchFor(gateway, "Kestrel")).toContain("greenhouse");
    expect(await digest(from)).toEqual(there);

    // What is changed and removed here stays so when it is run again; the keys can still be had.
    await writeFile(join(gateway.home, "workspace/AGENTS.md"), "# Mine\n");
    await gateway.client.call("jobs.remove", { id: jobs[0]?.id ?? "" });
    const again = await gateway.client.call("move-in.run", { from, secrets: true });
    const done = again.items.filter(({ action }) => !["same", "leave"].includes(action));
    expect(new Set(done.map(({ kind }) => kind))).toEqual(new Set(["secret"]));
    expect(await readWorkspace(gateway, "AGENTS.md")).toBe("# Mine\n");
    expect(await listJobs(gateway)).toHaveLength(1);
    const keyed = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
    expect(keyed.channels.telegram).toMatchObject({ enabled: true, token: "123:telegram-secret" });
    expect(keyed.providers.anthropic).toMatchObject({ apiKey: "sk-ant-secret" });
  });

  it.each([true, false])(
    "takes keys that stand in texts only when they were agreed to: %s",
    async (secrets) => {
      const from = await createOpenClaw();
      const key = "sk-proj-A1b2C3d4E5f6G7h8I9j0";
      const telegram = "123:telegram-secret";
      await writeFile(join(from, "workspace/MEMORY.md"), `- Luna\n- The key is ${key}\n- bot ${telegram}\n`);
      const session = join(from, "agents/main/sessions/11111111-aaaa.jsonl");
      const said = (await readFile(session, "utf8")).replace(
        "the quetzal tomatoes",
        `${key} for the ostrich`,
      );
      await writeFile(session, said);
      const gateway = await createTestGateway([]);
      const { items } = await gateway.client.call("move-in.plan", { from });
      expect(JSON.stringify(items)).not.toContain(key);
      await gateway.client.call("move-in.run", { from, secrets });
      const memory = await readWorkspace(gateway, "memory/MEMORY.md");
      expect(memory).toContain("Luna");
      expect([memory.includes(key), memory.includes(telegram)]).toEqual([secrets, secrets]);
      const found = await searchFor(gateway, "ostrich");
      expect(found).toContain("ostrich");
      expect(found.includes(key)).toBe(secrets);
    },
  );

  it("never replaces what a person wrote here", async () => {
    const from = await createOpenClaw();
    const gateway = await createTestGateway([], {
      config: {
        agents: { defaults: { model: "openai/gpt-5" } },
        providers: { anthropic: { apiKey: "mine" } },
      },
      async beforeBuild(home) {
        await writeFiles(join(home, "workspace"), {
          "SOUL.md": "# Mine\n",
          "memory/MEMORY.md": "# Memory\n- Mia's cat is called Luna\n- A line of mine\n",
          "USER.md": "- Name: Mia\n",
        });
        await mkdir(join(home, "skills/counter"), { recursive: true });
        await writeFile(
          join(home, "skills/counter/SKILL.md"),
          "---\nname: counter\ndescription: mine\n---\n",
        );
      },
    });
    const { items } = await gateway.client.call("move-in.run", { from, secrets: true });
    expect(await readWorkspace(gateway, "SOUL.md")).toBe("# Mine\n");
    expect(await readWorkspace(gateway, "SOUL.openclaw.md")).toContain("lobster");
    expect(await readWorkspace(gateway, "memory/MEMORY.md")).toBe(
      "# Memory\n- Mia's cat is called Luna\n- A line of mine\n",
    );
    expect(await readWorkspace(gateway, "USER.md")).toBe("- Name: Mia\n\n## OpenClaw\n\n- Likes tea\n");
    expect(find(items, "skill", "counter")).toMatchObject({ action: "leave" });
    expect(find(items, "model", "anthropic/claude-sonnet-4-6")).toMatchObject({ action: "leave" });
    const config = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
    expect(config).toMatchObject({
      agents: { defaults: { model: "openai/gpt-5" } },
      providers: { anthropic: { apiKey: "mine" } },
    });
  });

  it("labels what others said in a group, so that it is not taken for the owner's words", async () => {
    const from = await createOpenClaw();
    const gateway = await createTestGateway([]);
    await gateway.client.call("move-in.run", { from, secrets: false });
    const root = join(gateway.home, "sessions");
    const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    const texts = await Promise.all(names.map((name) => readFile(join(root, name), "utf8")));
    const group = texts.find((text) => text.includes("Bob says hello"));
    expect(group).toContain('"labels":["guest:openclaw"]');
    expect(texts.find((text) => text.includes("quetzal"))).not.toContain("labels");
  });
});

describe("moving in from Hermes", () => {
  it("takes over prompt files, memory, own skills, jobs, conversations and settings", async () => {
    const from = await createHermes();
    const there = await digest(from);
    const gateway = await createTestGateway([]);
    const { program, items } = await gateway.client.call("move-in.run", { from, secrets: true });
    expect(program).toBe("hermes");
    expect(items.filter(({ action }) => action === "failed")).toEqual([]);
    expect(await readWorkspace(gateway, "SOUL.md")).toContain("swift messenger");
    expect(await readWorkspace(gateway, "memory/MEMORY.md")).toBe(
      "- The server is called Styx\n- Backups run on Sunday\n",
    );
    expect(await readWorkspace(gateway, "USER.md")).toContain("Name is Iris");
    expect(await readdir(join(gateway.home, "skills"))).toEqual(["lamp"]);
    const jobs = await listJobs(gateway);
    expect(jobs.map(({ message, channel, chatId }) => [message, channel, chatId])).toEqual([
      ["Tell me to stretch", "telegram", "7"],
    ]);
    expect(find(items, "job", "Off")).toMatchObject({ reason: { code: "move-in.paused" } });
    expect(await searchFor(gateway, "caduceus key")).toContain("caduceus");
    const config = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
    expect(config).toMatchObject({
      agents: { defaults: { model: "anthropic/claude-opus-4-6" } },
      providers: { anthropic: { apiKey: "sk-ant-hermes" } },
      channels: { telegram: { enabled: true, token: "9:hermes-token", allowFrom: ["7", "8"] } },
    });
    expect(await digest(from)).toEqual(there);
    const again = await gateway.client.call("move-in.plan", { from });
    expect(again.items.filter(({ action }) => ["add", "merge", "beside"].includes(action))).toEqual([]);
  });
});

describe("a home with damaged and odd content", () => {
  it("of Hermes is taken over but for what cannot be read, which is listed", async () => {
    const from = await createHermes();
    await writeFiles(from, { "state.db": "no database", "cron/jobs.json": "[]]", "config.yaml": "a: [b" });
    await symlink("/etc/passwd", join(from, "AGENTS.md.link"));
    const gateway = await createTestGateway([]);
    const { items } = await gateway.client.call("move-in.run", { from, secrets: false });
    for (const name of ["state.db", "jobs.json", "config.yaml", "AGENTS.md.link"])
      expect([name, find(items, "file", name)?.reason?.code]).toEqual([name, "move-in.unreadable"]);
    expect(items.filter(({ action }) => action === "failed")).toEqual([]);
    expect(await readWorkspace(gateway, "SOUL.md")).toContain("swift messenger");
  });

  it("of OpenClaw is taken over but for what cannot be read, and no link is followed", async () => {
    const from = await createOpenClaw();
    const workspace = join(from, "workspace");
    await writeFiles(from, {
      "agents/main/agent/openclaw-agent.sqlite": "no database",
      "agents/main/sessions/odd.jsonl": 'null\n[]\n{"type":"message","message":7}\n{"type":"mess',
      "workspace/HEARTBEAT.md": "x".repeat(3_000_000),
    });
    await symlink("/etc/passwd", join(workspace, "TOOLS.md"));
    await symlink("..", join(workspace, "memory", "loop"));
    const gateway = await createTestGateway([]);
    const { items } = await gateway.client.call("move-in.run", { from, secrets: false });
    for (const name of ["openclaw-agent.sqlite", "TOOLS.md", "loop"])
      expect([name, find(items, "file", name)?.reason?.code]).toEqual([name, "move-in.unreadable"]);
    expect(find(items, "prompt", "HEARTBEAT.md")?.reason?.code).toBe("move-in.unreadable");
    expect(await readWorkspace(gateway, "TOOLS.md")).not.toContain("root:");
    expect(await readWorkspace(gateway, "SOUL.md")).toContain("lobster");
  });
});

it("says what a folder is not", async () => {
  const gateway = await createTestGateway([]);
  const from = await createTemporaryFolder();
  await expect(gateway.client.call("move-in.plan", { from })).rejects.toMatchObject({
    phrase: { code: "move-in.no-home" },
  });
});
