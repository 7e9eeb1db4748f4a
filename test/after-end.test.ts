// What is over when a gateway has ended, and what it notices of the time before it began to watch.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { untilAborted } from "../src/lib/abort.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { eventually } from "./support/eventually.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

/** Turns wait for the lock of the home by looking again. */
const lockPauseMs = 50;

/** From `hold` on nothing but the lock is waited for by time; everything else only ends by being called off. */
function createHoldingClock() {
  const never = Promise.withResolvers<void>();
  const noSignal = new AbortController().signal;
  const asleep = new Set<{ ms: number }>();
  let isHolding = false;
  const sleep: Clock["sleep"] = async (ms, signal) => {
    const sleeper = { ms };
    asleep.add(sleeper);
    const isTimed = !isHolding || ms === lockPauseMs;
    const waking = isTimed ? systemClock.sleep(ms, signal) : untilAborted(never.promise, signal ?? noSignal);
    await waking.finally(() => asleep.delete(sleeper));
  };
  const hold = () => {
    isHolding = true;
  };
  return { clock: { ...systemClock, sleep }, asleep, hold };
}

it("nothing of a gateway sleeps on when its end has come, not even for a moment", async () => {
  const { clock, asleep, hold } = createHoldingClock();
  const gateway = await createTestGateway(["Noted.", "Noted, too."], { clock });
  const client = await openWebClient(gateway);
  const sessionKey = "web:owner:1";
  await client.ask("chat.send", { sessionKey, text: "hello" });
  await gateway.isAsked(1);
  await eventually(() => gateway.app.loop.activeTurns).toBe(0);
  hold();
  await client.ask("chat.send", { sessionKey, text: "and more" });
  await gateway.isAsked(2);
  await eventually(() => gateway.app.loop.activeTurns).toBe(0);
  // What the page is told is joined for a moment, which never ends.
  expect(asleep.size).toBeGreaterThan(0);
  await client.close();
  await closeTestGateways();
  expect([...asleep]).toEqual([]);
});

it("an edit of the config between its reading and the first look at it is taken over", async () => {
  const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal) };
  const gateway = await createTestGateway([], {
    clock: quick,
    beforeRun: (home) => writeFile(join(home, "config.json"), '{"agents":{"defaults":{"maxTokens":77}}}'),
  });
  await eventually(() => gateway.app.current().config.agents.defaults.maxTokens).toBe(77);
});
