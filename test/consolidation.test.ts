// A conversation of any length gets its next turn: with a model that summarises, without one, after a pause, and /new.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CodeStep } from "../src/llm/scripted.ts";
import type { Message, ModelRequest } from "../src/llm/types.ts";
import { estimateMessageTokens, inputBudget } from "../src/memory/fit.ts";
import { anything, like, words } from "./support/english.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { findIllegalities } from "./support/legal-history.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

/** Never aborted: programs that stay are ended by closing them. */
const stays = new AbortController();

const small = { agents: { defaults: { contextWindowTokens: 12_000, maxTokens: 1_000 } } };
const long = "word ".repeat(1_000);

const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const isArchiving = ({ messages }: ModelRequest) =>
  /will be left out from now on/.test(String(messages.at(-1)?.content));

/** Answers at length, and summarises when asked to. */
const talkative: CodeStep = (request) =>
  isArchiving(request) ? "- they talked at length" : `Answer: ${long}`;

async function readHistory(app: TestApp): Promise<string> {
  return readFile(join(app.workspace, "memory/history.jsonl"), "utf8").catch(() => "");
}

describe("a conversation that outgrows the window", () => {
  it("is summarised in time, goes on with the summary, and loses no message", async () => {
    const app = await createTestApp({ steps: [talkative], loop: true }, { config: small });
    for (let turn = 0; turn < 14; turn++) {
      expect((await say(app, `Question ${turn}: ${long}`)).stop).toBe("completed");
    }
    const turns = app.provider.requests.filter((request) => !isArchiving(request));
    const budget = inputBudget({ contextWindow: 12_000, maxTokens: 1_000 });
    for (const { messages } of turns) expect(sum(messages)).toBeLessThanOrEqual(budget);
    expect(app.provider.requests.some(isArchiving)).toBe(true);
    expect(await readHistory(app)).toContain("- they talked at length");
    const last = turns
      .at(-1)
      ?.messages.map(({ content }) => String(content))
      .join("\n");
    // All rounds of it, each with where it begins.
    expect(last).toMatch(
      /Earlier in this conversation \(summary; the full text can be searched\):\n(?:\[from .*\]\n- they talked at length\n+)+/,
    );
    const session = await app.sessions.open("cli:direct", "owner");
    const all = await session.read();
    expect(all.filter(({ role }) => role === "user")).toHaveLength(14);
    expect(session.lastConsolidated).toBeGreaterThan(0);
  });

  it("holds no more of it in memory however long it is, and all of it can be read", async () => {
    const app = await createTestApp({ steps: [talkative], loop: true }, { config: small });
    const most: number[] = [];
    for (let turn = 0; turn < 60; turn++) {
      await say(app, `Question ${turn}: ${long}`);
      const { recent } = await app.sessions.open("cli:direct", "owner");
      most[Math.floor(turn / 30)] = Math.max(most[Math.floor(turn / 30)] ?? 0, recent.length);
    }
    const session = await app.sessions.open("cli:direct", "owner");
    expect(most[1]).toBeLessThanOrEqual(most[0] ?? 0);
    expect(most[1]).toBeLessThan(30);
    const all = (await session.read()).map(({ content }) => String(content));
    expect(all.filter((text) => text.startsWith("Question")).map((text) => text.slice(0, 12))).toEqual(
      Array.from({ length: 60 }, (_, turn) => `Question ${turn}: ${long}`.slice(0, 12)),
    );
    expect((await say(app, "/status")).text).toContain("120");
    expect((await say(app, "/export")).text).toContain("120");
  });

  it("goes on when the summary fails, with the raw text kept", async () => {
    const failing: CodeStep = (request) =>
      isArchiving(request) ? { error: { kind: "server" } } : `Answer: ${long}`;
    const app = await createTestApp({ steps: [failing], loop: true }, { config: small });
    for (let turn = 0; turn < 10; turn++)
      expect((await say(app, `Question ${turn}: ${long}`)).stop).toBe("completed");
    expect(await readHistory(app)).toContain("[RAW]");
  });

  it("of half a million tokens gets its next turn in a window of 4,096, with the model down for summaries", async () => {
    const steps: CodeStep = (request) =>
      isArchiving(request) ? { error: { kind: "connection" } } : "Still here.";
    const app = await createTestApp(
      { steps: [steps], loop: true },
      { config: { agents: { defaults: { contextWindowTokens: 4_096, maxTokens: 512 } } } },
    );
    await writeHistory(app, 2_000, 1_000);
    expect(await say(app, "Are you there?")).toMatchObject({ stop: "completed", text: "Still here." });
    const request = app.provider.requests.findLast((each) => !isArchiving(each));
    expect(sum(request?.messages ?? [])).toBeLessThanOrEqual(4_096 - 512);
    expect(findIllegalities(request?.messages.slice(1) ?? [])).toEqual([]);
  });
});

