import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../../test/support/model-request.ts";
import { type CodeScript, createScripted, type ScriptedReply } from "../scripted.ts";
import type { ProviderErrorKind } from "../types.ts";
import { withFallback } from "./with-fallback.ts";

const settings = { model: "second-model", maxTokens: 500 };

function setUp(first: CodeScript, second: CodeScript = { steps: ["from the second"], loop: true }) {
  const clock = createFakeClock();
  const primary = createScripted(first, clock);
  const other = createScripted(second, clock);
  const provider = withFallback({
    clock,
    candidates: [
      { name: "first", provider: primary },
      { name: "second", provider: other, settings },
    ],
  });
  return { clock, primary, other, provider };
}

function failing(kind: ProviderErrorKind, message = `it is ${kind}`): ScriptedReply {
  return { error: { kind, message } };
}

describe("a chain of models", () => {
  it("asks only the first while it answers, with the request as it is", async () => {
    const { provider, primary, other } = setUp(["from the first"]);

    expect(textOf(await collectEvents(provider, modelRequest({ temperature: 0.7 })))).toBe("from the first");
    expect(primary.requests[0]).toMatchObject({ model: "test-model", temperature: 0.7 });
    expect(other.requests).toHaveLength(0);
  });

  it("hands on to the next with its own settings, and says so", async () => {
    const { provider, other } = setUp([failing("authentication", "bad key")]);

    const events = await collectEvents(
      provider,
      modelRequest({ temperature: 0.7, reasoningEffort: "high", tools: [] }),
    );

    expect(events[0]).toEqual({
      type: "notice",
      notice: {
        kind: "fallback",
        from: "first",
        to: "second",
        reason: expect.objectContaining({ code: "model.authentication" }),
      },
    });
    expect(textOf(events)).toBe("from the second");
    expect(replyOf(events).model).toBe("second-model");
    expect(other.requests[0]).toEqual({ ...modelRequest({ tools: [] }), ...settings });
  });

  it.each(["content-filter", "context-overflow", "invalid-request", "not-found"] as const)(
    "does not hand on an error of kind %s",
    async (kind) => {
      const { provider, other } = setUp([failing(kind)]);

      expect(replyOf(await collectEvents(provider)).error?.kind).toBe(kind);
      expect(other.requests).toHaveLength(0);
    },
  );

  it("does not hand on once text was shown", async () => {
    const { provider, other } = setUp([{ deltas: ["half"], error: { kind: "server" } }]);

    expect(replyOf(await collectEvents(provider)).error?.kind).toBe("server");
    expect(other.requests).toHaveLength(0);
  });

  it("hands on after mere reasoning, which it declares void", async () => {
    const { provider } = setUp([{ reasoning: "hm", error: { kind: "server" } }]);

    const events = await collectEvents(provider);

    expect(events.map((event) => event.type)).toEqual([
      "reasoning-delta",
      "text-reset",
      "notice",
      "text-delta",
      "reply-end",
    ]);
  });

  it("tells of every model when all fail", async () => {
    const { provider } = setUp([failing("quota", "No credit.")], [failing("server", "It fell over.")]);

    expect(replyOf(await collectEvents(provider)).error).toMatchObject({
      kind: "server",
      phrase: {
        code: "model.all-failed",
        params: {
          failures: [
            { name: "first", failure: { code: "model.quota", params: { detail: "No credit" } } },
            { name: "second", failure: { code: "model.server", params: { detail: "It fell over" } } },
          ],
        },
      },
    });
  });

  it("passes an abort through", async () => {
    const controller = new AbortController();
    const { provider, other } = setUp([{ hold: true }]);
    const reading = collectEvents(provider, modelRequest(), controller.signal);
    queueMicrotask(() => controller.abort("stop"));

    await expect(reading).rejects.toBe("stop");
    expect(other.requests).toHaveLength(0);
  });

  it("is the model itself when there is only one", async () => {
    const only = createScripted(["a"]);

    expect(withFallback({ clock: createFakeClock(), candidates: [{ name: "only", provider: only }] })).toBe(
      only,
    );
  });
});

describe("the breaker of the first model", () => {
  const down = { steps: [failing("server")], loop: true };

  async function failThreeTimes(chain: ReturnType<typeof setUp>) {
    for (let call = 0; call < 3; call++) await collectEvents(chain.provider);
  }

  it("leaves it alone for a minute after three failures in a row", async () => {
    const chain = setUp(down);
    await failThreeTimes(chain);
    await chain.clock.advance(59_000);

    const events = await collectEvents(chain.provider);

    expect(chain.primary.requests).toHaveLength(3);
    expect(events[0]).toMatchObject({
      type: "notice",
      notice: { kind: "fallback", from: "first", reason: { code: "model.paused", params: { seconds: 1 } } },
    });
    expect(textOf(events)).toBe("from the second");
  });

  it("lets one call try after the minute, and rests again when that fails", async () => {
    const chain = setUp(down);
    await failThreeTimes(chain);
    await chain.clock.advance(60_000);
    await collectEvents(chain.provider);
    await collectEvents(chain.provider);

    expect(chain.primary.requests).toHaveLength(4);
  });

  it("trusts it again after a try that works", async () => {
    const three = [failing("server"), failing("server"), failing("server")];
    const chain = setUp([...three, "back", failing("server"), failing("server"), "still there"]);
    await failThreeTimes(chain);
    await chain.clock.advance(60_000);

    const texts = [];
    for (let call = 0; call < 4; call++) texts.push(textOf(await collectEvents(chain.provider)));

    expect(texts).toEqual(["back", "from the second", "from the second", "still there"]);
  });

  it("lets only one of several calls try", async () => {
    const chain = setUp([...new Array(3).fill(failing("server")), { text: "slow", delayMs: 1000 }]);
    await failThreeTimes(chain);
    await chain.clock.advance(60_000);

    const both = Promise.all([collectEvents(chain.provider), collectEvents(chain.provider)]);
    const texts = (await chain.clock.runUntil(both)).map(textOf);

    expect(texts).toEqual(["slow", "from the second"]);
  });

  it("learns nothing from a try that was aborted", async () => {
    const chain = setUp([...new Array(3).fill(failing("server")), { hold: true }, "back"]);
    await failThreeTimes(chain);
    await chain.clock.advance(60_000);
    const controller = new AbortController();
    const aborted = collectEvents(chain.provider, modelRequest(), controller.signal);
    queueMicrotask(() => controller.abort("stop"));
    await expect(aborted).rejects.toBe("stop");

    expect(textOf(await collectEvents(chain.provider))).toBe("back");
  });

  it("does not count errors that are the request's own fault", async () => {
    const chain = setUp([...new Array(5).fill(failing("invalid-request")), "fine"]);
    for (let call = 0; call < 5; call++) await collectEvents(chain.provider);

    expect(textOf(await collectEvents(chain.provider))).toBe("fine");
  });
});
