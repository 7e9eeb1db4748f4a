// /stop, /new and /restart on a bus that outlives the process: what they end is over on the disk before anything else.

import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { slashCommands } from "../src/api/commands/index.ts";
import type { NewInbound } from "../src/bus/types.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { words } from "./support/english.ts";
import { failWrites } from "./support/failing-state.ts";
import { callHeldTool, createHeldTool } from "./support/held-tool.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestAppOptions } from "./support/test-app.ts";

afterEach(closeTestApps);

const never = new AbortController().signal;
/** Pauses pass quickly. */
const clock: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(1, signal) };

function said(text: string): NewInbound {
  const origin = { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" as const };
  return { sourceKey: text, sessionKey: "chat:room", origin, text };
}

async function open(options: TestAppOptions = {}, texts: readonly string[] = []) {
  const database = await StateDatabase.open({ path: join(await createTemporaryFolder(), "state.db") });
  const disk = failWrites(database);
  const bus = await DurableBus.open({ state: disk.state, clock, ids: createIds(clock) });
  for (const text of texts) await bus.publishInbound(said(text));
  const script = [callHeldTool, "an answer"];
  const app = await createTestApp(texts.length > 0 ? ["an answer"] : script, {
    ...options,
    clock,
    bus: bus,
  });
  const ending = new AbortController();
  const running = app.loop.run(ending.signal);
  onTestFinished(async () => {
    ending.abort(new Error("over"));
    await running;
    await app.close();
    database.close();
  });
  const rows = () =>
    database
      .all<{ state: string }>("SELECT state FROM inbox ORDER BY seq")
      .map(({ state }) => state)
      .join();
  return { app, bus, rows, disk };
}

describe("/stop", () => {
  it("is over with all that was said before it, on the disk, while that still runs", async () => {
    const stubborn = createHeldTool();
    const { bus, rows } = await open({ tools: [stubborn.tool] });
    await bus.publishInbound(said("work"));
    await stubborn.begun;
    await bus.publishInbound(said("more work"));
    await bus.publishInbound(said("/stop"));
    await expect.poll(rows).toBe("done,done,done");
    const texts = [];
    while (texts.length < 3) {
      const part = await bus.takeOutbound("chat", never);
      texts.push(part.text);
      await bus.markSent(part.id, {});
    }
    const { stoppedMark, stopped } = words.reply;
    expect(texts.toSorted()).toEqual([stoppedMark, stoppedMark, stopped(2)].sort());
    stubborn.end();
  });

  it("lets nothing more begin while it is being noted", async () => {
    const stubborn = createHeldTool();
    const { bus, rows, disk, app } = await open({ tools: [stubborn.tool] });
    await bus.publishInbound(said("work"));
    await stubborn.begun;
    const goOn = disk.hang();
    await bus.publishInbound(said("/stop"));
    stubborn.end();
    await expect.poll(async () => (await app.sessions.open("chat:room", "owner")).recent).toHaveLength(4);
    goOn();
    await expect.poll(rows).toBe("done,done");
    expect(app.provider.requests).toHaveLength(1);
  });

  it("ends also what it cannot note, and notes it as soon as there is room", async () => {
    const stubborn = createHeldTool();
    const { bus, rows, disk, app } = await open({ tools: [stubborn.tool] });
    await bus.publishInbound(said("work"));
    await stubborn.begun;
    await bus.publishInbound(said("/stop"));
    disk.failures = 3;
    stubborn.end();
    await expect.poll(rows).toBe("done,done");
    expect(app.provider.requests).toHaveLength(1);
  });

  it("that a death kept from acting lets nothing of what was said before it begin", async () => {
    const { rows, app, bus } = await open({}, ["work", "more work", "/stop", "something else"]);
    await expect.poll(rows).toBe("done,done,done,done");
    expect(app.provider.requests).toHaveLength(1);
    expect(String(app.provider.requests[0]?.messages.at(-1)?.content)).toContain("something else");
    expect(bus.outbox.list().at(-1)?.part.text).toBe("an answer");
  });
});

describe("/new", () => {
  it("that a death kept from acting ends what was said before it, once, and what was said after it starts again", async () => {
    const { rows, app } = await open({}, ["work", "/new", "something else"]);
    await expect.poll(rows).toBe("done,done,done");
    const { recent: messages } = await app.sessions.open("chat:room", "owner");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(app.provider.requests).toHaveLength(1);
  });
});

describe("/restart", () => {
  it("is over before the restart begins, so that no start begins another one", async () => {
    const seen: string[] = [];
    const row = slashCommands.find(({ name }) => name === "restart");
    const run = async () => String(seen.push(scene.rows()));
    const scene = await open({ commands: [{ ...row, name: "again", when: "now", run }] });
    await scene.bus.publishInbound(said("/again"));
    await scene.bus.takeOutbound("chat", never);
    expect(seen).toEqual(["done"]);
  });
});
