// What the documents that this project follows describe (docs/names.md), each point against the whole assistant.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  ContextBuilder,
  defineTool,
  estimateTokens,
  type Tool,
  ToolError,
  terminalOrigin,
  z,
} from "../src/index.ts";
import { words } from "./support/english.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
const systemOf = (app: TestApp) => JSON.stringify(app.provider.requests.at(-1)?.messages[0]);
const lastOf = (app: TestApp) => JSON.stringify(app.provider.requests.at(-1)?.messages.at(-1));

describe("a workspace", () => {
  it("that is an existing folder without prompt files begins with templates and the ritual", async () => {
    const first = await createTestApp(["Hello."]);
    const workspace = join(first.home, "workspace");
    await first.close();
    await rm(workspace, { recursive: true });
    await mkdir(workspace);
    await writeFile(join(workspace, "thesis.txt"), "Chapter one");
    const app = await first.restart(["Hello."]);
    await say(app, "hello");
    expect(await readdir(workspace)).toEqual(expect.arrayContaining(["AGENTS.md", "SOUL.md", "thesis.txt"]));
    expect(systemOf(app)).toContain("## BOOTSTRAP.md");
    await app.close();
    for (const name of [
      "AGENTS.md",
      "SOUL.md",
      "USER.md",
      "TOOLS.md",
      "IDENTITY.md",
      "HEARTBEAT.md",
      "BOOTSTRAP.md",
    ])
      await rm(join(workspace, name));
    const again = await app.restart(["Hello."]);
    await say(again, "hello");
    expect(await readdir(workspace)).not.toContain("AGENTS.md");
  });

  it("has its files in the order AGENTS, SOUL, USER, TOOLS, IDENTITY", async () => {
    const app = await createTestApp(["Hello."]);
    for (const name of ["USER.md", "IDENTITY.md"]) await writeFile(join(app.home, "workspace", name), name);
    await say(app, "hello");
    const headings = [...systemOf(app).matchAll(/## ([A-Z]+)\.md/g)].map(([, name]) => name);
    expect(headings).toEqual(["AGENTS", "SOUL", "USER", "TOOLS", "IDENTITY", "BOOTSTRAP"]);
  });
});

describe("the prompt", () => {
  it.each([
    [{ intervalS: 4 }, "every 4 seconds"],
    [{ intervalS: 5400 }, "every 90 minutes"],
    [{ intervalS: 3600 }, "every hour"],
    [{ enabled: false }, "switched off"],
  ])("names the heartbeat of %j", async (heartbeat, expected) => {
    const app = await createTestApp(["Hello."], { config: { gateway: { heartbeat } } });
    await say(app, "hello");
    expect(systemOf(app)).toContain(`HEARTBEAT.md\` is checked`);
    expect(systemOf(app)).toContain(expected);
  });

  it("announces an edited identity within the epoch, and what holds when it is removed", async () => {
    const app = await createTestApp(["One.", "Two.", "Three.", "Four."]);
    const prompts = join(app.home, "workspace/prompts");
    await say(app, "hello");
    await mkdir(prompts);
    await writeFile(join(prompts, "identity.md"), "You are Pim, a lighthouse keeper.");
    await say(app, "and now?");
    expect(lastOf(app)).toContain("lighthouse keeper");
    expect(systemOf(app)).not.toContain("lighthouse keeper");
    await say(app, "still?");
    expect(lastOf(app)).not.toContain("lighthouse keeper");
    await rm(join(prompts, "identity.md"));
    await say(app, "and again?");
    expect(lastOf(app)).toContain("identity.md is again what it was");
  });
});

describe("tools", () => {
  const note = defineTool({
    name: "note",
    description: "Notes something.",
    parameters: z.object({
      title: z.string().min(1).max(40),
      limit: z.int().min(1).max(1000).optional(),
      colour: z.enum(["red", "green"]).optional(),
      tags: z
        .array(z.object({ name: z.string() }))
        .max(3)
        .optional(),
    }),
    execute: async ({ title }) => {
      if (title === "no") throw new ToolError("Another title, please.");
      return { content: "noted" };
    },
  }) as Tool;

  it("reach the model with their bounds", async () => {
    const app = await createTestApp(["Hello."], { tools: [note] });
    await say(app, "hello");
    const tools = app.provider.requests[0]?.tools ?? [];
    expect(tools.find(({ name }) => name === "note")?.parameters.properties).toMatchObject({
      title: { minLength: 1, maxLength: 40 },
      limit: { minimum: 1, maximum: 1000 },
      colour: { enum: ["red", "green"] },
      tags: { maxItems: 3 },
    });
    const cron = tools.find(({ name }) => name === "cron");
    expect(cron?.parameters.properties).toMatchObject({
      channel: {},
      to: {},
      every_seconds: { minimum: 60 },
    });
  });

  it.each([
    [
      { title: "a", channel: "telegram", to: "42" },
      /unknown channel, to; the parameters are: title, limit, colour, tags/,
    ],
    [{ title: "a", tags: [{ name: "b", size: 1 }] }, /unknown tags\.0\.size/],
  ])("do nothing with parameters that they do not know, and say so: %j", async (args, expected) => {
    const app = await createTestApp([call("note", args), "Done."], { tools: [note] });
    await say(app, "note it");
    expect(lastOf(app)).toMatch(expected);
    expect(lastOf(app)).not.toContain("noted");
  });

  it("plan a reminder for another chat, as AGENTS.md tells the model", async () => {
    const args = { action: "add", message: "tea", every_seconds: 60, channel: "telegram", to: "8281248569" };
    const script = [call("cron", args), "Done."];
    const channels = { telegram: { enabled: true, token: "1:a" } };
    const app = await createTestApp(script, { config: { channels } });
    await say(app, "remind telegram:8281248569 of the tea");
    const jobs = await readFile(join(app.home, "workspace/cron/jobs.json"), "utf8");
    expect(JSON.parse(jobs).jobs).toMatchObject([{ payload: { channel: "telegram", to: "8281248569" } }]);
    const refused = await createTestApp(script);
    await say(refused, "remind telegram:8281248569 of the tea");
    expect(lastOf(refused)).toMatch(/Nothing can be sent to telegram:8281248569/);
  });
});

describe("memory", () => {
  const day = 24 * 60 * 60 * 1000;

  it("has a line in the notes of a day for each conversation, without archiving it", async () => {
    const clock = createFakeClock(Date.UTC(2026, 7, 1, 10));
    const config = { agents: { defaults: { timezone: "UTC" } } };
    const app = await createTestApp(["One.", "Two.", "Three.", "Four.", "Five."], { clock, config });
    await say(app, "Book the train to Basel");
    await say(app, "And the way back?");
    await app.loop.processDirect({ sessionKey: "cli:other", text: "Water the plants" });
    await clock.advance(day);
    await say(app, "Good morning");
    const note = join(app.home, "workspace/memory/2026-08-01.md");
    const lines = (await readFile(note, "utf8")).trim().split("\n").sort();
    expect(lines).toEqual([
      '- cli:direct: 2 messages, from "Book the train to Basel" to "And the way back?"',
      '- cli:other: "Water the plants"',
    ]);
    expect(lastOf(app)).toContain("Water the plants");
    expect(await readdir(join(app.home, "workspace/memory"))).not.toContain("history.jsonl");
    await say(app, "Anything else?");
    expect((await readFile(note, "utf8")).trim().split("\n")).toHaveLength(2);
  });

  it("reads lines of history.jsonl as the documents print them", async () => {
    const first = await createTestApp([]);
    await first.close();
    const path = join(first.home, "workspace/memory/history.jsonl");
    const documented = { role: "user", content: "Asked for the QUOKKA file.", type: "consolidation" };
    const ours = { cursor: 4, timestamp: "2026-08-01 10:00", content: "Planned a trip." };
    await writeFile(path, `${JSON.stringify(documented)}\n${JSON.stringify(ours)}\n{"torn\n`);
    const app = await first.restart(["Hello."]);
    await say(app, "hello");
    expect(systemOf(app)).toContain("QUOKKA");
    expect((await readFile(path, "utf8")).trim().split("\n")).toEqual([
      expect.stringMatching(/^\{"cursor":5,"timestamp":"\d{4}-\d\d-\d\d \d\d:\d\d","content":"Asked/),
      JSON.stringify(ours),
      '{"torn',
    ]);
  });

  it("keeps the dates of HISTORY.md", async () => {
    const first = await createTestApp([]);
    await first.close();
    const text = "# History\n\n[2026-03-01 09:30] Moved to Lyon.\nWith the cat.\n\nNo date here.\n";
    await writeFile(join(first.home, "workspace/memory/HISTORY.md"), text);
    await first.restart([]);
    const lines = (await readFile(join(first.home, "workspace/memory/history.jsonl"), "utf8"))
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { timestamp: "2026-03-01 09:30", content: "Moved to Lyon.\nWith the cat." },
      { content: "No date here." },
    ]);
  });
});

describe("skills", () => {
  const skill = (name: string, description: string, requires = "") =>
    `---\nname: ${name}\ndescription: ${description}\n${requires}---\n\nStep one of ${name}.\n`;

  async function addSkill(home: string, name: string, text: string): Promise<void> {
    const folder = join(home, "workspace/skills", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "SKILL.md"), text);
  }

  const long = `Reads ${"old maps and ".repeat(70)}charts. Use when TRIGGERWORD`;

  it("are described in full, up to what the format allows", async () => {
    const app = await createTestApp(["Hello."]);
    expect(long.length).toBeGreaterThan(900);
    await addSkill(app.home, "maps", skill("maps", long));
    await say(app, "hello");
    expect(systemOf(app)).toContain("TRIGGERWORD");
  });

  it("have a list that grows with the window", async () => {
    const app = await createTestApp([]);
    for (let index = 0; index < 40; index++)
      await addSkill(app.home, `maps-${index}`, skill(`maps-${index}`, `${index} ${long}`));
    const skills = await app.skills.survey();
    const [usual, large] = [200_000, 1_000_000].map((contextWindow) => skills.summary({ contextWindow }));
    expect(estimateTokens(usual ?? "")).toBeLessThanOrEqual(4_000);
    expect(usual).not.toContain("TRIGGERWORD");
    expect(large?.match(/TRIGGERWORD/g)).toHaveLength(40);
  });

  it("are loaded in full for one call by either builder, and by a builder that has only a workspace", async () => {
    const app = await createTestApp([]);
    const workspace = join(app.home, "workspace");
    await addSkill(app.home, "maps", skill("maps", "Reads maps."));
    await writeFile(join(workspace, "memory/MEMORY.md"), "The cat is called Luna.");
    const builder = new ContextBuilder(workspace);
    const plain = await builder.buildSystemPrompt();
    expect(plain).toMatch(
      /You are nanobot[\s\S]*## AGENTS\.md[\s\S]*Luna[\s\S]*# Active Skills[\s\S]*<name>maps<\/name>/,
    );
    expect(plain).not.toContain("Step one of maps");
    const skillNames = ["maps", "nothing-of-that-name"];
    expect(await builder.buildSystemPrompt({ skillNames })).toContain("Step one of maps");
    const messages = await builder.buildMessages({ text: "hello", origin: terminalOrigin, skillNames });
    expect(messages[0]?.content).toBe(plain);
    expect(messages.at(-1)?.content).toContain("Step one of maps");
    expect(await readdir(app.home)).not.toContain("cache");
  });

  it("of a subagent are those whose tools it has", async () => {
    const script = [call("spawn", { task: "Look around", wait: true }), "Nothing there.", "Done."];
    const app = await createTestApp(script);
    const requires = "metadata:\n  nanobot:\n    requires:\n      tools: [message]\n";
    await addSkill(app.home, "postman", skill("postman", "Delivers.", requires));
    await addSkill(app.home, "maps", skill("maps", "Reads maps."));
    await say(app, "look around");
    const [main, subagent] = app.provider.requests.map(({ messages }) => JSON.stringify(messages[0]));
    expect(main).toMatch(/<name>cron<[\s\S]*<name>maps<[\s\S]*<name>postman</);
    expect(subagent).toContain("<name>maps<");
    expect(subagent).not.toMatch(/<name>(cron|postman)</);
  });
});

describe("restrictToWorkspace: false, written by hand", () => {
  it("waits until the owner confirms it, says so at every start, and then holds", async () => {
    const first = await createTestApp([], { config: { tools: { restrictToWorkspace: false } } });
    const codesOf = ({ loaded }: TestApp) => loaded.warnings.map(({ phrase }) => phrase.code);
    expect(first.loaded.config.tools.restrictToWorkspace).toBe(true);
    expect(codesOf(first)).toEqual(["config.unsafe-default"]);
    await first.close();
    const second = await first.restart([]);
    expect(codesOf(second)).toEqual(["config.unsafe-default"]);
    expect((await say(second, "/confirm")).text).toContain(
      words.answers.confirm.row("tools.restrictToWorkspace"),
    );
    await say(second, "/confirm tools.restrictToWorkspace");
    await second.close();
    const third = await second.restart([]);
    expect(third.loaded.config.tools.restrictToWorkspace).toBe(false);
    expect(codesOf(third)).toEqual([]);
  });
});
