import { readdir, readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { startWireServer, type WireReply } from "../../../test/support/wire-server.ts";
import { packagePath } from "../../lib/package-root.ts";
import type { Quirks } from "../hosts/host.ts";
import type { AssistantMessage, ModelReply, ProviderError, ToolDefinition } from "../types.ts";
import { createOpenAIChat } from "./chat.ts";

const folder = packagePath("test", "fixtures", "wire", "openai");
const tools: ToolDefinition[] = ["get_weather", "get_time", "read_file", "write_file", "note"].map(
  (name) => ({
    name,
    description: name,
    parameters: { type: "object", properties: {} },
  }),
);

async function replay(chunks: WireReply["chunks"], more: WireReply & { quirks?: Quirks } = {}) {
  const { quirks = {}, ...reply } = more;
  await using server = await startWireServer({ chunks, ...reply });
  return await collectReply(
    createOpenAIChat(connectTo(server.url, { quirks })),
    createTestRequest({ tools }),
  );
}

function call(id: string, name: string, json: string, extra?: unknown) {
  const base = { id, type: "function", function: { name, arguments: json } };
  return extra === undefined ? base : { ...base, extra_content: extra };
}

interface Expected {
  message?: Partial<AssistantMessage>;
  stop: ModelReply["stop"];
  usage?: ModelReply["usage"];
  malformedCalls?: number;
  error?: Partial<ProviderError>;
  quirks?: Quirks;
}

const expectations: Record<string, Expected> = {
  "openai-text": {
    message: { content: "Hello! 你好 😀" },
    stop: "stop",
    usage: { input: 19, cached: 8, output: 10 },
  },
  "openai-parallel-tool-calls": {
    message: {
      tool_calls: [
        call("call_DdmO9pD3xa9XTPNJ32zg2hcA", "get_weather", '{"location":"Paris"}'),
        call("call_ABCO9pD3xa9XTPNJ32zg2abc", "get_time", '{"zone":"CET"}'),
      ] as never,
    },
    stop: "tool-calls",
  },
  "openai-refusal": { message: { content: "I'm sorry, I cannot help with that." }, stop: "refusal" },
  "openai-length-in-tool-call": { message: { content: "Writing it now." }, stop: "length" },
  "openai-error-in-stream": {
    message: { content: "The question" },
    stop: "error",
    error: { kind: "server" },
  },
  "openai-legacy-function-call": {
    message: { tool_calls: [call("call_0", "get_weather", '{"location":"Oslo"}')] as never },
    stop: "tool-calls",
  },
  "azure-content-filter": { message: { content: "The beginning of" }, stop: "refusal" },
  "deepseek-reasoning": {
    message: { content: "9.8 is greater.", reasoning_content: "9.11 is less than 9.8." },
    stop: "stop",
    usage: { input: 120, cached: 64, output: 60 },
  },
  "deepseek-insufficient-resource": {
    message: { content: "Let me" },
    stop: "error",
    error: { kind: "server" },
  },
  "openrouter-claude-thinking-tool": {
    message: {
      reasoning_content: "Let me look.",
      tool_calls: [
        call("toolu_01", "get_weather", '{"location":"Paris"}', {
          reasoning_details: [
            {
              type: "reasoning.text",
              text: "Let me look.",
              signature: "EqQBCgIYAhIM",
              format: "anthropic-claude-v1",
              index: 0,
            },
          ],
        }),
      ] as never,
    },
    stop: "tool-calls",
    usage: { input: 900, cached: 700, output: 50 },
  },
  "openrouter-error-in-stream": {
    message: { content: "Once upon" },
    stop: "error",
    error: { kind: "server", status: 502 },
  },
  "gemini-parallel-signatures": {
    message: {
      tool_calls: [
        call("function-call-1", "get_weather", '{"location":"Paris"}', {
          google: { thought_signature: "CrICAdHtim827fQ" },
        }),
        call("function-call-2", "get_weather", '{"location":"London"}'),
      ] as never,
    },
    stop: "tool-calls",
    usage: { input: 100, cached: 0, output: 80 },
  },
  "gemini-trailing-signature": {
    message: {
      tool_calls: [
        call("function-call-1", "get_weather", '{"location":"Paris"}', {
          google: { thought_signature: "AY89a18IwQsQ8in" },
        }),
      ] as never,
    },
    stop: "tool-calls",
  },
  "ollama-same-index": {
    message: {
      tool_calls: [
        call("call_abc", "write_file", '{"path":"hello.py"}'),
        call("call_def", "write_file", '{"path":"world.py"}'),
      ] as never,
    },
    stop: "tool-calls",
  },
  "ollama-no-index": {
    message: {
      tool_calls: [
        call("call_1", "get_weather", '{"location":"Boston"}'),
        call("call_2", "get_time", "{}"),
      ] as never,
    },
    stop: "tool-calls",
  },
  "ollama-object-arguments": {
    message: { tool_calls: [call("call_1", "get_weather", '{"location":"Rome","days":2}')] as never },
    stop: "tool-calls",
  },
  "proxy-same-id-and-index": {
    message: {
      tool_calls: [
        call("call_x", "read_file", '{"path":"a"}'),
        call("call_x_1", "read_file", '{"path":"b"}'),
      ] as never,
    },
    stop: "tool-calls",
  },
  "proxy-same-id": {
    message: {
      tool_calls: [
        call("call_1", "read_file", '{"path":"a"}'),
        call("call_1_1", "read_file", '{"path":"b"}'),
      ] as never,
    },
    stop: "tool-calls",
  },
  "proxy-late-id-and-name": {
    message: { tool_calls: [call("call_7", "read_file", '{"path":"a"}')] as never },
    stop: "tool-calls",
  },
  "proxy-new-id-in-every-delta": {
    message: { tool_calls: [call("a1", "read_file", '{"path":"a"}')] as never },
    stop: "tool-calls",
  },
  "relay-null-name": {
    message: { tool_calls: [call("call_1", "read_file", '{"path":"a"}')] as never },
    stop: "tool-calls",
    malformedCalls: 1,
  },
  "relay-only-null-names": { stop: "stop", malformedCalls: 1 },
  "broken-arguments": {
    message: { tool_calls: [call("call_1", "read_file", '{"path":"a.txt","limit":5,"all":true}')] as never },
    stop: "tool-calls",
  },
  "finish-tool-calls-without-calls": { message: { content: "Nothing to call." }, stop: "stop" },
  "mistral-thinking-parts": {
    message: { content: "The answer is 2.", reasoning_content: "Okay, two fish." },
    stop: "stop",
    usage: { input: 30, cached: 0, output: 30 },
  },
  "mistral-model-length": { message: { content: "Too long" }, stop: "length" },
  "minimax-reasoning-split": {
    message: { content: "Hi there!", reasoning_content: "The user greets." },
    stop: "stop",
    usage: { input: 40, cached: 0, output: 20 },
  },
  "minimax-think-tags": {
    message: { content: "Hello!", reasoning_content: 'The user says "hi".' },
    stop: "stop",
  },
  "minimax-base-resp-error": { stop: "error", error: { kind: "quota" } },
  "moonshot-usage-in-choice": {
    message: { content: "你好！", reasoning_content: "简单的问候。" },
    stop: "stop",
    usage: { input: 80, cached: 50, output: 13 },
  },
  "groq-reasoning": {
    message: { content: "Yes.", reasoning_content: "Short." },
    stop: "stop",
    usage: { input: 10, cached: 0, output: 5 },
  },
  "dashscope-reasoning": {
    message: { content: "我是通义千问。", reasoning_content: "用户在问我是谁。" },
    stop: "stop",
    usage: { input: 10, cached: 0, output: 30 },
  },
  "zhipu-sensitive": {
    message: { content: "抱歉" },
    stop: "refusal",
    usage: { input: 8, cached: 0, output: 2 },
  },
  "zhipu-network-error": { message: { content: "我" }, stop: "error", error: { kind: "server" } },
  "stepfun-reasoning-only": {
    message: { content: "The capital is Paris." },
    stop: "stop",
    quirks: { reasoningAsContent: true },
  },
  "vllm-stop-fields": {
    message: { content: "Done" },
    stop: "stop",
    usage: { input: 5, cached: 0, output: 2 },
  },
  "vllm-error-object": { stop: "error", error: { kind: "context-overflow", status: 400 } },
  "hermes-text-tool-call": {
    message: {
      content: "Let me look.",
      tool_calls: [
        call("call_0", "get_weather", '{"location":"Paris"}'),
        call("call_1", "get_time", "{}"),
      ] as never,
    },
    stop: "tool-calls",
  },
  "no-finish-reason": { message: { content: "All there." }, stop: "stop" },
  "no-done": { message: { content: "All there." }, stop: "stop" },
  "empty-choices": { stop: "stop" },
  "split-surrogates": {
    message: {
      content: "Smile 😀 and \ufffd half",
      tool_calls: [call("c1", "note", '{"text":"\ufffd"}')] as never,
    },
    stop: "tool-calls",
  },
  "blank-content": { stop: "stop" },
};

function toExpectedReply({ message, stop, usage, malformedCalls, error }: Expected) {
  return {
    message: { role: "assistant", content: null, ...message },
    stop,
    model: "test-model",
    ...(usage === undefined ? {} : { usage }),
    ...(malformedCalls === undefined ? {} : { malformedCalls }),
    ...(error === undefined ? {} : { error: expect.objectContaining(error) }),
  };
}

async function readFixture(name: string): Promise<Buffer> {
  return readFile(`${folder}/${name}.sse`);
}

describe("what hosts send", () => {
  it.each(Object.entries(expectations))("%s", async (name, expected) => {
    const { reply, text, reasoning } = await replay(await readFixture(name), { quirks: expected.quirks });
    expect(reply).toEqual(toExpectedReply(expected));
    expect(text).toBe(reply.message.content ?? "");
    if (expected.quirks === undefined) expect(reasoning).toBe(reply.message.reasoning_content ?? "");
  });

  it("has an expectation and a source for every fixture", async () => {
    const names = (await readdir(folder))
      .filter((file) => file.endsWith(".sse"))
      .map((file) => file.slice(0, -4));
    expect(names.toSorted()).toEqual(Object.keys(expectations).toSorted());
    for (const name of names) expect((await readFixture(name)).toString()).toMatch(/^: source https:\/\/\S+/);
  });

  it("gives the same reply however the bytes are cut", async () => {
    const bytes = new Map<string, Buffer>();
    for (const name of Object.keys(expectations)) bytes.set(name, await readFixture(name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(expectations)),
        fc.uniqueArray(fc.nat({ max: 3000 }), { maxLength: 12 }),
        async (name, places) => {
          const all = bytes.get(name) ?? Buffer.alloc(0);
          const at = [0, ...places.filter((place) => place < all.length).sort((a, b) => a - b), all.length];
          const chunks = at.slice(1).map((end, index) => all.subarray(at[index], end));
          const expected = expectations[name] ?? { stop: "stop" };
          const { reply, text } = await replay(chunks, { quirks: expected.quirks });
          expect(reply).toEqual(toExpectedReply(expected));
          expect(text).toBe(reply.message.content ?? "");
        },
      ),
      { numRuns: cases(120) },
    );
  });

  it("understands a host that answers with plain JSON although a stream was asked for", async () => {
    const headers = { "content-type": "application/json" };
    const { reply } = await replay(await readFile(`${folder}/plain-json.json`), { headers });
    expect(reply).toEqual({
      message: {
        role: "assistant",
        content: "Two calls.",
        reasoning_content: "hm",
        tool_calls: [call("call_1", "get_weather", '{"location":"Paris"}'), call("call_2", "get_time", "{}")],
      },
      stop: "tool-calls",
      model: "test-model",
      usage: { input: 9, cached: 0, output: 12 },
    });
  });

  it("reports calls as they grow", async () => {
    const { events } = await replay(await readFixture("openai-parallel-tool-calls"));
    expect(events.filter(({ type }) => type === "tool-call-delta").slice(0, 3)).toEqual([
      { type: "tool-call-delta", index: 0, name: "get_weather" },
      { type: "tool-call-delta", index: 0, argumentsDelta: '{"' },
      { type: "tool-call-delta", index: 0, argumentsDelta: "location" },
    ]);
  });

  it("leaves a text about tool calls alone when no tools are on offer", async () => {
    await using server = await startWireServer({ chunks: await readFixture("hermes-text-tool-call") });
    const { reply } = await collectReply(createOpenAIChat(connectTo(server.url)));
    expect(reply.stop).toBe("stop");
    expect(reply.message.content).toContain("<tool_call>");
  });

  it("keeps the text around calls that were written as text", async () => {
    const content = 'First.\n<tool_call>{"name":"get_time"}</tool_call>\nThen more.';
    const { reply, text } = await replay(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] })}\n\n`,
    );
    expect(reply).toMatchObject({ stop: "tool-calls", message: { content: "First.\n\nThen more." } });
    expect(text).toBe("First.\n\nThen more.");
  });

  it("leaves such text alone when the host sent real calls", async () => {
    const delta = {
      content: 'As in <tool_call>{"name":"get_time"}</tool_call>',
      tool_calls: [call("c1", "get_weather", "{}")],
    };
    const { reply, text } = await replay(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: "tool_calls" }] })}\n\n`,
    );
    expect(reply.message).toMatchObject({ content: delta.content, tool_calls: delta.tool_calls });
    expect(text).toBe(delta.content);
  });
});
