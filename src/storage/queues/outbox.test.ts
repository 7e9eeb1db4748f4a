// The outbox where the disk and the clock are not as they should be.

import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { failWrites } from "../../../test/support/failing-state.ts";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { ChannelManager } from "../../channels/manager.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { silentLog } from "../../lib/log.ts";
import { StateDatabase } from "../database/state-database.ts";
import { DurableBus } from "./durable-bus.ts";

const never = new AbortController().signal;
const day = 86_400_000;
const longestPause = 15 * 60_000;

function createSettableClock() {
  const fake = createFakeClock();
  const clock = { ...fake, offset: 0, now: () => fake.now() + clock.offset };
  return clock;
}

async function open(home: string, clock = createSettableClock()) {
  const database = await StateDatabase.open({ path: join(home, "state.db") });
  onTestFinished(() => database.close());
  const disk = failWrites(database);
  const options = { state: disk.state, clock, ids: createIds(clock) };
  return { bus: await DurableBus.open(options), disk, clock };
}

function toPart(id: string): OutboundPart {
  const place = { channel: "chat", chatId: "1", sessionKey: "chat:1", turnId: "t" };
  return { id, ...place, text: id, media: [], kind: "answer", wasStreamed: false };
}

describe("a part whose mark cannot be written", () => {
  it("is handed out again", async () => {
    const { bus, disk } = await open(await createTemporaryFolder());
    await bus.publishOutbound([toPart("p")]);
    disk.failures = 1;
    await expect(bus.takeOutbound("chat", never)).rejects.toThrow("full");
    expect((await bus.takeOutbound("chat", never)).id).toBe("p");
  });

  it("is sent once, in its order, as soon as there is room, by a manager that goes on", async () => {
    const { bus, disk, clock } = await open(await createTemporaryFolder());
    const channel = createFakeChannel("chat");
    const inbox = { publish: bus.publishInbound.bind(bus) } as never;
    const shows = { progress: true, toolHints: true, streaming: true };
    const manager = new ChannelManager({
      words: createWords("english"),
      bus,
      clock,
      log: silentLog,
      mostTries: 3,
      random: () => 0,
      assertHeld() {},
      describeAsk: () => "",
      describeTool: () => "",
      channels: [{ channel: { ...channel, start: forever }, shows, createInbox: () => inbox }],
    });
    const ending = new AbortController();
    const running = manager.run(ending.signal);
    await bus.publishOutbound([toPart("p")]);
    // Taking it, then noting that it was sent.
    disk.failures = 5;
    const shown = clock.runUntil(channel.nextPart());
    expect((await shown).id).toBe("p");
    await bus.publishOutbound([toPart("q")]);
    expect((await clock.runUntil(channel.nextPart())).id).toBe("q");
    ending.abort(new Error("over"));
    await running;
    expect(bus.outbox.list()).toEqual([]);
  });
});

describe("a part that waits to be sent again", () => {
  it.each([
    ["a month back", -30 * day],
    ["an hour back", -3_600_000],
    ["a year on", 365 * day],
  ])("is due at its time when the clock is set %s meanwhile", async (_, jump) => {
    const { bus, clock } = await open(await createTemporaryFolder());
    await bus.publishOutbound([toPart("p"), toPart("q")]);
    await bus.takeOutbound("chat", never);
    await bus.markUnsent("p", {
      reason: phrase("channels.quoted", { quote: "nobody there" }),
      retryInMs: 8_000,
    });
    const next = bus.takeOutbound("chat", never);
    clock.offset = jump;
    await clock.runUntil(next);
    expect(clock.elapsed()).toBe(8_000);
    expect((await next).id).toBe("p");
  });

  it.each([
    ["a month back", -30 * day, 0],
    ["an hour back", -60 * 60_000, 0],
    ["a minute back", -60_000, 68_000],
    ["a year on", 365 * day, 0],
  ])("is due at once or soon when a start finds the clock %s", async (_, jump, most) => {
    const home = await createTemporaryFolder();
    const before = await open(home);
    await before.bus.publishOutbound([toPart("p")]);
    await before.bus.takeOutbound("chat", never);
    await before.bus.markUnsent("p", {
      reason: phrase("channels.quoted", { quote: "nobody there" }),
      retryInMs: 8_000,
    });
    const clock = createSettableClock();
    clock.offset = jump;
    const { bus } = await open(home, clock);
    await clock.runUntil(bus.takeOutbound("chat", never));
    expect(clock.elapsed()).toBeLessThanOrEqual(most);
    expect(bus.outbox.list()[0]?.nextAt).toBeLessThanOrEqual(clock.now() + longestPause);
  });

  it("never waits longer because a platform says so", async () => {
    const { bus, clock } = await open(await createTemporaryFolder());
    await bus.publishOutbound([toPart("p")]);
    await bus.takeOutbound("chat", never);
    await bus.markUnsent("p", {
      reason: phrase("channels.quoted", { quote: "come back in a century" }),
      retryInMs: 100 * 365 * day,
    });
    await clock.runUntil(bus.takeOutbound("chat", never));
    expect(clock.elapsed()).toBe(longestPause);
  });
});

function forever(_: unknown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
