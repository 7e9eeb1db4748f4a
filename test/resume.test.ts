// Turns that the end of the program interrupts. By kills: test/kill.test.ts, test/protocol-real.test.ts, test/long/resume.test.ts.
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { NewInbound } from "../src/bus/types.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const never = new AbortController().signal;

const message: NewInbound = {
  sourceKey: "chat:1",
  sessionKey: "chat:room",
  origin: { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" },
  text: "do both",
};

describe("a turn that does not end when the program has to", () => {
  it.each([
    { where: "in a silent model", first: { text: "x", hold: true }, stored: ["user"] },
    {
      where: "in the middle of an answer",
      first: { deltas: ["Half an"], hold: true },
      stored: ["user"],
    },
  ])("$where is left as it is, and goes on with the next start", async ({ first, stored }) => {
    const home = await createTemporaryFolder();
    const open = async () => {
      const state = await StateDatabase.open({ path: join(home, "state.db") });
      const ids = createIds(systemClock);
      return { state, bus: await DurableBus.open({ state, clock: systemClock, ids }) };
    };
    const { state, bus } = await open();
    const app = await createTestApp([first], { bus: bus });
    const ending = new AbortController();
    const running = app.loop.run(ending.signal, { drainMs: 20 });
    await bus.publishInbound(message);
    await expect.poll(() => app.provider.requests.length).toBe(1);
    ending.abort(new Error("SIGTERM"));
    await running;
    await app.close();
    const roles = (await app.sessions.open(message.sessionKey, "owner")).recent.map(({ role }) => role);
    expect(roles).toEqual(stored);
    expect(bus.outbox.list()).toEqual([]);
    state.close();

    const again = await open();
    const next = await app.restart(["Here it is."], { bus: again.bus });
    const isOver = new AbortController();
    const serving = next.loop.run(isOver.signal);
    expect((await again.bus.takeOutbound("chat", never)).text).toBe("Here it is.");
    isOver.abort();
    await serving;
    expect(next.provider.requests).toHaveLength(1);
    await next.close();
    again.state.close();
  });
});

describe("a burst of messages", () => {
  it("becomes one turn that reads them together", async () => {
    const home = await createTemporaryFolder();
    const state = await StateDatabase.open({ path: join(home, "state.db") });
    const ids = createIds(systemClock);
    const bus = await DurableBus.open({ state, clock: systemClock, ids });
    const app = await createTestApp(["one answer"], { bus: bus });
    const ending = new AbortController();
    const running = app.loop.run(ending.signal);
    await Promise.all(
      ["hello", "are you there", "我想问一件事"].map((text, index) =>
        bus.publishInbound({ ...message, text, sourceKey: `chat:${index}`, isBurst: true }),
      ),
    );
    expect((await bus.takeOutbound("chat", never)).text).toBe("one answer");
    expect(app.provider.requests).toHaveLength(1);
    const said = app.provider.requests[0]?.messages.filter(({ role }) => role === "user");
    expect(JSON.stringify(said)).toMatch(/hello.*are you there.*我想问一件事/s);
    expect(bus.outbox.list()).toHaveLength(1);
    ending.abort();
    await running;
    state.close();
  });
});
