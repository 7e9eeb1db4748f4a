// The prompt is byte-stable: what was sent once is sent again byte for byte, with the new tail after it.
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type App, buildApp } from "../src/app/build-app.ts";
import type { Origin } from "../src/bus/types.ts";
import { createWords } from "../src/i18n/words.ts";
import { toLocalIso } from "../src/lib/clock.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import type { Tool } from "../src/runner/tool.ts";
import { resolveHome } from "../src/storage/home.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { sampled } from "./support/long-form.ts";
import { type ReplyData, toAnthropicEvents, toOpenAIEvents } from "./support/model-wire.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { startWireServer, type WireServer } from "./support/wire-server.ts";

const turns = sampled(25, 50);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "nanobot-prefix-"));
});
afterEach(async () => {
  await closeTestApps();
  await rm(home, { recursive: true, force: true });
});

/** Two steps a turn: now one call, now two at once, sometimes one that fails. */
const replies: ReplyData[] = Array.from({ length: turns }, (_, turn) => [
  { text: turn % 3 === 0 ? "I look it up. 我来看看。" : "", calls: callsOf(turn) },
  { text: `Answer ${turn}: 好的 ✓`, calls: [] },
]).flat();

function callsOf(turn: number): ReplyData["calls"] {
  const list = { name: "list_dir", arguments: { path: "." } };
  const write = { name: "write_file", arguments: { path: `note-${turn}.md`, content: `Notiz ${turn} 笔记` } };
  const missing = { name: "read_file", arguments: { path: `nowhere-${turn}.md` } };
  return turn % 5 === 0 ? [list, missing] : turn % 2 === 0 ? [write] : [missing];
}

async function openApp(config: unknown): Promise<App> {
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  const env = { HOME: home, NANOBOT_HOME: home };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  return built.app;
}

async function converse(config: unknown): Promise<void> {
  let app = await openApp(config);
  for (let turn = 0; turn < turns; turn++) {
    // A restart in the middle, and files of the prompt that change: neither may disturb what was sent.
    if (turn === 20) {
      await app.close();
      app = await openApp(config);
    }
    if (turn % 7 === 3)
      await appendFile(
        join(app.storage.environment.workspace, "SOUL.md"),
        `\n- Turn ${turn} taught me patience.\n`,
      );
    const { stop } = await app.loop.processDirect({
      sessionKey: "cli:direct",
      text: `Question ${turn}: 你好?`,
    });
    expect(stop).toBe("completed");
  }
  await app.close();
}

function expectEachToExtendTheLast(prompts: string[][]): void {
  expect(prompts).toHaveLength(turns * 2);
  for (const [index, prompt] of prompts.entries()) {
    const before = prompts[index - 1] ?? [];
    expect(prompt.length).toBeGreaterThan(before.length);
    expect(prompt.slice(0, before.length)).toEqual(before);
  }
}

const bodiesOf = (server: WireServer) => server.requests.map(({ body }) => body);

describe("over many turns with tools, edits and a restart", () => {
  it("each OpenAI request begins with all messages of the one before, byte for byte", async () => {
    const chunks = replies.map((reply) => ({ chunks: toOpenAIEvents(reply) }));
    await using server = await startWireServer(...chunks);
    await converse({
      providers: { loopback: { apiBase: `${server.url}/v1`, apiKey: "k" } },
      agents: { defaults: { provider: "loopback", model: "test" } },
    });
    const bodies = bodiesOf(server).map(
      (body) => JSON.parse(body) as { messages: unknown[]; tools: unknown[] },
    );
    expectEachToExtendTheLast(
      bodies.map(({ messages }) => messages.map((message) => JSON.stringify(message))),
    );
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const raw = bodiesOf(server);
    const start = raw[0]?.slice(0, raw[0].indexOf("Question 0")) ?? "";
    expect(raw.every((body) => body.startsWith(start))).toBe(true);
    const announced = raw.at(-1)?.match(/SOUL\.md was changed since this conversation began/g);
    expect(announced).toHaveLength(sampled(4, 7));
  });

  it("each Anthropic request does so too, once cache marks are stripped", async () => {
    const chunks = replies.map((reply) => ({ chunks: toAnthropicEvents(reply) }));
    await using server = await startWireServer(...chunks);
    await converse({
      providers: { anthropic: { apiBase: server.url, apiKey: "k" } },
      agents: { defaults: { provider: "anthropic", model: "claude-test" } },
    });
    const bodies = bodiesOf(server).map((body) => JSON.parse(body) as AnthropicBody);
    const marked = bodies.map((body) => JSON.stringify(body).match(/cache_control/g)?.length ?? 0);
    expect(Math.min(...marked)).toBeGreaterThan(0);
    expect(Math.max(...marked)).toBeLessThanOrEqual(4);
    expectEachToExtendTheLast(bodies.map(toBlocks));
    expect(new Set(bodies.map(({ system, tools }) => JSON.stringify({ system, tools }))).size).toBe(1);
  });
});

