import { readdir, readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { startWireServer, type WireReply } from "../../../test/support/wire-server.ts";
import { packagePath } from "../../lib/package-root.ts";
import type { AssistantMessage, ModelReply, ProviderError } from "../types.ts";
import { createAnthropicMessages } from "./messages.ts";

const folder = packagePath("test", "fixtures", "wire", "anthropic");

async function replay(chunks: WireReply["chunks"], more: WireReply = {}) {
  await using server = await startWireServer({ chunks, ...more });
  return await collectReply(createAnthropicMessages(connectTo(server.url)), createTestRequest());
}

function call(id: string, name: string, json: string) {
  return { id, type: "function" as const, function: { name, arguments: json } };
}

interface Expected {
  message: Partial<AssistantMessage>;
  stop: ModelReply["stop"];
  usage?: ModelReply["usage"];
  model?: string;
  malformedCalls?: number;
  error?: Partial<ProviderError>;
  /** The deltas of reasoning, joined. */
  reasoning?: string;
}

const gcd = "I need to find the GCD of 1071 and 462.\n\n1071 = 2 × 462 + 147";
const gcdSignature = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds";

const expectations: Record<string, Expected> = {
  "text.sse": {
    message: { content: "Hello! 你好 🐈" },
    stop: "stop",
    usage: { input: 25, cached: 0, output: 15 },
    model: "claude-sonnet-5-5",
  },
  "tool-use.sse": {
    message: {
      content: "Okay, let's check the weather for San Francisco, CA:",
      tool_calls: [
        call(
          "toolu_01T1x1fJ34qAmk2tNTrN7Up6",
          "get_weather",
          '{"location": "San Francisco, CA", "unit": "fahrenheit"}',
        ),
      ],
    },
    stop: "tool-calls",
    usage: { input: 472, cached: 0, output: 89 },
  },
  "parallel-tools.sse": {
    message: {
      content: null,
      tool_calls: [
        call("toolu_01", "get_weather", '{"location": "Paris"}'),
        call("toolu_02", "get_time", "{}"),
      ],
    },
    stop: "tool-calls",
  },
  "thinking.sse": {
    message: {
      content: "The greatest common divisor is **21**.",
      thinking_blocks: [{ type: "thinking", thinking: gcd, signature: gcdSignature }],
    },
    stop: "stop",
    reasoning: gcd,
  },
  "thinking-omitted.sse": {
    message: {
      content: "21.",
      thinking_blocks: [{ type: "thinking", thinking: "", signature: "EosnCkYICxIMMb3LzNrMu" }],
    },
    stop: "stop",
    reasoning: "",
  },
  "redacted-thinking.sse": {
    message: {
      content: "Here is the answer.",
      thinking_blocks: [
        { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw" },
      ],
    },
    stop: "stop",
    model: "claude-3-7-sonnet-20250219",
  },
  "interleaved-thinking.sse": {
    message: {
      content: "Let me look.\n\nI need the tool.",
      tool_calls: [call("toolu_09", "calculator", '{"expression": "150*50"}')],
      thinking_blocks: [
        { type: "thinking", thinking: "First I look.", signature: "sig-one" },
        { type: "thinking", thinking: "Now I compute.", signature: "sig-two" },
      ],
    },
    stop: "tool-calls",
    reasoning: "First I look.\n\nNow I compute.",
  },
  "unsigned-thinking.sse": {
    message: { content: "Done.", reasoning_content: "Let me think." },
    stop: "stop",
    reasoning: "Let me think.",
  },
  "inline-thinking.sse": {
    message: { content: "The answer is 4.", reasoning_content: "I wonder." },
    stop: "stop",
    reasoning: "I wonder.",
  },
  "overloaded.sse": {
    message: { content: "One mo" },
    stop: "error",
    usage: { input: 25, cached: 0, output: 1 },
    error: { kind: "overloaded" },
  },
  "overloaded-at-once.sse": { message: { content: null }, stop: "error", error: { kind: "overloaded" } },
  "max-tokens.sse": { message: { content: "I will write the file." }, stop: "length" },
  "refusal.sse": { message: { content: "I can't help" }, stop: "refusal" },
  "stop-sequence.sse": { message: { content: "1, 2, 3" }, stop: "stop" },
  "pause-turn.sse": { message: { content: "Searching further" }, stop: "length" },
  "context-window-exceeded.sse": { message: { content: "As far as I got" }, stop: "length" },
  "broken-off.sse": {
    message: { content: "Half a sen" },
    stop: "error",
    error: { kind: "connection" },
  },
  "no-message-stop.sse": { message: { content: "Hello" }, stop: "stop" },
  "cached-usage.sse": {
    message: { content: "ok" },
    stop: "stop",
    usage: { input: 2098, cached: 1800, output: 503 },
  },
  "unknown-events.sse": { message: { content: "Cited" }, stop: "stop" },
  "adjacent-text.sse": {
    message: { content: "According to the document, the grass is green and the sky is blue." },
    stop: "stop",
  },
  "input-at-once.sse": {
    message: { tool_calls: [call("call_function_1", "list_dir", '{"path":"."}')] },
    stop: "tool-calls",
    model: "MiniMax-M2.7",
  },
  "nameless-call.sse": { message: { content: null }, stop: "stop", malformedCalls: 1 },
  "broken-arguments.sse": {
    message: { tool_calls: [call("toolu_06", "write_file", '{"path":"a.md","content":"x"}')] },
    stop: "tool-calls",
  },
  "whole-message.json": {
    message: {
      content: "Hi! My name is Claude.",
      tool_calls: [call("toolu_07", "get_time", '{"zone":"UTC"}')],
      thinking_blocks: [{ type: "thinking", thinking: "Short.", signature: "sig-whole" }],
    },
    stop: "tool-calls",
    usage: { input: 2095, cached: 0, output: 503 },
    reasoning: "Short.",
  },
};

function check({ reply, text, reasoning }: Awaited<ReturnType<typeof replay>>, expected: Expected): void {
  const { message, error, reasoning: thought, ...rest } = expected;
  expect(reply.message).toEqual({ role: "assistant", content: null, ...message });
  expect(reply).toMatchObject(rest);
  expect(reply.malformedCalls).toBe(expected.malformedCalls);
  expect(text).toBe(reply.message.content ?? "");
  if (thought !== undefined) expect(reasoning).toBe(thought);
  if (error === undefined) expect(reply.error).toBeUndefined();
  else expect(reply.error).toMatchObject({ host: "Example", ...error });
}

describe("recorded replies", () => {
  it("each have an expectation and name their source", async () => {
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual(Object.keys(expectations).toSorted());
    for (const file of files) {
      expect(await readFile(`${folder}/${file}`, "utf8")).toMatch(/^(: source: |\{\s+"source": ")https:\/\//);
    }
  });

  it.each(Object.keys(expectations))("%s is read whole and byte by byte alike", async (file) => {
    const bytes = await readFile(`${folder}/${file}`);
    const expected = expectations[file] as Expected;
    check(await replay(bytes), expected);
    check(await replay([...bytes].map((byte) => Uint8Array.of(byte))), expected);
  });

  it("do not depend on how the network cuts them", async () => {
    const names = ["text.sse", "tool-use.sse", "interleaved-thinking.sse", "inline-thinking.sse"];
    const files = await Promise.all(names.map((name) => readFile(`${folder}/${name}`)));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: names.length - 1 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 }),
        async (which, sizes) => {
          const name = names[which] as string;
          check(await replay(cut(files[which] as Buffer, sizes)), expectations[name] as Expected);
        },
      ),
      { numRuns: cases(60) },
    );
  });
});

function cut(bytes: Uint8Array, sizes: number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(from)].filter((piece) => piece.length > 0);
}

describe("while it streams", () => {
  it("tells text, reasoning and the growth of calls as they come", async () => {
    const bytes = await readFile(`${folder}/interleaved-thinking.sse`);
    const { events } = await replay(bytes);
    expect(events.slice(0, -1)).toEqual([
      { type: "alive" },
      { type: "reasoning-delta", text: "First I look." },
      { type: "text-delta", text: "Let me look." },
      { type: "reasoning-delta", text: "\n\nNow I compute." },
      { type: "text-delta", text: "\n\nI need the tool." },
      { type: "tool-call-delta", index: 0, name: "calculator" },
      { type: "tool-call-delta", index: 0, argumentsDelta: '{"expression": "150*50"}' },
    ]);
  });

  it("numbers parallel calls among themselves, not among the blocks", async () => {
    const { events } = await replay(await readFile(`${folder}/tool-use.sse`));
    const calls = events.filter((event) => event.type === "tool-call-delta");
    expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0]));
  });

  it("ends at the last event even if the connection stays open", async () => {
    const { reply } = await replay(await readFile(`${folder}/text.sse`), { end: "hold" });
    expect(reply.stop).toBe("stop");
  });
});
