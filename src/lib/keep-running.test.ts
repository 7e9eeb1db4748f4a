import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { keepRunning } from "./keep-running.ts";
import { silentLog } from "./log.ts";

describe("work that is kept running", () => {
  it("begins again with growing pauses when it fails, and is over when it ends", async () => {
    const clock = createFakeClock();
    const { signal } = new AbortController();
    let begun = 0;
    const running = keepRunning("work", { clock, log: silentLog, signal }, async () => {
      begun += 1;
      if (begun < 9) throw new Error("the disk is full");
    });
    await clock.runUntil(running);
    expect(begun).toBe(9);
    expect(clock.sleeps).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
  });

  it("never rejects, and is not begun again after its signal", async () => {
    const clock = createFakeClock();
    const ending = new AbortController();
    let begun = 0;
    const running = keepRunning("work", { clock, log: silentLog, signal: ending.signal }, async () => {
      begun += 1;
      throw new Error("nothing works");
    });
    await clock.advance(1_000);
    ending.abort(new Error("over"));
    await running;
    expect(begun).toBe(2);
    expect(clock.sleeping).toBe(0);
  });
});
