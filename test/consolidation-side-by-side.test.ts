// Archiving waits for a model, and nobody else waits for it: other sessions answer meanwhile.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CodeStep } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { parseEntry } from "../src/storage/documents/history-log.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const config = { agents: { defaults: { contextWindowTokens: 12_100, maxTokens: 1_000 } } };
const isArchiving = ({ messages }: ModelRequest) =>
  /will be left out from now on/.test(String(messages.at(-1)?.content));
const say = (app: TestApp, sessionKey: string, text: string) => app.loop.processDirect({ sessionKey, text });
/** Never aborted: programs that stay are ended by closing them. */
const stays = new AbortController();

/** A model whose summaries come only when they are let go. */
async function createHeld() {
  const held = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const step: CodeStep = (request) => {
    if (!isArchiving(request)) return { text: "Here.", usage: usageOf(request) };
    begun.resolve();
    return held.promise;
  };
  const app = await createTestApp({ steps: [step], loop: true }, { config });
  return { app, begun: begun.promise, release: () => held.resolve("- they talked at length") };
}

/** Exactly what is estimated would be no news: a tenth more. */
function usageOf({ messages }: ModelRequest) {
  const characters = messages.reduce((sum, { content }) => sum + String(content).length, 0);
  return { input: Math.round(characters / 3.6), cached: 0, output: 1 };
}

async function fill(app: TestApp, key: string, turns: number): Promise<void> {
  const { path } = await app.sessions.open(key, "owner");
  await mkdir(dirname(path), { recursive: true });
  const lines = Array.from({ length: 2 * turns }, (_, index) => {
    const turn = `m${Math.floor(index / 2)}`;
    const [role, id] = index % 2 === 0 ? ["user", turn] : ["assistant", `${turn}.1`];
    return JSON.stringify({ role, content: `${index} ${"word ".repeat(300)}`, id, turn, at: Date.now() });
  });
  const head = JSON.stringify({ _type: "metadata", key, metadata: {}, last_consolidated: 0 });
  await writeFile(path, `${[head, ...lines].join("\n")}\n`);
}

describe("while one session is archived before its turn", () => {
  it("another one answers, also for the first time, and both end well", async () => {
    const { app, begun, release } = await createHeld();
    await fill(app, "cli:full", 16);
    let isAnswered = false;
    const waiting = say(app, "cli:full", "Are you there?").finally(() => {
      isAnswered = true;
    });
    await begun;
    for (const key of ["cli:other", "cli:other", "telegram:1"]) {
      expect(await say(app, key, "And you?")).toMatchObject({ stop: "completed", text: "Here." });
    }
    expect(isAnswered).toBe(false);
    release();
    expect(await waiting).toMatchObject({ stop: "completed", text: "Here." });
    expect((await app.sessions.open("cli:full", "owner")).lastConsolidated).toBeGreaterThan(0);
  });

  it("another one is archived at the same time, and both go into the same history", async () => {
    const { app, begun, release } = await createHeld();
    for (const key of ["cli:one", "cli:two"]) await fill(app, key, 16);
    const both = ["cli:one", "cli:two"].map((key) => say(app, key, "Are you there?"));
    await begun;
    await expect.poll(() => app.provider.requests.filter(isArchiving).length).toBe(2);
    release();
    for (const outcome of await Promise.all(both)) expect(outcome).toMatchObject({ text: "Here." });
    for (const key of ["cli:one", "cli:two"])
      expect((await app.sessions.open(key, "owner")).lastConsolidated).toBeGreaterThan(0);
  });

  it("it can be stopped, and its next turn goes on without a summary or with one", async () => {
    const { app, begun, release } = await createHeld();
    await fill(app, "cli:full", 16);
    const waiting = say(app, "cli:full", "Are you there?");
    await begun;
    await say(app, "cli:full", "/stop");
    expect(await waiting).toMatchObject({ stop: "cancelled" });
    expect((await app.sessions.open("cli:full", "owner")).lastConsolidated).toBe(0);
    release();
    expect(await say(app, "cli:full", "And now?")).toMatchObject({ stop: "completed", text: "Here." });
    expect((await app.sessions.open("cli:full", "owner")).lastConsolidated).toBeGreaterThan(0);
  });
});

describe("while a session is archived behind its turn", () => {
  it("others answer, its own next turn goes on from there, and nothing is archived twice", async () => {
    const { app, begun, release } = await createHeld();
    void app.loop.run(stays.signal);
    await fill(app, "cli:full", 11);
    // Fits, but no longer with what was answered: the host counts more than we do.
    await say(app, "cli:full", "Are you there?");
    await begun;
    expect(await say(app, "cli:other", "And you?")).toMatchObject({ text: "Here." });
    const next = say(app, "cli:full", "And now?");
    expect((await app.sessions.open("cli:full", "owner")).lastConsolidated).toBe(0);
    release();
    expect(await next).toMatchObject({ stop: "completed", text: "Here." });
    const session = await app.sessions.open("cli:full", "owner");
    expect(session.lastConsolidated).toBeGreaterThan(0);
    const history = await readFile(join(app.workspace, "memory/history.jsonl"), "utf8");
    const entries = history.split("\n").flatMap((line) => parseEntry(line) ?? []);
    const ids = (await session.read()).map(({ id }) => id);
    const ends = entries.map(({ through = "" }) => ids.indexOf(through) + 1);
    expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
    expect(ends.at(-1)).toBe(session.lastConsolidated);
  });
});
