import { expect, it } from "vitest";
import { createRecordingLog } from "../../test/support/session-home.ts";
import { Background } from "./background.ts";
import { systemClock } from "./clock.ts";

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
