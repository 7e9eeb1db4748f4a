// Chats that wait, collect or flood, next to chats that only want their answer, with a single place for turns.
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { NewInbound } from "../src/bus/types.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestAppOptions } from "./support/test-app.ts";

afterEach(closeTestApps);

const never = new AbortController().signal;
const config = { agents: { defaults: { maxConcurrentTurns: 1 } }, channels: { collectMs: 800 } };

function said(chat: string, text: string, more: Partial<NewInbound> = {}): NewInbound {
  const origin = { ...terminalOrigin, channel: "chat", chatId: chat, format: "messaging" as const };
  return { sourceKey: `${chat}:${text}`, sessionKey: `chat:${chat}`, origin, text, ...more };
}

async function open(options: TestAppOptions = {}) {
  const state = await StateDatabase.open({ path: join(await createTemporaryFolder(), "state.db") });
  const { clock = systemClock } = options;
  const bus = await DurableBus.open({ state, clock, ids: createIds(clock) });
  const script = { steps: ["an answer"], loop: true };
  const app = await createTestApp(script, { config, bus: bus, ...options });
  const ending = new AbortController();
  const running = app.loop.run(ending.signal);
  onTestFinished(async () => {
    ending.abort(new Error("over"));
    await running;
    await app.close();
    state.close();
  });
  const next = async () => {
    const part = await bus.takeOutbound("chat", never);
    await bus.markSent(part.id, {});
    return part;
  };
  return { app, bus, state, next };
}

describe("a single place for turns", () => {
  it("is free while a chat collects what else is said", async () => {
    const clock = createFakeClock();
    const { bus, next } = await open({ clock });
    await bus.publishInbound(said("slow", "one thing", { isBurst: true }));
    await bus.publishInbound(said("quick", "hello"));
    expect((await next()).chatId).toBe("quick");
    await clock.advance(5_000);
    expect((await next()).chatId).toBe("slow");
  });

  it("is free while a host says nothing", async () => {
    const silence = Promise.withResolvers<void>();
    const isSlow = ({ messages }: ModelRequest) => JSON.stringify(messages).includes("slowly");
    const { bus, next } = await open({
      noticeBefore: (request) =>
        isSlow(request)
          ? { kind: "waiting", host: "host", reason: phrase("model.still-waiting", { host: "host" }) }
          : undefined,
      waitBefore: (request) => (isSlow(request) ? silence.promise : Promise.resolve()),
    });
    await bus.publishInbound(said("slow", "think slowly"));
    for (const chat of ["a", "b", "c"]) {
      await bus.publishInbound(said(chat, "hello"));
      expect((await next()).chatId).toBe(chat);
    }
    silence.resolve();
    expect((await next()).chatId).toBe("slow");
  });

  it("goes round: a chat that floods waits like everyone else", async () => {
    const all = Promise.withResolvers<void>();
    const { bus, next } = await open({ waitBefore: () => all.promise });
    const flood = Array.from({ length: 30 }, (_, index) => said("loud", `message ${index}`));
    const others = ["a", "b", "c"].map((chat) => said(chat, "hello"));
    for (const message of [...flood, ...others]) await bus.publishInbound(message);
    all.resolve();
    const chats = [];
    while (chats.length < 4) chats.push((await next()).chatId);
    expect(chats).toEqual(["loud", "a", "b", "c"]);
  });
});

describe("a flood of messages in one chat", () => {
  it("is read in large steps, in order, with nothing lost", async () => {
    const count = 2_000;
    const { app, bus, state } = await open();
    const texts = Array.from({ length: count }, (_, index) => `message number ${index}`);
    await Promise.all(texts.map((text) => bus.publishInbound(said("loud", text))));
    const waiting = () => state.all("SELECT 1 FROM inbox WHERE state = 'waiting'").length;
    await expect.poll(waiting, { timeout: 50_000 }).toBe(0);
    const { recent: messages } = await app.sessions.open("chat:loud", "owner");
    const users = messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
    expect(users.map((text) => /message number (\d+)/.exec(text)?.[1]).map(Number)).toEqual(
      texts.keys().toArray(),
    );
    expect(app.provider.requests.length).toBeLessThanOrEqual(count / 100 + 2);
  });
});
