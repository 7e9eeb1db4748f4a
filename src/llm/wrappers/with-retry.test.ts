import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../../test/support/model-request.ts";
import { type CodeScript, createScripted, type ScriptedReply } from "../scripted.ts";
import type { ModelEvent, ModelRequest, ProviderErrorKind } from "../types.ts";
import { type RetryOptions, withRetry } from "./with-retry.ts";

async function play(
  script: CodeScript,
  { options = {}, request }: { options?: Partial<RetryOptions>; request?: ModelRequest } = {},
) {
  const clock = createFakeClock();
  const model = createScripted(script, clock);
  const provider = withRetry({ clock, ...options })(model);
  const events = await clock.runUntil(collectEvents(provider, request));
  return { clock, model, events, reply: replyOf(events), waits: waitsOf(events) };
}

function waitsOf(events: ModelEvent[]): number[] {
  return events.flatMap((event) =>
    event.type === "notice" && event.notice.kind === "retry" ? [event.notice.waitMs] : [],
  );
}

function failing(kind: ProviderErrorKind, more: Partial<ScriptedReply["error"]> = {}): ScriptedReply {
  return { error: { kind, ...more } };
}

describe("retry", () => {
  it("asks again after 1, 2 and 4 seconds, and says so before each wait", async () => {
    const { clock, events, model, waits } = await play([
      failing("server"),
      failing("overloaded"),
      failing("connection"),
      "at last",
    ]);

    expect(textOf(events)).toBe("at last");
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(clock.elapsed()).toBe(7000);
    expect(model.requests).toHaveLength(4);
    expect(events[0]).toMatchObject({ type: "notice", notice: { kind: "retry", attempt: 1 } });
  });

  it("gives up after the last delay with the last error", async () => {
    const { reply, model } = await play({ steps: [failing("timeout", { message: "too slow" })], loop: true });

    expect(model.requests).toHaveLength(4);
    expect(reply).toMatchObject({ stop: "error", error: { kind: "timeout", detail: "too slow" } });
  });

  it.each(["authentication", "permission", "quota", "context-overflow", "invalid-request"] as const)(
    "does not ask again after an error of kind %s",
    async (kind) => {
      const { model, reply } = await play([failing(kind), "never said"]);

      expect(model.requests).toHaveLength(1);
      expect(reply.error?.kind).toBe(kind);
    },
  );

  it("does not wait for a refused connection on this machine", async () => {
    const { model } = await play([failing("connection", { isLoopback: true }), "never said"]);

    expect(model.requests).toHaveLength(1);
  });

  it("waits as long as the host asks, and a second more", async () => {
    const { waits } = await play([failing("rate-limit", { retryAfterMs: 3200 }), "ok"]);

    expect(waits).toEqual([4200]);
  });

  it("tells and ends when the host asks for more than five minutes", async () => {
    const { reply, waits } = await play([failing("rate-limit", { retryAfterMs: 3_600_000 }), "never said"]);

    expect(waits).toEqual([]);
    expect(reply.error?.phrase).toMatchObject({ code: "model.asks-to-wait", params: { minutes: 60 } });
  });

  it("hands on each delta as it comes", async () => {
    const controller = new AbortController();
    const provider = withRetry({ clock: createFakeClock() })(createScripted([{ text: "now", hold: true }]));
    const stream = provider.stream(modelRequest(), controller.signal)[Symbol.asyncIterator]();

    expect((await stream.next()).value).toEqual({ type: "text-delta", text: "now" });
    const rest = stream.next();
    controller.abort("enough");
    await expect(rest).rejects.toBe("enough");
  });

  it("does not ask again once text was shown", async () => {
    const { model, events } = await play([{ deltas: ["half"], error: { kind: "connection" } }, "never said"]);

    expect(model.requests).toHaveLength(1);
    expect(events.map((event) => event.type)).toEqual(["text-delta", "reply-end"]);
  });

  it("begins a stalled answer again, and declares the first half void", async () => {
    const { events, reply } = await play([
      { deltas: ["half an "], error: { kind: "idle" } },
      "a whole answer",
    ]);

    expect(events.map((event) => event.type)).toEqual([
      "text-delta",
      "text-reset",
      "notice",
      "text-delta",
      "reply-end",
    ]);
    expect(reply.message.content).toBe("a whole answer");
  });

  it("asks again after mere reasoning, which it declares void", async () => {
    const { events } = await play([{ reasoning: "hm", error: { kind: "connection" } }, "ok"]);

    expect(events.map((event) => event.type)).toEqual([
      "reasoning-delta",
      "text-reset",
      "notice",
      "text-delta",
      "reply-end",
    ]);
  });

  it("throws the reason at once when it is aborted while it waits", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const provider = withRetry({ clock })(createScripted([failing("server"), "never said"]));
    const reading = collectEvents(provider, modelRequest(), controller.signal);
    await clock.advance(500);
    controller.abort("stop");

    await expect(reading).rejects.toBe("stop");
    expect(clock.sleeping).toBe(0);
  });
});

