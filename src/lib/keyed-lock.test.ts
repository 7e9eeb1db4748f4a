import { expect, it } from "vitest";
import { KeyedLock } from "./keyed-lock.ts";

it("runs one at a time per key, in order, and goes on after a failure", async () => {
  const lock = new KeyedLock();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run("a", async () => {
    steps.push("first");
    await gate.promise;
    throw new Error("failed");
  });
  const second = lock.run("a", async () => steps.push("second"));
  await lock.run("b", async () => steps.push("other"));
  expect(steps).toEqual(["first", "other"]);
  gate.resolve();
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(steps).toEqual(["first", "other", "second"]);
});
