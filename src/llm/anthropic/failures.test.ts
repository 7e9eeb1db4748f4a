import { LLMock } from "@copilotkit/aimock";
import { describe, expect, it } from "vitest";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { sentenceOf } from "../../../test/support/sentence-of.ts";
import { startWireServer, type WireReply } from "../../../test/support/wire-server.ts";
import { isRetryable } from "../errors/provider-error.ts";
import type { Message, ModelRequest, ProviderErrorKind } from "../types.ts";
import { createAnthropicMessages } from "./messages.ts";

const begun = [
  'data: {"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}}\n\n',
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
  'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half an ans"}}\n\n',
].join("");
const ended =
  'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}\n\n';
const over = 'data: {"type":"message_stop"}\n\n';

async function ask(...replies: WireReply[]) {
  await using server = await startWireServer(...replies);
  return await collectReply(createAnthropicMessages(connectTo(server.url)));
}

function refuse(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): WireReply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    chunks: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }),
  };
}

describe("a refusal", () => {
  it.each<[title: string, reply: WireReply, kind: ProviderErrorKind, retryable: boolean]>([
    ["400", refuse(400, "invalid_request_error", "max_tokens: must be positive"), "invalid-request", false],
    [
      "400 of credit",
      refuse(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
      "quota",
      false,
    ],
    [
      "400 of length",
      refuse(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"),
      "context-overflow",
      false,
    ],
    ["401", refuse(401, "authentication_error", "invalid x-api-key"), "authentication", false],
    ["403", refuse(403, "permission_error", "Your API key does not have permission"), "permission", false],
    ["404", refuse(404, "not_found_error", "model: claude-x"), "not-found", false],
    ["413", refuse(413, "request_too_large", "Request exceeds the maximum size"), "context-overflow", false],
    [
      "429",
      refuse(429, "rate_limit_error", "This request would exceed your rate limit", { "retry-after": "7" }),
      "rate-limit",
      true,
    ],
    ["500", refuse(500, "api_error", "Internal server error"), "server", true],
    ["529", refuse(529, "overloaded_error", "Overloaded"), "overloaded", true],
    [
      "200 with an error",
      { chunks: '{"type":"error","error":{"type":"api_error","message":"oops"}}' },
      "server",
      true,
    ],
    ["200 with no event", { chunks: "data: not json\n\n" }, "server", true],
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
  });

  it("tells how long to wait", async () => {
    const { reply } = await ask(refuse(429, "rate_limit_error", "slow down", { "retry-after": "7" }));
    expect(reply.error?.retryAfterMs).toBeGreaterThanOrEqual(7000);
  });

  it("never repeats the key", async () => {
    const { reply } = await ask(refuse(401, "authentication_error", "invalid x-api-key test-key-0123456789"));
    expect(sentenceOf(reply.error)).not.toContain("test-key-0123456789");
  });
});

describe("a connection", () => {
  it.each<[string, WireReply]>([
    ["cut in the middle", { chunks: begun, end: "cut" }],
    ["closed in the middle", { chunks: begun }],
    ["cut inside an event", { chunks: [begun, 'data: {"type":"content_bl'], end: "cut" }],
  ])("%s ends with an error and what had come", async (_title, wire) => {
    const { reply, text } = await ask(wire);
    expect(reply).toMatchObject({
      stop: "error",
      error: { kind: "connection" },
      message: { content: "Half an ans" },
      usage: { input: 5, output: 1 },
    });
    expect(text).toBe("Half an ans");
  });

  it("cut after the end was told takes nothing away", async () => {
    const { reply } = await ask({ chunks: [begun, ended], end: "cut" });
    expect(reply).toMatchObject({ stop: "stop", usage: { input: 5, output: 4 } });
  });

  it("is used again, so that their number does not grow with the requests", async () => {
    await using server = await startWireServer({ chunks: [begun, ended, over] });
    const provider = createAnthropicMessages(connectTo(server.url));
    for (let count = 0; count < 8; count++) await collectReply(provider);
    // The pool may open a second one while the first is being handed back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("to an address that is none is an error, not an exception", async () => {
    const { reply } = await collectReply(createAnthropicMessages(connectTo("not an address")));
    expect(reply.error).toMatchObject({ kind: "unknown" });
  });

  it("of more calls than any reply has is given up", async () => {
    const block = (index: number) =>
      `data: {"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"x","name":"n"}}\n\n`;
    const { reply } = await ask({
      chunks: Array.from({ length: 1100 }, (_, index) => block(index)).join(""),
    });
    expect(reply.error?.phrase).toMatchObject({
      code: "model.endless",
      params: { most: 256, unit: "calls" },
    });
  });
});

describe("an abort", () => {
  const reason = new Error("the user said stop");

  it("before the request sends nothing", async () => {
    await using server = await startWireServer({ chunks: begun });
    const provider = createAnthropicMessages(connectTo(server.url));
    const reply = collectReply(provider, createTestRequest(), AbortSignal.abort(reason));
    await expect(reply).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("in the middle throws its reason at once and frees the connection", async () => {
    await using server = await startWireServer({ chunks: begun, end: "hold" });
    const stop = new AbortController();
    const events = createAnthropicMessages(connectTo(server.url)).stream(createTestRequest(), stop.signal);
    const iterator = events[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: "text-delta", text: "Half an ans" });
    const pending = iterator.next();
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await server.requests[0]?.closed;
  });
});

describe("thinking that the service does not accept back", () => {
  const thought = { type: "thinking" as const, thinking: "Hm.", signature: "of-another-account" };
  const history: Message[] = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi.", thinking_blocks: [thought] },
    { role: "user", content: "And now?" },
  ];
  const good: WireReply = { chunks: [begun, ended, over] };

  async function send(request: Partial<ModelRequest>, ...replies: WireReply[]) {
    await using server = await startWireServer(...replies);
    const provider = createAnthropicMessages(connectTo(server.url));
    const { reply, events } = await collectReply(provider, createTestRequest(request));
    return { reply, events, bodies: server.requests.map(({ body }) => body) };
  }

  it.each([
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    "messages.1.content.0.thinking: each thinking block must contain thinking",
  ])("does not brick the conversation: %s", async (message) => {
    const { reply, bodies, events } = await send(
      { messages: history },
      refuse(400, "invalid_request_error", message),
      good,
    );
    expect(reply).toMatchObject({ stop: "stop", message: { content: "Half an ans" } });
    expect(events.filter(({ type }) => type === "reply-end")).toHaveLength(1);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toContain("of-another-account");
    expect(bodies[1]).not.toContain("thinking");
  });

  it("is left out once only", async () => {
    const refusal = refuse(400, "invalid_request_error", "Invalid `signature` in `thinking` block");
    const { reply, bodies } = await send({ messages: history }, refusal);
    expect(reply.error?.kind).toBe("invalid-request");
    expect(bodies).toHaveLength(2);
  });

  it("is no reason to repeat a request that was rejected for something else", async () => {
    const { bodies } = await send(
      { messages: history },
      refuse(400, "invalid_request_error", "tools.0.name: bad"),
    );
    expect(bodies).toHaveLength(1);
  });

  it("is no reason to repeat a request without any", async () => {
    const refusal = refuse(400, "invalid_request_error", "Invalid `signature` in `thinking` block");
    const { bodies } = await send({}, refusal);
    expect(bodies).toHaveLength(1);
  });
});

describe("against a model server that others wrote", () => {
  it("reads thinking, a text, and a tool call with its result sent back", async () => {
    const model = new LLMock({ port: 0 });
    model.onMessage("hello", { content: "Hi there! 你好", reasoning: "A greeting." });
    model.onToolResult("toolu_weather", { content: "It is sunny in Paris." });
    model.onMessage("weather", {
      toolCalls: [{ id: "toolu_weather", name: "get_weather", arguments: '{"location":"Paris"}' }],
    });
    await model.start();
    try {
      const provider = createAnthropicMessages(connectTo(model.url));
      const hello: Message = { role: "user", content: "hello" };
      const greeting = await collectReply(provider, createTestRequest({ messages: [hello] }));
      expect(greeting.reply).toMatchObject({ stop: "stop", message: { content: "Hi there! 你好" } });
      expect(greeting.reasoning).toBe("A greeting.");
      const tools = [
        { name: "get_weather", description: "Weather", parameters: { type: "object", properties: {} } },
      ];
      const question: Message = { role: "user", content: "weather in Paris?" };
      const first = await collectReply(provider, createTestRequest({ messages: [question], tools }));
      expect(first.reply.stop).toBe("tool-calls");
      const [call] = first.reply.message.tool_calls ?? [];
      expect(call).toEqual({
        id: "toolu_weather",
        type: "function",
        function: { name: "get_weather", arguments: '{"location":"Paris"}' },
      });

      const result: Message = {
        role: "tool",
        tool_call_id: "toolu_weather",
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
