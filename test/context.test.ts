// Seeing the context: what a look tells is what is then sent, and a look changes nothing.
import { createHash } from "node:crypto";
import { appendFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Inspection } from "../src/context/inspection.ts";
import { estimateJsonTokens, estimateTokens } from "../src/lib/tokens.ts";
import { estimateMessageTokens } from "../src/llm/message-tokens.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { anything, like, words } from "./support/english.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome } from "./support/run-program.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { typeHere } from "./support/type-here.ts";

afterEach(closeTestApps);

const sessionKey = "cli:direct";
const hour = 60 * 60 * 1000;

async function ask(app: TestApp, text: string): Promise<void> {
  const { stop, error } = await app.loop.processDirect({ sessionKey, text });
  expect([stop, error]).toEqual(["completed", undefined]);
}

const look = (app: TestApp, text = "") => app.loop.inspect({ sessionKey, text });

/** Every file of the home with its content and its time. */
async function photograph(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const shots = files.sort().map(async (path) => {
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    return `${path} ${(await stat(path)).mtimeMs} ${hash}`;
  });
  return Promise.all(shots);
}

const ping: Tool = defineTool({
  name: "ping",
  description: "Says pong.",
  parameters: z.object({}),
  readOnly: true,
  execute: async () => ({ content: "pong" }),
}) as Tool;

const listFiles = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };

/** As a turn decides whether a request fits. */
function countLikeTurn({ messages: [system, ...history], tools }: Inspection["request"]): number {
  const fixed = estimateTokens(String(system?.content)) + estimateJsonTokens(tools);
  return history.reduce((sum, message) => sum + estimateMessageTokens(message), fixed);
}

describe("a look at the next request", () => {
  it("shows byte for byte what is then sent, whatever happened in between", async () => {
    const clock = createFakeClock();
    const script = [listFiles, ...Array.from({ length: 8 }, (_, turn) => `Answer ${turn}.`)];
    const app = await createTestApp(script, { clock });
    const happenings: Array<() => Promise<unknown>> = [
      async () => {},
      async () => {},
      () => appendFile(join(app.workspace, "SOUL.md"), "\n- Patient.\n"),
      () => clock.advance(2 * hour),
      () => rm(join(app.workspace, "TOOLS.md")),
      () => writeFile(join(app.workspace, "USER.md"), "- Name: Ann 安\n"),
    ];
    for (const [turn, happen] of happenings.entries()) {
      await happen();
      const { request, tokens, rows } = await look(app, `Question ${turn}`);
      const sentBefore = app.provider.requests.length;
      await ask(app, `Question ${turn}`);
      const sent = app.provider.requests[sentBefore];
      expect(request.messages).toEqual(sent?.messages);
      expect(request.tools).toEqual(sent?.tools);
      const counted = rows.filter(({ kind }) => kind !== "part");
      expect(tokens).toBe(counted.reduce((sum, row) => sum + row.tokens, 0));
      expect(tokens).toBe(countLikeTurn(request));
    }
  });

  it("shows it also where a crash left a turn open, and where the window is too small for all of it", async () => {
    const app = await createTestApp(["One.", "Two.", "Three."], { clock: createFakeClock() });
    const session = await app.sessions.open(sessionKey, "owner");
    const call = { id: "c1", type: "function" as const, function: { name: "exec", arguments: "{}" } };
    for (let turn = 0; turn < 6; turn++) {
      const content = `${turn} ${"many words ".repeat(10_000)}`;
      await session.append([{ id: `m${turn}`, turn: `m${turn}`, message: { role: "user", content } }]);
      const reply = { role: "assistant" as const, content: "Fine." };
      await session.append([{ id: `m${turn}.1`, turn: `m${turn}`, message: reply }]);
    }
    const open = { role: "assistant" as const, content: null, tool_calls: [call] };
    await session.append([{ id: "m6", turn: "m6", message: { role: "user", content: "Go" } }]);
    await session.append([{ id: "m6.1", turn: "m6", message: open }]);
    const { request } = await look(app, "And now?");
    await ask(app, "And now?");
    expect(request.messages).toEqual(app.provider.requests[0]?.messages);
    expect(JSON.stringify(request.messages)).toContain("Interrupted before a result was stored");
  });

  it("changes nothing: no epoch, no message, no file", async () => {
    const clock = createFakeClock();
    const app = await createTestApp([listFiles, "One.", "Two."], { clock });
    await app.loop.inspect({ sessionKey: "cli:never-used", text: "hello" });
    await ask(app, "First");
    await appendFile(join(app.workspace, "SOUL.md"), "\n- Patient.\n");
    await writeFile(join(app.workspace, "BOOTSTRAP.md"), "");
    await clock.advance(2 * hour);
    const before = await photograph(app.home);
    const { metadata, recent: messages } = await app.sessions.open(sessionKey, "owner");
    const remembered = JSON.stringify([metadata, messages]);
    await look(app, "Second");
    await app.loop.inspect({ sessionKey: "cli:never-used" });
    expect(JSON.stringify([metadata, messages])).toBe(remembered);
    expect(await photograph(app.home)).toEqual(before);
    expect(app.provider.requests).toHaveLength(2);
  });

  it("names each layer, file, tool and part of the conversation with its size and source", async () => {
    const app = await createTestApp(["Hello."], { clock: createFakeClock() });
    const first = await look(app, "Good morning");
    expect(first).toMatchObject({ session: sessionKey, correction: 1, epoch: { reason: "first-turn" } });
    expect(first.budget).toBeLessThan(first.window);
    const rowOf = ({ rows }: Inspection, name: string) => rows.find((row) => row.name === name);
    expect(rowOf(first, "identity")).toMatchObject({ kind: "layer", source: "built in", cached: false });
    const soul = (await readFile(join(app.workspace, "SOUL.md"), "utf8")).trim();
    expect(rowOf(first, "SOUL.md")).toMatchObject({
      kind: "part",
      characters: soul.length + "## SOUL.md\n\n".length,
    });
    expect(rowOf(first, "read_file")).toMatchObject({ kind: "tool", source: "built in" });
    expect(rowOf(first, "text")).toMatchObject({ kind: "message", characters: "Good morning".length });
    await ask(app, "Good morning");
    const second = await look(app);
    expect(second.epoch).toEqual({ hash: first.epoch.hash, startedAt: expect.any(Number) });
    expect(rowOf(second, "identity")?.cached).toBe(true);
    expect(rowOf(second, "sent")).toMatchObject({ messages: 1, cached: true });
    expect(rowOf(second, "unsent")).toMatchObject({ messages: 1, cached: false });
  });

  it("corrects its estimate by what the host counted for the last request", async () => {
    const usage = { input: 2_900, cached: 0, output: 5 };
    const app = await createTestApp([{ text: "Hello.", usage }], { clock: createFakeClock() });
    const before = await look(app, "hi");
    await ask(app, "hi");
    const after = await look(app, "hi");
    expect(after.correction).toBeCloseTo(2_900 / before.tokens, 1);
    const identityOf = ({ rows }: Inspection) => rows.find(({ name }) => name === "identity")?.tokens ?? 0;
    expect(identityOf(after) / identityOf(before)).toBeCloseTo(after.correction, 1);
  });
});

