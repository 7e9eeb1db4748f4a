import { describe, expect, it } from "vitest";
import { openDocuments } from "../../test/support/documents.ts";
import { createSessionHome } from "../../test/support/session-home.ts";
import { systemClock, toLocalIso } from "../lib/clock.ts";
import { runtimeContextEnd, runtimeContextTag } from "../lib/formats/runtime-block.ts";
import { silentLog } from "../lib/log.ts";
import { type CodeScript, createScripted } from "../llm/scripted.ts";
import type { Session } from "../storage/sessions/session.ts";
import { type ConsolidationRequest, Consolidator } from "./consolidator.ts";
import { estimateMessageTokens } from "./fit.ts";

const consolidator = (log = silentLog) =>
  new Consolidator({
    log,
    ratio: 0.5,
    readPrompt: async () => "Summarise {{count}} messages. {{focus}}",
  });

async function open(script: CodeScript, turns: number, window = { contextWindow: 8_000, maxTokens: 976 }) {
  const home = await createSessionHome();
  const session = await (await home.openStore()).open("cli:direct", "owner");
  for (let turn = 0; turn < turns; turn++) await say(session, turn);
  const store = openDocuments(home.home, systemClock, (ms) => toLocalIso(ms).slice(0, 10)).of("owner");
  const provider = createScripted(script);
  const request: ConsolidationRequest = {
    session,
    store,
    prefix: { system: "You are a test.", tools: [{ name: "look", description: "", parameters: {} }] },
    from: 0,
    window,
    fixedTokens: 100,
    provider,
    settings: { model: "test", maxTokens: 500 },
    signal: new AbortController().signal,
  };
  return { session, store, provider, request };
}

async function say(session: Session, turn: number, length = 800): Promise<void> {
  const id = `t${turn}`;
  await session.append([
    { id, turn: id, message: { role: "user", content: `question ${turn} ${"why ".repeat(length / 4)}` } },
    {
      id: `${id}.1`,
      turn: id,
      message: { role: "assistant", content: `answer ${turn} ${"so ".repeat(length / 3)}` },
    },
  ]);
}

const tokensLeft = (session: Session) =>
  session.slice(session.lastConsolidated).reduce((sum, message) => sum + estimateMessageTokens(message), 100);