describe("a single turn that outgrows the window", () => {
  it("leaves out its oldest results once, goes on, and replays the same", async () => {
    const big = "4827 ".repeat(1_900);
    const overflow: CodeStep = { error: { kind: "context-overflow", message: "too long" } };
    const read = (name: string): CodeStep => ({
      toolCalls: [{ name: "read_file", arguments: { path: name } }],
    });
    const app = await createTestApp(
      [read("a.md"), read("b.md"), read("c.md"), overflow, "Done.", "Thanks."],
      {
        config: { agents: { defaults: { contextWindowTokens: 40_000, maxTokens: 1_000 } } },
      },
    );
    for (const name of ["a.md", "b.md", "c.md"]) await writeFile(join(app.workspace, name), `${name} ${big}`);
    expect(await say(app, "Read all three")).toMatchObject({ stop: "completed", text: "Done." });
    const results = (index: number) =>
      app.provider.requests[index]?.messages
        .filter(({ role }) => role === "tool")
        .map(({ content }) => String(content));
    expect(results(4)?.[0]).toMatch(/^\[This result was left out/);
    expect(results(4)?.at(-1)).toContain("c.md");
    await say(app, "Thank you");
    expect(results(5)).toEqual(results(4));
  });
});

describe("after a pause", () => {
  it("the next turn starts with the summary and the last messages", async () => {
    const clock = createFakeClock();
    const app = await createTestApp({ steps: [talkative], loop: true }, { clock });
    for (let turn = 0; turn < 8; turn++) await say(app, `Question ${turn}`);
    expect(app.provider.requests.some(isArchiving)).toBe(false);
    await clock.advance(16 * 60_000);
    await say(app, "Good morning");
    const [archiving, turn] = app.provider.requests.slice(-2);
    expect(archiving !== undefined && isArchiving(archiving)).toBe(true);
    const texts = turn?.messages.map(({ content }) => String(content)) ?? [];
    expect(texts.at(-1)).toContain("- they talked at length");
    expect(texts.filter((text) => text.startsWith("Question"))).toHaveLength(4);
  });
});

describe("/compact", () => {
  it("whose model does not answer keeps nobody from ending the program", async () => {
    const asked = Promise.withResolvers<void>();
    const app = await createTestApp(
      { steps: [talkative], loop: true },
      {
        async waitBefore(request) {
          if (!isArchiving(request)) return;
          asked.resolve();
          await new Promise(() => {});
        },
      },
    );
    await say(app, "Hello");
    const compacted = say(app, "/compact");
    await asked.promise;
    await app.close();
    expect((await compacted).stop).toBe("cancelled");
  });

  it("archives what was said, with the focus, and tells how much was freed", async () => {
    const app = await createTestApp({ steps: [talkative], loop: true });
    expect((await say(app, "/compact")).text).toBe(words.reply.nothingToCompact);
    await say(app, "Remember the blue bicycle");
    const { text } = await say(app, "/compact the colours");
    expect(text).toMatch(like(words.reply.compacted(2, anything)));
    expect(String(app.provider.requests.at(-1)?.messages.at(-1)?.content)).toContain("the colours");
    await say(app, "And now?");
    const sent = app.provider.requests
      .at(-1)
      ?.messages.map(({ content }) => String(content))
      .join("\n");
    expect(sent).toContain("- they talked at length");
    expect(sent).not.toContain("blue bicycle");
  });
});

describe("/new", () => {
  it("archives the conversation in the background", async () => {
    const app = await createTestApp({ steps: [talkative], loop: true });
    void app.loop.run(stays.signal);
    await say(app, "Remember the blue bicycle");
    await say(app, "/new");
    await expect.poll(() => readHistory(app)).toContain("- they talked at length");
    await expect.poll(() => readdir(join(app.sessions.folder, "pending"))).toEqual([]);
  });

  it("archives it later when the program was stopped in between", async () => {
    const held: CodeStep = (request) => (isArchiving(request) ? { hold: true } : "ok");
    const app = await createTestApp({ steps: [held], loop: true });
    void app.loop.run(stays.signal);
    await say(app, "Remember the blue bicycle");
    await say(app, "/new");
    await expect.poll(() => app.provider.requests.some(isArchiving)).toBe(true);
    await app.close();
    expect(await readHistory(app)).toBe("");
    const later = await app.restart({ steps: [talkative], loop: true });
    void later.loop.run(stays.signal);
    await expect.poll(() => readHistory(later)).toContain("- they talked at length");
  });

  it("archives each closed conversation on its own: next to a damaged one, and a removed one once it is back", async () => {
    const step: CodeStep = (request) => {
      const said = JSON.stringify(request.messages.slice(1));
      return isArchiving(request) ? `- remembers ${/Remember (cli:\w+)/.exec(said)?.[1]}` : "ok";
    };
    const script = { steps: [step], loop: true };
    const app = await createTestApp(script);
    const keys = ["cli:broken", "cli:removed", "cli:old", "cli:plain"];
    for (const sessionKey of keys) {
      await app.loop.processDirect({ sessionKey, text: `Remember ${sessionKey}, ${long}` });
      await app.loop.processDirect({ sessionKey, text: "/new" });
    }
    const closed = await app.sessions.list("owner", { archived: true });
    const pathOf = (key: string) => closed.find((session) => session.sessionKey === key)?.path ?? "";
    const pending = join(app.sessions.folder, "pending");
    await rm(pathOf("cli:broken"));
    await mkdir(pathOf("cli:broken"));
    const removed = closed.find(({ sessionKey }) => sessionKey === "cli:removed")?.key ?? "";
    const undo = (await app.sessions.remove(removed, "owner")) ?? "";
    // As 0.1.0 has noted it.
    await writeFile(join(pending, basename(pathOf("cli:old"))), "cli:old");
    await app.close();

    const later = await app.restart(script);
    void later.loop.run(stays.signal);
    const left = (names: string[]) => names.map((name) => basename(pathOf(name))).sort();
    const listPending = async () => (await readdir(pending)).sort();
    await expect.poll(listPending).toEqual(left(["cli:broken", "cli:removed"]));
    expect((await readHistory(later)).match(/- remembers cli:\w+/g)?.sort()).toEqual([
      "- remembers cli:old",
      "- remembers cli:plain",
    ]);
    await later.loop.processDirect({ sessionKey: "cli:removed", text: "hello" });
    await later.sessions.restore(undo, "owner");
    await later.close();
    const last = await later.restart(script);
    void last.loop.run(stays.signal);
    await expect.poll(listPending).toEqual(left(["cli:broken"]));
    expect(await readHistory(last)).toContain("- remembers cli:removed");
  });
});

function sum(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + estimateMessageTokens(message), 0);
}