describe("the difference to the last request", () => {
  it("is nothing to speak of before the first one", async () => {
    const app = await createTestApp([]);
    expect((await look(app)).diff).toMatchObject({ files: [], tools: [] });
    expect((await look(app)).diff.last).toBeUndefined();
  });

  it("names changed files, which are announced while the prefix holds", async () => {
    const app = await createTestApp(["One.", "Two."], { clock: createFakeClock() });
    await ask(app, "First");
    expect((await look(app)).diff).toMatchObject({ files: [], notes: [] });
    await appendFile(join(app.workspace, "SOUL.md"), "\n- Patient.\n");
    await rm(join(app.workspace, "TOOLS.md"));
    await writeFile(join(app.workspace, "USER.md"), "- Name: Ann\n");
    const { diff } = await look(app);
    expect(diff.files).toEqual([
      { name: "SOUL.md", change: "changed" },
      { name: "TOOLS.md", change: "removed" },
      { name: "USER.md", change: "added" },
    ]);
    expect(diff.break).toBeUndefined();
    expect(diff.notes.join("\n")).toContain("+- Patient.");
    await ask(app, "Second");
    expect((await look(app)).diff.files).toEqual([]);
  });

  it("says where the prefix breaks after a long pause: in the layer and line that changed", async () => {
    const clock = createFakeClock();
    const app = await createTestApp(["One."], { clock });
    await ask(app, "First");
    await clock.advance(2 * hour);
    expect((await look(app)).diff.break).toEqual({ place: "nowhere", why: "idle" });
    const soul = join(app.workspace, "SOUL.md");
    await writeFile(soul, (await readFile(soul, "utf8")).replace("Calm", "Wild"));
    const { diff, rows } = await look(app);
    expect(diff.break).toMatchObject({ place: "system", why: "idle", layer: "bootstrap" });
    expect(diff.system).toContain("+- Wild");
    expect(rows.every(({ cached }) => !cached)).toBe(true);
    const system = (await look(app)).request.messages[0]?.content as string;
    const layer = system.slice(system.indexOf("## AGENTS.md"));
    expect(layer.split("\n")[(diff.break?.line ?? 0) - 1]).toContain("Wild");
  });

  it("breaks at the beginning for another model, at the tools for another list of them", async () => {
    const clock = createFakeClock();
    const app = await createTestApp(["One."], { clock });
    await ask(app, "First");
    const withTool = await app.restart(["Two."], { tools: [ping] });
    const { diff, request } = await look(withTool);
    expect(diff.tools).toEqual([{ name: "ping", change: "added" }]);
    expect(diff.break).toBeUndefined();
    expect(request.tools.map(({ name }) => name)).not.toContain("ping");
    await clock.advance(2 * hour);
    expect((await look(withTool)).diff.break).toEqual({ place: "tools", why: "idle" });
    await writeFile(join(app.home, "config.json"), '{ "agents": { "defaults": { "model": "other" } } }');
    const withModel = await app.restart(["Three."]);
    const other = await look(withModel);
    expect(other.diff.break).toEqual({ place: "start", why: "model-changed" });
    expect(other.correction).toBe(1);
  });

  it("breaks in the conversation where older messages were summarised or no longer fit", async () => {
    const long = "many words ".repeat(95_000);
    const app = await createTestApp(["One.", "Two.", long], { clock: createFakeClock() });
    await ask(app, "First");
    await ask(app, "Second");
    const session = await app.sessions.open(sessionKey, "owner");
    await session.updateMetadata({}, { lastConsolidated: 2 });
    expect((await look(app)).diff.break).toEqual({ place: "history", why: "consolidated", messages: 0 });
    await ask(app, "Third");
    const { diff } = await look(app, "And?");
    expect(diff.break).toMatchObject({ place: "history", why: "too-long" });
  });

  it("does not fail when the stored prefix is gone", async () => {
    const app = await createTestApp(["One."], { clock: createFakeClock() });
    await ask(app, "First");
    await rm(join(app.sessions.folder, "prefixes"), { recursive: true });
    const again = await app.restart([]);
    expect((await look(again)).epoch.reason).toBe("prefix-lost");
    expect((await look(again)).diff.last).toBeUndefined();
  });
});

