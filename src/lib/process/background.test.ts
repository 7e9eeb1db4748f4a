import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createRecordingLog } from "../../../test/support/session-home.ts";
import { systemClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { Background, keepRunning } from "./background.ts";

function open() {
  const logged: string[] = [];
  return { logged, background: new Background(createRecordingLog(logged)) };
}

it("is over when its close resolves: what sleeps is woken, what works is awaited", async () => {
  const { background, logged } = open();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  background.run("not-slept", (signal) => systemClock.sleep(1_000_000, signal));
  background.run("not-worked", async () => {
    await gate.promise;
    done.push("worked");
    // What it begins at the very end is not begun.
    background.run("late", async () => done.push("late"));
  });
  const closed = background.close().then(() => done.push("closed"));
  gate.resolve();
  await closed;
  background.run("later", async () => done.push("later"));
  expect(done).toEqual(["worked", "closed"]);
  expect(logged).toEqual([]);
});

it("tells what failed, and goes on", async () => {
  const { background, logged } = open();
  background.run("not-written", () => Promise.reject(new Error("no disk")));
  background.run("fine", async () => {});
  await expect.poll(() => logged).toEqual(["not-written"]);
  await background.close();
});

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