interface AnthropicBody {
  system: unknown;
  tools: unknown;
  messages: Array<{ role: string; content: Array<Record<string, unknown>> }>;
}

/** Blocks in order, because consecutive messages of one role share a message on this wire. */
function toBlocks({ messages }: AnthropicBody): string[] {
  return messages.flatMap(({ role, content }) =>
    content.map(({ cache_control: _, ...block }) => JSON.stringify({ role, ...block })),
  );
}

describe("over a hundred turns on several channels, with edits, another tool list and a midnight", () => {
  it("every request repeats the one before, and the model has seen every edit by the next turn", async () => {
    const clock = createFakeClock();
    const extra = {
      name: "mcp_late",
      description: "Arrives late.",
      parameters: anyArguments,
      execute: nothing,
    };
    let app = await createTestApp({ steps: ["ok"], loop: true }, { clock });
    const requests: ModelRequest[] = [];
    const edits: Array<{ turn: number; mark: string }> = [];
    for (let turn = 0; turn < 100; turn++) {
      const mark = await edit(app, turn, clock.now());
      if (mark !== undefined) edits.push({ turn, mark });
      if (turn === 60) {
        requests.push(...app.provider.requests);
        app = await app.restart({ steps: ["ok"], loop: true }, { tools: [extra as Tool] });
        edits.push({ turn, mark: "mcp_late" });
      }
      const origin = origins[turn % origins.length];
      await app.loop.processDirect({ sessionKey: "unified:default", text: `Turn ${turn}`, origin });
      await clock.advance(10 * 60_000);
    }
    requests.push(...app.provider.requests);
    expectEachToRepeat(requests);
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    for (const { turn, mark } of edits)
      expect(String(requests[turn]?.messages.at(-1)?.content)).toContain(mark);
    expect(edits.length).toBeGreaterThan(25);
    const days = new Set(
      requests.map(({ messages }) => /Time: (\S+)/.exec(String(messages.at(-1)?.content))?.[1]),
    );
    expect(days.size).toBeGreaterThan(1);
  });
});

const origins: Origin[] = [
  terminalOrigin,
  { ...terminalOrigin, channel: "telegram", chatId: "42", format: "messaging" },
  { ...terminalOrigin, channel: "api", chatId: "api", cause: "api", format: "plain" },
];

const anyArguments = {
  jsonSchema: { type: "object", properties: {} },
  parse: () => ({ ok: true, value: {} }),
};
const nothing = async () => ({ content: "nothing" });

/** One edit every third turn, of another kind each time; returns a mark that the model has to see. */
async function edit(app: TestApp, turn: number, now: number): Promise<string | undefined> {
  if (turn === 0 || turn % 3 !== 0) return undefined;
  const mark = `edit-${turn}`;
  const day = toLocalIso(now).slice(0, 10);
  const files = ["SOUL.md", "memory/MEMORY.md", `memory/${day}.md`, `skills/${mark}/SKILL.md`];
  const name = files[(turn / 3) % files.length] ?? "";
  await mkdir(dirname(join(app.storage.environment.workspace, name)), { recursive: true });
  const text = name.startsWith("skills/")
    ? `---\nname: ${mark}\ndescription: Does it.\n---\nDo it.\n`
    : `- ${mark}\n`;
  await appendFile(join(app.storage.environment.workspace, name), text);
  return mark;
}

function expectEachToRepeat(requests: ModelRequest[]): void {
  expect(requests).toHaveLength(100);
  for (const [index, { messages }] of requests.entries()) {
    const before = requests[index - 1]?.messages ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
    expect(messages.length).toBeGreaterThan(before.length);
  }
}