describe("persistent retry", () => {
  const options = { mode: "persistent" } as const;

  it("lets the waits grow to a minute and ends after ten identical errors", async () => {
    const { model, clock, reply } = await play({ steps: [failing("server")], loop: true }, { options });

    expect(model.requests).toHaveLength(10);
    expect(clock.elapsed()).toBe((1 + 2 + 4 + 8 + 16 + 32 + 60 + 60 + 60) * 1000);
    expect(reply.error?.kind).toBe("server");
  });

  it("goes on while the errors differ, but not forever", async () => {
    const steps = [failing("server", { status: 500 }), failing("server", { status: 502 })];
    const { model } = await play({ steps, loop: true }, { options });

    expect(model.requests).toHaveLength(100);
  });
});

describe("images that a model does not take", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } } as const;
  const request = modelRequest({
    messages: [
      { role: "user", content: [image, { type: "text", text: "What is it?" }] },
      { role: "tool", tool_call_id: "c", name: "read_file", content: [image] },
    ],
  });

  it("are left out of one further try, with a notice", async () => {
    const { model, events, waits } = await play([failing("unsupported-image"), "I cannot see it."], {
      request,
    });

    expect(waits).toEqual([]);
    expect(events[0]).toMatchObject({ type: "notice", notice: { kind: "images-dropped" } });
    expect(JSON.stringify(model.requests[0])).toContain("data:image");
    expect(JSON.stringify(model.requests[1])).not.toContain("image_url");
    expect(model.requests[1]?.messages[0]?.content).toEqual([
      { type: "text", text: expect.stringContaining("unknown") },
      { type: "text", text: "What is it?" },
    ]);
    expect(JSON.stringify(request)).toContain("data:image");
  });

  it("are tried without only once, and only if there were any", async () => {
    const twice = await play({ steps: [failing("unsupported-image")], loop: true }, { request });
    const none = await play({ steps: [failing("unsupported-image")], loop: true });

    expect(twice.model.requests).toHaveLength(2);
    expect(twice.reply.error?.kind).toBe("unsupported-image");
    expect(none.model.requests).toHaveLength(1);
  });

  it("stay left out in the retries that follow", async () => {
    const { model } = await play([failing("unsupported-image"), failing("server"), "ok"], { request });

    expect(JSON.stringify(model.requests[2])).not.toContain("image_url");
  });
});

it("whatever happens, ends with one reply and shows no text twice", async () => {
  const kinds: ProviderErrorKind[] = [
    "server",
    "idle",
    "rate-limit",
    "authentication",
    "connection",
    "unknown",
  ];
  const step = fc.oneof(
    fc.string(),
    fc
      .record({ deltas: fc.array(fc.string(), { maxLength: 3 }), kind: fc.constantFrom(...kinds) })
      .map(({ deltas, kind }): ScriptedReply => ({ deltas, error: { kind } })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.boolean(), async (steps, isPersistent) => {
      const { events, reply } = await play(steps, {
        options: { mode: isPersistent ? "persistent" : "standard" },
      });

      expect(events.filter((event) => event.type === "reply-end")).toHaveLength(1);
      const afterReset = events.slice(events.findLastIndex((event) => event.type === "text-reset") + 1);
      expect(textOf(afterReset)).toBe(reply.message.content ?? "");
    }),
  );
});
