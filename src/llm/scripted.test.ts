import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../test/support/model-request.ts";
import { createScripted } from "./scripted.ts";
import type { Message, ModelEvent } from "./types.ts";

describe("the scripted model", () => {
  it("answers with its steps in order", async () => {
    const model = createScripted(["one", { text: "two", usage: { input: 5, cached: 1, output: 2 } }]);

    expect(replyOf(await collectEvents(model))).toEqual({
      message: { role: "assistant", content: "one" },
      stop: "stop",
      model: "test-model",
    });
    expect(replyOf(await collectEvents(model))).toMatchObject({
      message: { content: "two" },
      usage: { input: 5, cached: 1, output: 2 },
    });
  });

  it("streams the text in the pieces it was given", async () => {
    const events = await collectEvents(createScripted([{ deltas: ["He", "llo"] }]));

    expect(events.map((event) => event.type)).toEqual(["text-delta", "text-delta", "reply-end"]);
    expect(textOf(events)).toBe("Hello");
    expect(replyOf(events).message.content).toBe("Hello");
  });

  it("streams reasoning before text and tool calls after it", async () => {
    const model = createScripted([
      {
        reasoning: "hm",
        text: "I look.",
        toolCalls: [
          { name: "list_dir", arguments: { path: "." } },
          { name: "bad", arguments: "{", id: "x" },
        ],
      },
    ]);

    const events = await collectEvents(model);

    expect(events.slice(0, -1)).toEqual([
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "I look." },
      { type: "tool-call-delta", index: 0, name: "list_dir" },
      { type: "tool-call-delta", index: 0, argumentsDelta: '{"path":"."}' },
      { type: "tool-call-delta", index: 1, name: "bad" },
      { type: "tool-call-delta", index: 1, argumentsDelta: "{" },
    ]);
    expect(replyOf(events)).toMatchObject({
      stop: "tool-calls",
      message: {
        content: "I look.",
        reasoning_content: "hm",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "list_dir", arguments: '{"path":"."}' } },
          { id: "x", type: "function", function: { name: "bad", arguments: "{" } },
        ],
      },
    });
  });

  it("gives every call of the script an id of its own", async () => {
    const model = createScripted({ steps: [{ toolCalls: [{ name: "a" }] }], loop: true });

    const ids = [
      replyOf(await collectEvents(model)).message.tool_calls?.[0]?.id,
      replyOf(await collectEvents(model)).message.tool_calls?.[0]?.id,
    ];

    expect(ids).toEqual(["call_1", "call_2"]);
  });

  it("ends with the scripted failure after what was streamed", async () => {
    const model = createScripted([
      { deltas: ["half"], error: { kind: "rate-limit", status: 429, retryAfterMs: 3000 } },
    ]);

    const events = await collectEvents(model);

    expect(textOf(events)).toBe("half");
    expect(replyOf(events)).toMatchObject({
      stop: "error",
      error: { kind: "rate-limit", status: 429, retryAfterMs: 3000, host: "scripted" },
    });
  });

  it("says so when the script is used up", async () => {
    const model = createScripted(["only"]);
    await collectEvents(model);

    expect(replyOf(await collectEvents(model))).toMatchObject({
      stop: "error",
      error: { kind: "invalid-request", phrase: { code: "model.script-over", params: { steps: 1 } } },
    });
    expect(replyOf(await collectEvents(createScripted({ steps: [], loop: true }))).stop).toBe("error");
  });

  it("starts again when it loops", async () => {
    const model = createScripted({ steps: ["a", "b"], loop: true });

    const texts = [];
    for (let call = 0; call < 3; call++) texts.push(textOf(await collectEvents(model)));

    expect(texts).toEqual(["a", "b", "a"]);
  });

  it("lets a step in code look at the request", async () => {
    const model = createScripted([(request) => `asked with ${request.messages.length} messages`]);

    expect(textOf(await collectEvents(model))).toBe("asked with 2 messages");
  });

  it("records each request as it was, whatever becomes of its messages", async () => {
    const model = createScripted(["a", "b"]);
    const messages: Message[] = [{ role: "user", content: "first" }];
    await collectEvents(model, modelRequest({ messages }));
    messages.push({ role: "user", content: "second" });
    await collectEvents(model, modelRequest({ messages }));

    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 2]);
  });

  it("waits before its first piece by the clock it was given", async () => {
    const clock = createFakeClock();
    const model = createScripted([{ text: "late", delayMs: 5000 }], clock);

    const events = await clock.runUntil(collectEvents(model));

    expect(textOf(events)).toBe("late");
    expect(clock.elapsed()).toBe(5000);
  });

  it("hangs after its last piece until it is aborted, and throws the reason", async () => {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const reading = (async () => {
      const stream = createScripted([{ text: "half", hold: true }]).stream(modelRequest(), controller.signal);
      for await (const event of stream) {
        events.push(event);
        queueMicrotask(() => controller.abort("enough"));
      }
    })();

    await expect(reading).rejects.toBe("enough");
    expect(events).toEqual([{ type: "text-delta", text: "half" }]);
  });

  it("stops between two pieces when it is aborted", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      const stream = createScripted([{ deltas: ["a", "b", "c"] }]).stream(modelRequest(), controller.signal);
      for await (const event of stream) {
        seen.push(event.type);
        controller.abort("stop");
      }
    })();

    await expect(reading).rejects.toBe("stop");
    expect(seen).toEqual(["text-delta"]);
  });
});