describe("making room", () => {
  it("does nothing and asks nobody while the request fits", async () => {
    const { request, provider, session } = await open(["never"], 5);
    expect(await consolidator().fit(request)).toEqual({ archived: 0, freed: 0 });
    expect(provider.requests).toHaveLength(0);
    expect(session.lastConsolidated).toBe(0);
  });

  it("tells nobody what was to be forgotten, neither the model nor a raw entry", async () => {
    for (const isRaw of [false, true]) {
      const { request, session, store, provider } = await open(["- asked why, answered so"], 3);
      await session.updateMetadata({ forgotten: ["t1"] });
      await consolidator().compact(isRaw ? { ...request, provider: undefined } : request);
      const [entry] = await store.history.read();
      expect(entry?.content).toContain(isRaw ? "question 2" : "asked why");
      expect(JSON.stringify([entry, provider.requests])).not.toContain("question 1");
      expect(session.lastConsolidated).toBe(6);
    }
  });

  it("archives whole turns from the front until half the budget is free, and keeps every message", async () => {
    const { request, session, store } = await open({ steps: ["- asked why, answered so"], loop: true }, 20);
    const { archived, freed } = await consolidator().fit(request);
    expect(tokensLeft(session)).toBeLessThanOrEqual(3_000);
    expect(session.lastConsolidated).toBe(archived);
    const messages = await session.read();
    expect(messages).toHaveLength(40);
    expect(messages[archived]?.role).toBe("user");
    expect(session.recent).toEqual(messages.slice(archived));
    expect(freed).toBeGreaterThan(3_000);
    const entries = await store.history.read();
    for (const entry of entries)
      expect(entry).toMatchObject({ content: "- asked why, answered so", session_key: "cli:direct" });
    expect(entries.at(-1)?.through).toBe(messages[archived - 1]?.id);
    const { parts = [] } = session.metadata._last_summary ?? {};
    expect(parts.map(({ text }) => text)).toEqual(entries.map(({ content }) => content));
    expect(parts.reduce((sum, { messages: count }) => sum + count, 0)).toBe(archived);
    // On the day on which it was said, not on that on which it was archived.
    expect(await store.readText("memory/2026-08-01.md")).toContain("cli:direct: - asked why");
  });

  it("asks with the turn's own prefix, tools and choice, and the instruction last", async () => {
    const { request, provider } = await open({ steps: ["- short"], loop: true }, 20);
    await consolidator().fit(request);
    const [first] = provider.requests;
    expect(first).toMatchObject({ toolChoice: "auto", tools: request.prefix.tools });
    expect(first?.messages[0]).toEqual({ role: "system", content: "You are a test." });
    expect(first?.messages[1]?.content).toContain("question 0");
    expect(first?.messages.at(-1)?.content).toMatch(/^Summarise \d+ messages/);
  });

  it("tells its round, its estimate with where that comes from, and the stretch", async () => {
    const { request } = await open({ steps: ["- short"], loop: true }, 20);
    const told: unknown[] = [];
    const log = { ...silentLog, info: (...entry: unknown[]) => void told.push(entry) };
    await consolidator(log).fit({ ...request, window: { ...request.window, correction: 1.1 } });
    expect(told[0]).toEqual([
      "consolidated",
      expect.objectContaining({
        session: "cli:direct",
        round: 1,
        window: 8_000,
        source: "host",
        estimate: expect.any(Number),
        chunk: expect.any(Number),
      }),
    ]);
  });

  it("takes sixty messages at a time at the most", async () => {
    const { request, provider, session } = await open({ steps: ["- short"], loop: true }, 300, {
      contextWindow: 60_000,
      maxTokens: 1_000,
    });
    await consolidator().fit(request);
    const counts = provider.requests.map(({ messages }) =>
      Number(/\d+/.exec(String(messages.at(-1)?.content))?.[0]),
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(60);
    expect(provider.requests.length).toBeLessThanOrEqual(5);
    expect(session.lastConsolidated).toBe(counts.reduce((a, b) => a + b, 0));
  });

  it.each([
    ["fails", { error: { kind: "server" as const } }],
    ["is blank", "  "],
    ["is cut off", { text: "- half a", stop: "length" as const }],
    ["is a tool call", { toolCalls: [{ name: "look" }] }],
    ["is an echo", "You are a test."],
    ["is longer than what it summarises", "x".repeat(50_000)],
  ])("stores the stretch raw and moves on when the summary %s", async (_name, step) => {
    const { request, session, store, provider } = await open({ steps: [step], loop: true }, 20);
    await consolidator().fit(request);
    const [entry] = await store.history.read();
    expect(entry?.content).toMatch(/^\[RAW\] \d+ messages\n\[.{16}\] USER: question 0/);
    expect(entry?.content.length).toBeLessThanOrEqual(16_100);
    expect(session.lastConsolidated).toBeGreaterThan(0);
    expect(provider.requests).toHaveLength(1);
  });

  it("stores of a message what the user said, without what was added to it", async () => {
    const { request, session, store } = await open(["  "], 0);
    const content = `hello\n\n${runtimeContextTag}\nChannel: cli\n${runtimeContextEnd}`;
    await session.append([{ id: "m1", turn: "m1", message: { role: "user", content } }]);
    await consolidator().compact(request);
    expect((await store.history.read())[0]?.content).toMatch(/^\[RAW\] 1 messages\n\[.{16}\] USER: hello$/);
  });

  it("stores no entry for a stretch with nothing in it, but moves on", async () => {
    const { request, session, store } = await open({ steps: ["(nothing)"], loop: true }, 20);
    await consolidator().fit(request);
    expect(await store.history.read()).toEqual([]);
    expect(tokensLeft(session)).toBeLessThanOrEqual(3_000);
  });

  it("keeps nothing raw of turns in which the model could not be asked, but what their tools did", async () => {
    const { request, session, store } = await open([], 1);
    const fail = { role: "assistant", content: "[No reply: the host is down]" } as const;
    const call = { id: "u.1.0", type: "function", function: { name: "look", arguments: "{}" } } as const;
    await session.append([
      { id: "f", turn: "f", message: { role: "user", content: "in vain" } },
      { id: "f.1", turn: "f", message: fail, extra: { _failed: true } },
      { id: "u", turn: "u", message: { role: "user", content: "look around" } },
      { id: "u.1", turn: "u", message: { role: "assistant", content: null, tool_calls: [call] } },
      {
        id: "u.1.0",
        turn: "u",
        message: { role: "tool", tool_call_id: call.id, name: "look", content: "a cat" },
      },
      { id: "u.2", turn: "u", message: fail, extra: { _failed: true } },
    ]);
    await consolidator().compact({ ...request, provider: undefined });
    const [entry, ...others] = await store.history.read();
    expect(others).toEqual([]);
    expect(entry?.content).toContain("a cat");
    expect(entry?.content).not.toMatch(/in vain|No reply/);
  });

  it("does not ask when the stretch alone exceeds the window", async () => {
    const { request, provider, store } = await open(["never"], 20, { contextWindow: 600, maxTokens: 100 });
    await consolidator().fit(request);
    expect(provider.requests).toHaveLength(0);
    expect((await store.history.read())[0]?.content).toMatch(/^\[RAW\]/);
  });

  it("adopts an entry that a crash left without its cursor, instead of archiving twice", async () => {
    const { request, provider, session, store } = await open(["never"], 4);
    await store.history.append({ content: "- before the crash", session_key: "cli:direct", through: "t1.1" });
    await consolidator().fit(request);
    expect(session.lastConsolidated).toBe(4);
    expect(session.metadata._last_summary).toMatchObject({ text: "- before the crash" });
    expect(provider.requests).toHaveLength(0);
    expect(await store.history.read()).toHaveLength(1);
  });

  it("works on one session one at a time", async () => {
    const { request, store } = await open({ steps: [{ text: "- short", delayMs: 5 }], loop: true }, 20);
    const one = consolidator();
    const [first, second] = await Promise.all([one.fit(request), one.fit(request)]);
    expect([first?.archived === 0, second?.archived === 0].filter(Boolean)).toHaveLength(1);
    const entries = await store.history.read();
    expect(new Set(entries.map(({ through }) => through)).size).toBe(entries.length);
  });
});

describe("compacting", () => {
  it("archives everything, with the focus that was asked for", async () => {
    const { request, provider, session } = await open({ steps: ["- all of it"], loop: true }, 4);
    const { archived } = await consolidator().compact(request, "the numbers");
    expect(archived).toBe(8);
    expect(session.lastConsolidated).toBe(8);
    expect(provider.requests[0]?.messages.at(-1)?.content).toContain(
      "Pay special attention to: the numbers.",
    );
  });
});