async function writeHistory(app: TestApp, count: number, characters: number): Promise<void> {
  const { path } = await app.sessions.open("cli:direct", "owner");
  await mkdir(dirname(path), { recursive: true });
  const lines = Array.from({ length: count }, (_, index) => {
    const turn = `m${Math.floor(index / 2)}`;
    const id = index % 2 === 0 ? turn : `${turn}.1`;
    const role = index % 2 === 0 ? "user" : "assistant";
    return JSON.stringify({
      role,
      content: `${index} ${"lorem ".repeat(characters / 6)}`,
      id,
      turn,
      at: Date.now(),
    });
  });
  const head = JSON.stringify({ _type: "metadata", key: "cli:direct", metadata: {}, last_consolidated: 0 });
  await writeFile(path, `${[head, ...lines].join("\n")}\n`);
}

it("an older HISTORY.md of the Python original is taken over at the first start", async () => {
  const app = await createTestApp(["ok"]);
  await writeFile(join(app.workspace, "memory/HISTORY.md"), "# History\n\n[2026-01-01 10:00] met Ada\n");
  await app.close();
  const later = await app.restart(["ok"]);
  expect(await readHistory(later)).toContain("met Ada");
  expect(await readdir(join(later.workspace, "memory"))).toContain("HISTORY.md.bak");
});
