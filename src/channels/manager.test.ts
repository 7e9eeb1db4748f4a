import { describe, expect, it } from "vitest";
import type { Channel } from "../bus/channel.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { createWords } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { ChannelManager } from "./manager.ts";

/** The pauses after each of so many connections, each of which lasts as long as it is said and ends with the error. */
async function listPauses(error: Error, lasted: readonly number[]): Promise<number[]> {
  const pauses: number[] = [];
  const over = new AbortController();
  let elapsed = 0;
  const clock = {
    ...systemClock,
    elapsed: () => elapsed,
    async sleep(ms: number, signal?: AbortSignal) {
      if (signal !== over.signal) return new Promise<never>((_, reject) => onAbort(signal, reject));
      pauses.push(ms);
      if (pauses.length === lasted.length) over.abort();
    },
  };
  const channel = {
    name: "test",
    capabilities: {},
    async start() {
      elapsed += lasted[pauses.length] ?? 0;
      throw error;
    },
  } as unknown as Channel;
  const manager = new ChannelManager({
    bus: createMemoryBus({ clock, signal: over.signal }),
    channels: [{ channel, createInbox: () => ({}) as never, shows: {} as never }],
    clock,
    log: silentLog,
    mostTries: 1,
    random: () => 1,
    assertHeld() {},
    describeAsk: () => "",
    describeTool: () => "",
    words: createWords("english"),
  });
  await manager.run(over.signal);
  return pauses;
}

function onAbort(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
}

describe("the pause before a channel is started again", () => {
  const refused = new Error("the platform is away");
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });

  it("grows to five minutes while the platform is away", async () => {
    expect(await listPauses(refused, Array(11).fill(0))).toEqual(
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => 1_000 * seconds),
    );
  });

  it("stays short while our own disk is the reason", async () => {
    expect(await listPauses(full, Array(7).fill(0))).toEqual(
      [1, 2, 4, 8, 15, 15, 15].map((seconds) => 1_000 * seconds),
    );
  });

  it("starts again after a connection that lasted", async () => {
    expect(await listPauses(refused, [0, 0, 0, 61_000, 0])).toEqual([1_000, 2_000, 4_000, 1_000, 2_000]);
  });
});