describe("/context", () => {
  it("gives the tables, also while a turn runs", async () => {
    const app = await createTestApp([{ deltas: ["..."], hold: true }]);
    const channel = createFakeChannel("fake");
    const abort = new AbortController();
    void app.loop.run(abort.signal);
    void channel.serve(app.bus, abort.signal);
    await channel.say("work");
    await channel.say("/context");
    const { text } = await channel.nextPart();
    expect(text).toMatch(like(words.context.request("fake:room", anything)));
    expect(text).toMatch(/^\| identity \| [\d,]+ \| [\d,]+ \| .+ \| .*[0-9a-f]{8}/m);
    expect(text).toMatch(/^\| read_file \| \d+ \| \d+ \| .+ \|$/m);
    abort.abort(new Error("done"));
  });
});

describe("nanobot context", () => {
  async function open(): Promise<(...argv: string[]) => ReturnType<typeof typeHere>> {
    const model = await startFakeModel(() => ({ text: "Hello." }));
    const home = await createProgramHome(configFor(model.url));
    const run = (...argv: string[]) => typeHere(argv, home.env);
    await run("agent", "-m", "hi");
    await appendFile(join(home.workspace, "SOUL.md"), "\n- Patient.\n");
    return run;
  }

  it("prints aligned tables, one JSON value, exactly what would be sent, or the difference", async () => {
    const run = await open();
    const table = await run("context", "--message", "What now?");
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(table.stdout).toMatch(/^│ identity +│ +[\d,]+ │ +[\d,]+ │ .+│ [0-9a-f]{8} │$/m);
    const json = JSON.parse((await run("context", "--json")).stdout);
    expect(json).toMatchObject({
      session: "cli:direct",
      model: "custom/test-model",
      rows: expect.any(Array),
    });
    const raw = JSON.parse((await run("context", "--raw", "--message", "What now?")).stdout);
    expect(Object.keys(raw)).toEqual(expect.arrayContaining(["model", "maxTokens", "messages", "tools"]));
    expect(raw.messages.map(({ role }: { role: string }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(raw.messages[3].content).toMatch(/^What now\?\n\n\[Runtime Context/);
    const diff = await run("context", "diff");
    expect(diff.stdout).toContain(`SOUL.md: ${words.context.changes.changed}`);
    expect(diff.stdout).toContain(words.context.holds);
    expect(JSON.parse((await run("context", "diff", "--json")).stdout)).toMatchObject({
      files: [{ name: "SOUL.md", change: "changed" }],
    });
    expect((await run("context", "diff", "--session", "cli:other")).stdout).toContain(
      words.context.nothingSent,
    );
  });

  it("refuses what it does not know", async () => {
    const home = await createProgramHome();
    const wrong = await typeHere(["context", "dif"], home.env);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain(words.usage.unknownCommand("context dif", "context diff"));
  });
});
