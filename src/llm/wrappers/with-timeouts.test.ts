import { describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../../test/support/model-request.ts";
import { createScripted } from "../scripted.ts";
import type { ModelEvent, Provider } from "../types.ts";
import { withTimeouts } from "./with-timeouts.ts";

/** Says one letter after each pause, then ends. */
function pausing(clock: FakeClock, pauses: number[]): Provider {
  return {
    async *stream(request, signal) {
      for (const pause of pauses) {
        await clock.sleep(pause, signal);
        yield { type: "text-delta", text: "x" };
      }
      yield {
        type: "reply-end",
        reply: {
          message: { role: "assistant", content: "done" },
          stop: "stop",
          model: request.model,
        },
      };
    },
  };
}

function deaf(): Provider & { wasClosed: () => boolean } {
  let closed = false;
  return {
    wasClosed: () => closed,
    stream: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<ModelEvent>>(() => {}),
        return: () => {
          closed = true;
          return new Promise<IteratorResult<ModelEvent>>(() => {});
        },
      }),
    }),
  };
}

describe("a call with limits of time", () => {
  it("passes everything through while the stream moves", async () => {
    const clock = createFakeClock();
    const wrap = withTimeouts({ clock, host: "h", idleMs: 100, wallMs: 10_000 });

    const events = await clock.runUntil(collectEvents(wrap(pausing(clock, [50, 99, 99, 99]))));

    expect(textOf(events)).toBe("xxxx");
    expect(replyOf(events).stop).toBe("stop");
    expect(clock.sleeping).toBe(0);
  });

  it("ends a stream that falls silent, aborts it, and keeps what was said", async () => {
    const clock = createFakeClock();
    let reason: unknown;
    const provider: Provider = {
      async *stream(request, signal) {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        yield* createScripted([{ deltas: ["half ", "an answer"], hold: true }]).stream(request, signal);
      },
    };

    const events = await clock.runUntil(
      collectEvents(withTimeouts({ clock, host: "acme", idleMs: 90_000 })(provider)),
    );

    expect(clock.elapsed()).toBe(90_000);
    expect(reason).toBeDefined();
    expect(replyOf(events)).toMatchObject({
      stop: "error",
      message: { content: "half an answer" },
      error: { kind: "idle", host: "acme", phrase: { params: { seconds: 90 } } },
    });
  });

  it("gives the first chunk three times as long", async () => {
    const clock = createFakeClock();
    const wrap = withTimeouts({ clock, host: "h", idleMs: 100, wallMs: 0 });

    expect(replyOf(await clock.runUntil(collectEvents(wrap(pausing(clock, [299]))))).stop).toBe("stop");
    const silent = await clock.runUntil(collectEvents(wrap(pausing(clock, [301]))));

    const phrase = { code: "model.silent", params: { seconds: 0.3 } };
    expect(replyOf(silent).error).toMatchObject({ kind: "idle", phrase });
  });

  it("counts the silence from the last chunk and no longer from the start", async () => {
    const clock = createFakeClock();
    const wrap = withTimeouts({ clock, host: "h", idleMs: 100, wallMs: 0 });

    const events = await clock.runUntil(collectEvents(wrap(pausing(clock, [10, 5000]))));

    expect(replyOf(events).error?.kind).toBe("idle");
    expect(clock.elapsed()).toBe(110);
  });

  it("ends a call that takes too long in all, however lively", async () => {
    const clock = createFakeClock();
    const wrap = withTimeouts({ clock, host: "h", idleMs: 100, wallMs: 1000 });

    const events = await clock.runUntil(collectEvents(wrap(pausing(clock, new Array(100).fill(90)))));

    expect(clock.elapsed()).toBe(1000);
    expect(replyOf(events).error).toMatchObject({
      kind: "timeout",
      phrase: { code: "model.unfinished", params: { seconds: 1 } },
    });
  });

  it("does not blame the host for a slow reader", async () => {
    const clock = createFakeClock();
    const wrap = withTimeouts({ clock, host: "h", idleMs: 100, wallMs: 0 });
    const kinds: string[] = [];
    const reading = (async () => {
      for await (const event of wrap(pausing(clock, [10, 10])).stream(modelRequest(), AbortSignal.any([]))) {
        kinds.push(event.type);
        await clock.sleep(1000);
      }
    })();

    await clock.runUntil(reading);

    expect(kinds).toEqual(["text-delta", "text-delta", "reply-end"]);
  });

  it("is off where a limit is 0", async () => {
    const clock = createFakeClock();
    const provider = pausing(clock, [10_000_000, 10_000_000]);
    const idleOff = withTimeouts({ clock, host: "h", idleMs: 0, wallMs: 30_000_000 });

    expect(withTimeouts({ clock, host: "h", idleMs: 0, wallMs: 0 })(provider)).toBe(provider);
    expect(replyOf(await clock.runUntil(collectEvents(idleOff(provider)))).stop).toBe("stop");
  });

  it("throws the caller's reason, at once and even if the provider does not listen", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const provider = deaf();
    const reading = collectEvents(
      withTimeouts({ clock, host: "h" })(provider),
      modelRequest(),
      controller.signal,
    );
    await clock.advance(10);
    controller.abort("the user said stop");

    await expect(reading).rejects.toBe("the user said stop");
    expect(provider.wasClosed()).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it("ends in time even if the provider does not listen to its abort", async () => {
    const clock = createFakeClock();

    const events = await clock.runUntil(
      collectEvents(withTimeouts({ clock, host: "h", idleMs: 0, wallMs: 500 })(deaf())),
    );

    expect(replyOf(events).error?.kind).toBe("timeout");
  });

  it("leaves no timer behind and closes the stream when the reader goes away", async () => {
    const clock = createFakeClock();
    let wasClosed = false;
    const provider: Provider = {
      async *stream() {
        try {
          yield { type: "text-delta", text: "a" };
          yield { type: "text-delta", text: "b" };
        } finally {
          wasClosed = true;
        }
      },
    };
    for await (const _ of withTimeouts({ clock, host: "h" })(provider).stream(
      modelRequest(),
      AbortSignal.any([]),
    ))
      break;

    expect(wasClosed).toBe(true);
    expect(clock.sleeping).toBe(0);
  });
});
