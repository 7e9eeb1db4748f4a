import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf } from "../../../test/support/model-request.ts";
import type { ModelEvent, Provider } from "../types.ts";
import { withRetry } from "./with-retry.ts";
import { withPatience, withTimeouts } from "./with-timeouts.ts";

/** Gives each event after its pause, and then nothing more. */
function speaking(clock: FakeClock, said: Iterable<[pauseMs: number, event: ModelEvent]>): Provider {
  return {
    async *stream(_request, signal) {
      for (const [pause, event] of said) {
        await clock.sleep(pause, signal);
        yield event;
      }
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
}

/** As a model is put together: limits of one try, retries, and patience over all of them. */
async function ask(clock: FakeClock, provider: Provider, silenceMs?: number) {
  const timed = withTimeouts({ clock, host: "acme" })(provider);
  const whole = withPatience({ clock, host: "acme", silenceMs })(withRetry({ clock })(timed));
  const events = await clock.runUntil(collectEvents(whole));
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.notice] : []));
  return { reply: replyOf(events), waiting: notices.filter(({ kind }) => kind === "waiting"), events };
}

function* forEver(pause: number, event: ModelEvent): Generator<[number, ModelEvent]> {
  for (;;) yield [pause, event];
}

const thought: ModelEvent = { type: "reasoning-delta", text: "hm " };
const done: ModelEvent = {
  type: "reply-end",
  reply: { message: { role: "assistant", content: "done" }, stop: "stop", model: "m" },
};
const limited = (retryAfterMs: number): ModelEvent => ({
  type: "reply-end",
  reply: {
    message: { role: "assistant", content: null },
    stop: "error",
    model: "m",
    error: { kind: "rate-limit", detail: "slow down", host: "acme", status: 429, retryAfterMs },
  },
});

describe("a silent host", () => {
  it("is told once after 20 s, and given up after 5 minutes over all tries", async () => {
    const clock = createFakeClock();
    const { reply, waiting } = await ask(clock, speaking(clock, []));
    expect(waiting).toEqual([
      { kind: "waiting", host: "acme", reason: { code: "model.still-waiting", params: { host: "acme" } } },
    ]);
    expect(reply.error).toMatchObject({ kind: "timeout", host: "acme" });
    expect(reply.error?.phrase).toEqual({ code: "model.gave-up", params: { host: "acme", seconds: 300 } });
    expect(clock.elapsed()).toBeGreaterThanOrEqual(300_000);
    expect(clock.elapsed()).toBeLessThan(305_000);
    expect(clock.sleeping).toBe(0);
  });

  it("is given up after what the config says", async () => {
    const clock = createFakeClock();
    await ask(clock, speaking(clock, []), 60_000);
    expect(clock.elapsed()).toBeLessThan(62_000);
  });

  it("is not mentioned when it answers in time, or thinks", async () => {
    const clock = createFakeClock();
    const quick = await ask(clock, speaking(clock, [[19_000, done]]));
    expect(quick.waiting).toEqual([]);
    const said = Array.from({ length: 30 }, (): [number, ModelEvent] => [15_000, thought]);
    const slow = await ask(clock, speaking(clock, [...said, [15_000, done]]));
    expect(slow.waiting).toEqual([]);
    expect(slow.reply.message.content).toBe("done");
  });

  it("that only pings is mentioned once, and given more time", async () => {
    const clock = createFakeClock();
    const said = Array.from({ length: 30 }, (): [number, ModelEvent] => [15_000, { type: "alive" }]);
    const { reply, waiting } = await ask(clock, speaking(clock, [...said, [15_000, done]]));
    expect(waiting).toHaveLength(1);
    expect(reply.message.content).toBe("done");
  });

  it("that only ever thinks is ended, too", async () => {
    const clock = createFakeClock();
    const thinking = speaking(clock, forEver(10_000, thought));
    const { reply } = await ask(clock, thinking);
    expect(reply.error?.kind).toBe("timeout");
    expect(clock.elapsed()).toBeLessThan(620_000);
  });

  it("that asks to wait is told, and no silence counts for it", async () => {
    const clock = createFakeClock();
    const replies = [limited(280_000), limited(280_000), done];
    const provider: Provider = {
      async *stream() {
        yield replies.shift() ?? done;
      },
    };
    const { reply, waiting } = await ask(clock, provider);
    expect(reply.message.content).toBe("done");
    expect(waiting).toHaveLength(1);
  });
});

it("an abort ends the wait with its reason", async () => {
  const clock = createFakeClock();
  const controller = new AbortController();
  const whole = withPatience({ clock, host: "acme" })(speaking(clock, []));
  const events = collectEvents(whole, undefined, controller.signal);
  await clock.advance(30_000);
  controller.abort(new Error("stopped"));
  await expect(events).rejects.toThrow("stopped");
  expect(clock.sleeping).toBe(0);
});

it("leaves no failure behind when it is stopped while the consumer is busy", async () => {
  const clock = createFakeClock();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const stopping = new AbortController();
  const provider: Provider = {
    async *stream(_request, signal) {
      yield thought;
      signal.throwIfAborted();
    },
  };
  const events = withPatience({ clock, host: "acme" })(provider)
    .stream(modelRequest(), stopping.signal)
    [Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: thought });
  stopping.abort(new Error("stopped"));
  await expect(events.next()).rejects.toThrow("stopped");
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
