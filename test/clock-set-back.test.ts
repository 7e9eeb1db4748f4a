// A clock that is set back between two turns, by a day and by a year: nothing is lost, reordered or forgotten by it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Clock } from "../src/lib/clock.ts";
import type { CodeStep } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { parseEntry } from "../src/storage/documents/history-log.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { findIllegalities } from "./support/legal-history.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const day = 24 * 60 * 60_000;
const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const isArchiving = ({ messages }: ModelRequest) =>
  /will be left out from now on/.test(String(messages.at(-1)?.content));
const answering: CodeStep = (request) => (isArchiving(request) ? "- they talked" : "Noted.");

/** The time of day can be set; durations only ever grow. */
function createSettableClock() {
  const fake = createFakeClock();
  const clock = { ...fake, offset: 0, now: () => fake.now() + clock.offset };
  return clock satisfies Clock;
}

async function open(clock: ReturnType<typeof createSettableClock>, more: Record<string, unknown> = {}) {
  const app = await createTestApp({ steps: [answering], loop: true }, { clock, ...more });
  for (const text of ["I planted tulips.", "I painted the shed.", "I mended the fence."])
    await say(app, text);
  return app;
}

describe.each([
  ["a day", day],
  ["a year", 365 * day],
])("a clock set back by %s", (_, back) => {
  it("leaves ids unique, messages in their order, and the prompt as it was", async () => {
    const clock = createSettableClock();
    const app = await open(clock);
    const last = app.provider.requests.at(-1);
    clock.offset = -back;
    for (const text of ["I bought a kayak.", "I sold the boat."]) await say(app, text);
    await app.close();
    const later = await app.restart({ steps: [answering], loop: true });
    await say(later, "I saw a heron.");
    const { recent: messages } = await later.sessions.open("cli:direct", "owner");
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
    const words = ["tulips", "shed", "fence", "kayak", "boat", "heron"];
    expect(said.map((text, index) => text.includes(words[index] ?? "-"))).toEqual(words.map(() => true));
    for (const [before, after] of [
      [last, app.provider.requests.at(-1)],
      [app.provider.requests.at(-1), later.provider.requests[0]],
    ]) {
      expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
      expect(findIllegalities(after?.messages.slice(1) ?? [])).toEqual([]);
    }
  });

  it("neither calls for a summary on its own, nor keeps one from being made after a pause", async () => {
    const clock = createSettableClock();
    const app = await open(clock);
    clock.offset = -back;
    for (let turn = 0; turn < 5; turn++) await say(app, `Turn ${turn}.`);
    expect(app.provider.requests.some(isArchiving)).toBe(false);
    await clock.advance(16 * 60_000);
    await say(app, "Good morning.");
    expect(app.provider.requests.filter(isArchiving)).toHaveLength(1);
  });

  it("lets the cursors of the archive grow, and each stretch be archived once", async () => {
    const clock = createSettableClock();
    const app = await open(clock);
    await say(app, "/compact");
    clock.offset = -back;
    await say(app, "I bought a kayak.");
    await say(app, "/compact");
    const text = await readFile(join(app.workspace, "memory/history.jsonl"), "utf8");
    const entries = text.split("\n").flatMap((line) => parseEntry(line) ?? []);
    expect(entries.map(({ cursor }) => cursor)).toEqual([1, 2]);
    const session = await app.sessions.open("cli:direct", "owner");
    const messages = await session.read();
    expect(session.lastConsolidated).toBe(messages.length);
    expect(entries.map(({ through }) => messages.findIndex(({ id }) => id === through) + 1)).toEqual([6, 8]);
  });

  it("leaves everything to be found, by words and by the time that was shown when it was said", async () => {
    const clock = createSettableClock();
    const app = await open(clock);
    clock.offset = -back;
    await say(app, "I bought a kayak.");
    await clock.advance(day);
    const find = async (query: string) =>
      (await app.recall.search({ query, scope: "owner" })).hits.map(({ text }) => text);
    expect((await find("tulips"))[0]).toBe("I planted tulips.");
    expect((await find("What did I do yesterday?"))[0]).toBe("I bought a kayak.");
    const { hits } = await app.recall.search({ query: "kayak", scope: "owner", to: clock.now() });
    expect(hits[0]).toMatchObject({ text: "I bought a kayak.", at: clock.now() - day });
  });
});
