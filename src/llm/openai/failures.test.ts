import { LLMock } from "@copilotkit/aimock";
import { describe, expect, it } from "vitest";
import { findFreePort } from "../../../test/support/free-port.ts";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { sentenceOf } from "../../../test/support/sentence-of.ts";
import { startWireServer, type WireReply } from "../../../test/support/wire-server.ts";
import { isRetryable } from "../errors/provider-error.ts";
import type { ProviderErrorKind } from "../types.ts";
import { createOpenAIChat } from "./chat.ts";

const begun = 'data: {"choices":[{"index":0,"delta":{"content":"Half an ans"},"finish_reason":null}]}\n\n';
const ended = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

async function ask(...replies: WireReply[]) {
  await using server = await startWireServer(...replies);
  return await collectReply(createOpenAIChat(connectTo(server.url)));
}

describe("a refusal", () => {
  const json = { "content-type": "application/json" };
  it.each<[title: string, reply: WireReply, kind: ProviderErrorKind, retryable: boolean]>([
    [
      "401",
      { status: 401, headers: json, chunks: '{"error":{"message":"Incorrect API key provided"}}' },
      "authentication",
      false,
    ],
    [
      "402",
      { status: 402, headers: json, chunks: '{"error":{"message":"Insufficient Balance"}}' },
      "quota",
      false,
    ],
    [
      "403",
      { status: 403, headers: json, chunks: '{"error":{"message":"Country not supported"}}' },
      "permission",
      false,
    ],
    [
      "404",
      { status: 404, headers: json, chunks: '{"error":{"message":"The model `x` does not exist"}}' },
      "not-found",
      false,
    ],
    [
      "429 by rate",
      {
        status: 429,
        headers: { ...json, "retry-after": "2" },
        chunks: '{"error":{"code":"rate_limit_exceeded","message":"Rate limit reached"}}',
      },
      "rate-limit",
      true,
    ],
    [
      "429 by quota",
      {
        status: 429,
        headers: json,
        chunks: '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      },
      "quota",
      false,
    ],
    ["500", { status: 500, headers: json, chunks: '{"error":{"message":"oops"}}' }, "server", true],
    [
      "502 as a web page",
      {
        status: 502,
        headers: { "content-type": "text/html" },
        chunks: "<html><head><title>502 Bad Gateway</title></head></html>",
      },
      "server",
      true,
    ],
    ["529", { status: 529, chunks: "" }, "overloaded", true],
    [
      "200 with a web page",
      {
        headers: { "content-type": "text/html" },
        chunks: "<!doctype html><html><title>Welcome</title></html>",
      },
      "not-found",
      false,
    ],
    ["200 with something else", { chunks: "data: not json\n\n" }, "server", true],
    ["200 with nothing", { chunks: "" }, "connection", true],
  ])("%s is a reply with a classified error", async (_title, reply, kind, retryable) => {
    const { reply: answer, events } = await ask(reply);
    expect(events).toHaveLength(1);
    expect(answer).toMatchObject({
      stop: "error",
      error: { kind, host: "Example" },
      message: { content: null },
    });
    expect(answer.error && isRetryable(answer.error)).toBe(retryable);
    expect(sentenceOf(answer.error)).not.toMatch(/[<>]/);
  });
});

describe("a connection", () => {
  it("that is cut in the middle ends with an error and what had come", async () => {
    const { reply, text } = await ask({ chunks: begun, end: "cut" });
    expect(reply).toMatchObject({
      stop: "error",
      error: { kind: "connection" },
      message: { content: "Half an ans" },
    });
    expect(text).toBe("Half an ans");
  });

  it("that closes properly in the middle is just as broken", async () => {
    const { reply } = await ask({ chunks: begun });
    expect(reply).toMatchObject({ stop: "error", error: { kind: "connection" } });
  });

  it("that is cut inside an event is just as broken", async () => {
    const { reply } = await ask({ chunks: [begun, 'data: {"choices":[{"ind'] });
    expect(reply.stop).toBe("error");
  });

  it("that is cut after the host said how the reply ended takes nothing away", async () => {
    const { reply } = await ask({ chunks: [begun, ended], end: "cut" });
    expect(reply).toMatchObject({ stop: "stop", message: { content: "Half an ans" } });
  });

  it("may carry events without data", async () => {
    const { reply } = await ask({ chunks: ["event: ping\ndata:\n\n", begun, ": ping\n\n", ended] });
    expect(reply).toMatchObject({ stop: "stop", message: { content: "Half an ans" } });
  });

  it("that stays open after [DONE] is not waited for", async () => {
    const { reply } = await ask({ chunks: [begun, ended, "data: [DONE]\n\n"], end: "hold" });
    expect(reply.stop).toBe("stop");
  });

  it("is used again for further requests", async () => {
    await using server = await startWireServer({ chunks: [begun, ended, "data: [DONE]\n\n"] });
    const provider = createOpenAIChat(connectTo(server.url));
    for (let round = 0; round < 5; round++) await collectReply(provider);
    // fetch itself opens a second one when asked right after the first answer; then it alternates.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("that nobody answers on this machine is not worth a second try", async () => {
    const port = await findFreePort();
    const { reply } = await collectReply(createOpenAIChat(connectTo(`http://127.0.0.1:${port}/v1`)));
    expect(reply.error).toMatchObject({ kind: "connection", isLoopback: true });
    expect(reply.error && isRetryable(reply.error)).toBe(false);
  });

  it("to an address that is none is an error, not an exception", async () => {
    const { reply } = await collectReply(createOpenAIChat(connectTo("not an address")));
    expect(reply.error).toMatchObject({ kind: "unknown" });
  });
});

describe("an abort", () => {
  const reason = new Error("the user said stop");

  it("before the request sends nothing", async () => {
    await using server = await startWireServer({ chunks: begun });
    const reply = collectReply(
      createOpenAIChat(connectTo(server.url)),
      createTestRequest(),
      AbortSignal.abort(reason),
    );
    await expect(reply).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("while the host is silent throws its reason", async () => {
    await using server = await startWireServer({ end: "hold" });
    const stop = new AbortController();
    const reply = collectReply(createOpenAIChat(connectTo(server.url)), createTestRequest(), stop.signal);
    await server.received(1);
    stop.abort(reason);
    await expect(reply).rejects.toBe(reason);
    await server.requests[0]?.closed;
  });

  it("in the middle of the body throws its reason at once and frees the connection", async () => {
    await using server = await startWireServer({ chunks: begun, end: "hold" });
    const stop = new AbortController();
    const events = createOpenAIChat(connectTo(server.url)).stream(createTestRequest(), stop.signal);
    const iterator = events[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: "text-delta", text: "Half an ans" });
    const pending = iterator.next();
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await server.requests[0]?.closed;
  });
});

describe("against a model server that others wrote", () => {
  it("reads a text, and a tool call with its result sent back", async () => {
    const model = new LLMock({ port: 0 });
    model.onMessage("hello", { content: "Hi there! 你好" });
    model.onToolResult("call_weather", { content: "It is sunny in Paris." });
    model.onMessage("weather", {
      toolCalls: [{ id: "call_weather", name: "get_weather", arguments: '{"location":"Paris"}' }],
    });
    await model.start();
    try {
      const provider = createOpenAIChat(connectTo(`${model.url}/v1`));
      const greeting = await collectReply(
        provider,
        createTestRequest({ messages: [{ role: "user", content: "hello" }] }),
      );
      expect(greeting.reply).toMatchObject({ stop: "stop", message: { content: "Hi there! 你好" } });
      expect(greeting.reply.usage?.input).toBeGreaterThan(0);

      const tools = [
        { name: "get_weather", description: "Weather", parameters: { type: "object", properties: {} } },
      ];
      const question = { role: "user" as const, content: "weather in Paris?" };
      const first = await collectReply(provider, createTestRequest({ messages: [question], tools }));
      expect(first.reply.stop).toBe("tool-calls");
      const [call] = first.reply.message.tool_calls ?? [];
      expect(call).toEqual({
        id: "call_weather",
        type: "function",
        function: { name: "get_weather", arguments: '{"location":"Paris"}' },
      });

      const result = {
        role: "tool" as const,
        tool_call_id: "call_weather",
        name: "get_weather",
        content: "sunny",
      };
      const messages = [question, first.reply.message, result];
      const last = await collectReply(provider, createTestRequest({ messages, tools }));
      expect(last.reply.message.content).toBe("It is sunny in Paris.");
    } finally {
      await model.stop();
    }
  });
});
