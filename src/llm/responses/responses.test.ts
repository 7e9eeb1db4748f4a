import { afterEach, describe, expect, it } from "vitest";
import { collectEvents, modelRequest, replyOf, textOf } from "../../../test/support/model-request.ts";
import { toResponsesEvents } from "../../../test/support/model-wire.ts";
import { startWireServer, type WireReply, type WireServer } from "../../../test/support/wire-server.ts";
import { directFetch } from "../../agent/models/direct-fetch.ts";
import { findHost } from "../hosts/hosts.ts";
import { toOpenAIBody } from "../openai/chat.ts";
import type { Message } from "../types.ts";
import { createOpenAIResponses, toResponsesBody } from "./responses.ts";

const host = findHost("openai");
if (host === undefined) throw new Error("no host");
const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(...replies: WireReply[]) {
  const server = await startWireServer(...replies);
  servers.push(server);
  const readImage = async () => undefined;
  const connection = {
    host: host as NonNullable<typeof host>,
    baseUrl: server.url,
    fetch: directFetch,
    readImage,
  };
  return { server, provider: createOpenAIResponses({ ...connection, apiKey: "k" }) };
}

const toEvent = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];

describe("a request", () => {
  const messages: Message[] = [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        {
          id: "call_a",
          type: "function",
          function: { name: "look", arguments: "{}" },
          extra_content: {
            responses_reasoning: [
              { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
              { type: "message", id: "forged" },
            ],
          },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_a", name: "look", content: "a cat" },
    { role: "user", content: "And?" },
  ];

  it("has all of the conversation, reasoning encrypted, and keeps nothing at the host", () => {
    expect(
      toResponsesBody(
        modelRequest({ model: "gpt-5.6-terra", messages, tools, temperature: 0.1, reasoningEffort: "low" }),
        host,
      ),
    ).toEqual({
      model: "gpt-5.6-terra",
      instructions: "Be brief.",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
        { type: "function_call", call_id: "call_a", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "call_a", output: "a cat" },
        { role: "user", content: [{ type: "input_text", text: "And?" }] },
      ],
      tools: [{ type: "function", ...tools[0], strict: false }],
      max_output_tokens: 1000,
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      store: false,
      stream: true,
    });
  });

  it("asks a model that does not reason for no reasoning", () => {
    const body = toResponsesBody(
      modelRequest({ model: "gpt-4o", temperature: 0.5, reasoningEffort: "low" }),
      host,
    );
    expect(body).toMatchObject({ temperature: 0.5, max_output_tokens: 1000, store: false });
    expect(body).not.toHaveProperty("include");
    expect(body).not.toHaveProperty("reasoning");
  });

  it("gives its reasoning to no other protocol", () => {
    expect(JSON.stringify(toOpenAIBody(modelRequest({ messages, tools }), host))).not.toContain("sealed");
  });
});

describe("a reply", () => {
  it("keeps reasoning with the call that it led to, and shows its summary", async () => {
    const call = { name: "look", arguments: { path: "a" } };
    const { provider } = await open({
      chunks: toResponsesEvents({ text: "", calls: [call], thinking: "Hm." }),
    });
    const events = await collectEvents(provider, modelRequest({ tools }));
    const { message, stop } = replyOf(events);
    expect(stop).toBe("tool-calls");
    expect(message.reasoning_content).toBe("Hm.");
    expect(message.tool_calls?.[0]).toMatchObject({
      id: "call_0",
      extra_content: { responses_reasoning: [{ id: "rs_0", encrypted_content: "sealed" }] },
    });
  });

  it("counts what was cached", async () => {
    const usage = { input_tokens: 90, input_tokens_details: { cached_tokens: 64 }, output_tokens: 5 };
    const response = {
      status: "completed",
      usage,
      output: [{ type: "message", content: [{ type: "output_text", text: "Hi." }] }],
    };
    const { provider } = await open({ chunks: toEvent("response.completed", { response }) });
    const events = await collectEvents(provider);
    expect(textOf(events)).toBe("Hi.");
    expect(replyOf(events).usage).toEqual({ input: 90, cached: 64, output: 5 });
  });

  it("may come in one piece although a stream was asked for", async () => {
    const output = [
      { type: "message", content: [{ type: "output_text", text: "Hi." }] },
      { type: "function_call", call_id: "c", name: "look", arguments: '{"a":1}' },
    ];
    const body = JSON.stringify({ object: "response", status: "completed", output });
    const { provider } = await open({ headers: { "content-type": "application/json" }, chunks: body });
    const { message } = replyOf(await collectEvents(provider, modelRequest({ tools })));
    expect(message).toMatchObject({
      content: "Hi.",
      tool_calls: [{ id: "c", function: { arguments: '{"a":1}' } }],
    });
  });

  it.each([
    ["max_output_tokens", "length"],
    ["content_filter", "refusal"],
  ])("that is incomplete for %s stops as %s, and its calls are not made", async (reason, stop) => {
    const item = { type: "function_call", call_id: "c", name: "look", arguments: "{}" };
    const response = { status: "incomplete", incomplete_details: { reason } };
    const chunks = [
      toEvent("response.output_text.delta", { output_index: 0, delta: "Half" }),
      toEvent("response.output_item.done", { output_index: 1, item }),
      toEvent("response.incomplete", { response }),
    ];
    const { provider } = await open({ chunks: chunks.join("") });
    const reply = replyOf(await collectEvents(provider, modelRequest({ tools })));
    expect(reply).toMatchObject({ stop, message: { content: "Half" } });
    expect(reply.message.tool_calls).toBeUndefined();
  });

  it.each([
    [
      "response.failed",
      { response: { status: "failed", error: { code: "rate_limit_exceeded", message: "Slow down" } } },
      "rate-limit",
    ],
    [
      "error",
      { code: "context_length_exceeded", message: "Your input exceeds the context window of this model" },
      "context-overflow",
    ],
  ])("that fails in the stream (%s) is an error of its kind", async (type, data, kind) => {
    const { provider } = await open({ chunks: toEvent(type, data) });
    expect(replyOf(await collectEvents(provider))).toMatchObject({ stop: "error", error: { kind } });
  });
});
