import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  collectReply,
  connectTo,
  createTestHost,
  createTestRequest,
} from "../../../test/support/model-connection.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import type { Quirks } from "../hosts/host.ts";
import type { AssistantMessage, Message, ModelRequest, ToolDefinition, ToolMessage } from "../types.ts";
import { createOpenAIChat, toOpenAIBody } from "./chat.ts";

interface WireBody {
  [field: string]: unknown;
  messages: Array<Record<string, unknown>>;
  tools?: Array<Record<string, unknown>>;
}

function bodyOf(request: Partial<ModelRequest>, quirks: Quirks = {}): WireBody {
  return toOpenAIBody(createTestRequest(request), createTestHost({ quirks })) as WireBody;
}

function messagesOf(messages: readonly Message[], quirks: Quirks = {}) {
  return bodyOf({ messages }, quirks).messages;
}

const system: Message = { role: "system", content: "Be brief." };
const user: Message = { role: "user", content: "Hello" };
const called: AssistantMessage = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "m3k2j1.2.0", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
  ],
};
const result: ToolMessage = {
  role: "tool",
  tool_call_id: "m3k2j1.2.0",
  name: "read_file",
  content: "text of a",
};
const answer: Message = { role: "assistant", content: "Hi." };
const tools: ToolDefinition[] = [
  { name: "read_file", description: "Reads", parameters: { type: "object", properties: {} } },
  { name: "exec", description: "Runs", parameters: { type: "object", properties: {} } },
];

describe("the body", () => {
  it("holds what was asked and nothing of ours", () => {
    expect(bodyOf({ temperature: 0.1, tools })).toEqual({
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
      ],
      tools: [
        { type: "function", function: tools[0] },
        { type: "function", function: tools[1] },
      ],
      max_tokens: 1000,
      temperature: 0.1,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("keeps the tools but forbids calls when asked to", () => {
    expect(bodyOf({ tools, toolChoice: "none" })).toMatchObject({ tools: [{}, {}], tool_choice: "none" });
    expect(bodyOf({ toolChoice: "none" })).not.toHaveProperty("tool_choice");
  });

  it.each<[title: string, quirks: Quirks, request: Partial<ModelRequest>, expected: Record<string, unknown>]>(
    [
      [
        "max_completion_tokens always",
        { maxCompletionTokens: true },
        {},
        { max_completion_tokens: 1000, max_tokens: undefined },
      ],
      [
        "max_completion_tokens by model",
        { maxCompletionTokens: /^o\d/ },
        { model: "o4-mini" },
        { max_completion_tokens: 1000, max_tokens: undefined },
      ],
      [
        "max_tokens for other models",
        { maxCompletionTokens: /^o\d/ },
        { model: "gpt-4o" },
        { max_tokens: 1000, max_completion_tokens: undefined },
      ],
      [
        "no temperature where it is rejected",
        { rejectsTemperature: /^o\d/ },
        { model: "o3", temperature: 1 },
        { temperature: undefined },
      ],
      [
        "no stream_options where they are rejected",
        { noStreamOptions: true },
        {},
        { stream_options: undefined },
      ],
      [
        "no thinking fields when nothing is said",
        {},
        {},
        { reasoning_effort: undefined, thinking: undefined, reasoning: undefined },
      ],
      ["an effort", {}, { reasoningEffort: "high" }, { reasoning_effort: "high" }],
      ["no effort for adaptive", {}, { reasoningEffort: "adaptive" }, { reasoning_effort: undefined }],
      [
        "thinking_type on",
        { thinkingStyle: "thinking_type" },
        { reasoningEffort: "low" },
        { thinking: { type: "enabled" }, reasoning_effort: "low" },
      ],
      [
        "thinking_type off",
        { thinkingStyle: "thinking_type" },
        { reasoningEffort: "none" },
        { thinking: { type: "disabled" }, reasoning_effort: undefined },
      ],
      [
        "enable_thinking on",
        { thinkingStyle: "enable_thinking" },
        { reasoningEffort: "medium" },
        { enable_thinking: true, reasoning_effort: undefined },
      ],
      [
        "enable_thinking off",
        { thinkingStyle: "enable_thinking" },
        { reasoningEffort: "none" },
        { enable_thinking: false },
      ],
      [
        "reasoning_split without being asked",
        { thinkingStyle: "reasoning_split" },
        {},
        { reasoning_split: true },
      ],
      [
        "OpenRouter's effort",
        { thinkingStyle: "openrouter" },
        { reasoningEffort: "high" },
        { reasoning: { effort: "high" }, reasoning_effort: undefined },
      ],
      [
        "OpenRouter's own choice",
        { thinkingStyle: "openrouter" },
        { reasoningEffort: "adaptive" },
        { reasoning: { enabled: true } },
      ],
      [
        "no effort together with tools where that is rejected",
        { noEffortWithTools: /^gpt-6/ },
        { model: "gpt-6", reasoningEffort: "high", tools },
        { reasoning_effort: "none" },
      ],
      [
        "an effort without tools there",
        { noEffortWithTools: /^gpt-6/ },
        { model: "gpt-6", reasoningEffort: "high" },
        { reasoning_effort: "high" },
      ],
    ],
  )("has %s", (_title, quirks, request, expected) => {
    const body = bodyOf(request, quirks);
    for (const [field, value] of Object.entries(expected)) expect(body[field], field).toEqual(value);
  });
});

describe("a message", () => {
  it("loses every field that is not the protocol's", () => {
    const extra = { id: "t1.0", turn: "t1", at: 1, timestamp: "2026-08-01T10:00:00", thinking_blocks: [] };
    const messages = [system, user, called, result].map((message) => ({ ...message, ...extra })) as Message[];
    expect(messagesOf(messages)).toEqual(messagesOf([system, user, called, result]));
    expect(JSON.stringify(messagesOf(messages))).not.toContain("timestamp");
  });

  it("with only calls has null, or an empty string where a host wants that", () => {
    expect(messagesOf([user, called, result])[1]).toMatchObject({ role: "assistant", content: null });
    expect(messagesOf([user, called, result], { emptyContent: "empty-string" })[1]?.content).toBe("");
  });

  it.each<[title: string, messages: Message[]]>([
    ["a user's", [{ role: "user", content: " \n" }]],
    ["a user's in parts", [{ role: "user", content: [{ type: "text", text: "" }] }]],
    ["a tool's", [user, called, { ...result, content: "" }]],
    ["an answer", [user, { role: "assistant", content: " " }, user]],
  ])("that is blank says so: %s", (_title, messages) => {
    expect(JSON.stringify(messagesOf(messages))).toContain("(empty)");
  });

  it("with parts is joined for hosts that take only strings, without the images", () => {
    const parts: Message = {
      role: "user",
      content: [
        { type: "text", text: "Look:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        { type: "text", text: "What is it?" },
      ],
    };
    expect(messagesOf([parts], { stringContent: true })[0]?.content).toBe(
      "Look:\n\n[An image is not shown here.]\n\nWhat is it?",
    );
    expect(messagesOf([parts])[0]?.content).toEqual(parts.content);
  });

  it("of a tool with images sends them after all results, because a result cannot hold them", () => {
    const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AA==" } };
    const seen: Message = { ...result, content: [{ type: "text", text: "a.png" }, image] } as Message;
    const wire = messagesOf([user, called, seen, result, answer, user]);
    expect(wire.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "assistant",
      "user",
    ]);
    expect(wire[2]?.content).toEqual([
      { type: "text", text: "a.png" },
      { type: "text", text: "[The image follows in the next message.]" },
    ]);
    expect(wire[4]?.content).toEqual([image]);
  });

  it("joins its neighbour of the same role", () => {
    expect(messagesOf([user, { role: "user", content: "again" }])).toEqual([
      { role: "user", content: "Hello\n\nagain" },
    ]);
    expect(messagesOf([user, answer, answer, user])[1]).toEqual({ role: "assistant", content: "Hi.\n\nHi." });
  });

  it("of the assistant is neither the first nor the last word", () => {
    expect(messagesOf([system, answer, user, answer])).toEqual([
      system,
      { role: "user", content: "(conversation continued)" },
      { role: "assistant", content: "Hi." },
      { role: "user", content: "Hello" },
    ]);
  });
});

describe("reasoning of earlier replies", () => {
  const thought: Message = { ...answer, reasoning_content: "hm" } as Message;
  const history = [user, thought, user, answer, user];

  it.each<[title: string, quirks: Quirks, first: object, second: object]>([
    ["is sent back where there is some", {}, { reasoning_content: "hm" }, {}],
    [
      "is filled in where a host demands it",
      { reasoningReplay: "backfill" },
      { reasoning_content: "hm" },
      { reasoning_content: "" },
    ],
    ["is dropped where a host rejects it", { reasoningReplay: "drop" }, {}, {}],
    ["has OpenRouter's name there", { thinkingStyle: "openrouter" }, { reasoning: "hm" }, {}],
    [
      "has MiniMax's form there",
      { thinkingStyle: "reasoning_split" },
      { reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
      {},
    ],
  ])("%s", (_title, quirks, first, second) => {
    const wire = messagesOf(history, quirks);
    expect(wire[1]).toEqual({ role: "assistant", content: "Hi.", ...first });
    expect(wire[3]).toEqual({ role: "assistant", content: "Hi.", ...second });
  });

  it("comes back with its signatures, which travelled with the call", () => {
    const details = [{ type: "reasoning.text", text: "hm", signature: "s" }];
    const signed = withExtra({ reasoning_details: details, google: { thought_signature: "g" } });
    const [, wire] = messagesOf([user, signed, result], { thinkingStyle: "openrouter" });
    expect(wire).toMatchObject({
      reasoning_details: details,
      tool_calls: [{ extra_content: { google: { thought_signature: "g" } } }],
    });
    const [, plain] = messagesOf([user, withExtra({ reasoning_details: details }), result]);
    expect(JSON.stringify(plain)).not.toContain("signature");
  });

  it("is marked as foreign for a host that rejects calls without a signature", () => {
    const foreign = { google: { thought_signature: "skip_thought_signature_validator" } };
    const [, wire] = messagesOf([user, called, result], { unsignedCall: foreign });
    expect(wire?.tool_calls).toMatchObject([{ extra_content: foreign }]);
    const own = { google: { thought_signature: "own" } };
    const [, signed] = messagesOf([user, withExtra(own), result], { unsignedCall: foreign });
    expect(signed?.tool_calls).toMatchObject([{ extra_content: own }]);
  });

  it("goes back to Gemini as it came, and to no host that rejects such fields", () => {
    const extra = { google: { thought_signature: "abc" } };
    const history = [user, withExtra(extra), result];
    expect(messagesOf(history)[1]?.tool_calls).toMatchObject([{ extra_content: extra }]);
    expect(JSON.stringify(messagesOf(history, { reasoningReplay: "drop" }))).not.toContain("extra_content");
  });
});

function withExtra(extra_content: unknown): Message {
  const [call] = called.tool_calls ?? [];
  return { ...called, tool_calls: [{ ...call, extra_content }] } as Message;
}

describe("ids of calls", () => {
  function idsOf(id: string, quirks: Quirks): unknown[] {
    const [call] = called.tool_calls ?? [];
    const wire = messagesOf(
      [
        user,
        { ...called, tool_calls: [{ ...call, id }] } as Message,
        { ...result, tool_call_id: id } as Message,
      ],
      quirks,
    );
    const calls = wire[1]?.tool_calls as Array<{ id: string }>;
    return [calls[0]?.id, wire[2]?.tool_call_id];
  }

  it("are ours where a host takes them", () => {
    expect(idsOf("m3k2j1.2.0", {})).toEqual(["m3k2j1.2.0", "m3k2j1.2.0"]);
    expect(idsOf("m3k2j1.2.0", { cacheMarks: true })).toEqual(["m3k2j1_2_0", "m3k2j1_2_0"]);
  });

  it.each<[title: string, quirks: Quirks, alphabet: RegExp]>([
    ["Mistral", { toolCallIds: "nine-alphanumeric" }, /^[A-Za-z0-9]{9}$/],
    ["Claude behind a gateway", { cacheMarks: true }, /^[A-Za-z0-9_-]{1,40}$/],
    ["any host", {}, /^[\x21-\x7e]{1,40}$/],
  ])(
    "fit %s, are the same for a call and its result, and differ when they differ",
    (_title, quirks, alphabet) => {
      const id = fc.string({ minLength: 1, maxLength: 90, unit: "grapheme" });
      fc.assert(
        fc.property(id, id, (first, second) => {
          const [call, answered] = idsOf(first, quirks);
          expect(call).toMatch(alphabet);
          expect(answered).toBe(call);
          expect(idsOf(first, quirks)[0]).toBe(call);
          if (first !== second) expect(idsOf(second, quirks)[0]).not.toBe(call);
        }),
      );
    },
  );
});

describe("prompt-cache marks", () => {
  const marks: Quirks = { cacheMarks: /claude/ };
  const claude = "anthropic/claude-sonnet-5.5";

  function markedPlaces(messages: readonly Message[]): number[] {
    const wire = bodyOf({ messages, model: claude }, marks).messages;
    return wire.flatMap(({ content }, index) =>
      JSON.stringify(content).includes("cache_control") ? [index] : [],
    );
  }

  it("are on the system message, the last tool, and the ends of this and the previous request", () => {
    const body = bodyOf({ messages: [system, user, called, result], tools, model: claude }, marks);
    expect(body.messages[0]?.content).toEqual([
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
    ]);
    expect(body.tools?.map((tool) => "cache_control" in tool)).toEqual([false, true]);
    expect(markedPlaces([system, user, called, result])).toEqual([0, 1, 3]);
    expect(markedPlaces([system, user, called, result, answer, user])).toEqual([0, 3, 5]);
    expect(markedPlaces([system, user])).toEqual([0, 1]);
  });

  it("are not sent for other models", () => {
    expect(JSON.stringify(bodyOf({ tools, model: "openai/gpt-5" }, marks))).not.toContain("cache_control");
  });
});

describe("what was sent once", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 });
  const step = fc.record({ question: text, calls: fc.array(text, { maxLength: 3 }), answer: text });
  const quirks = fc.constantFrom<Quirks>(
    {},
    { cacheMarks: true },
    { stringContent: true, reasoningReplay: "backfill" },
    { toolCallIds: "nine-alphanumeric", reasoningReplay: "drop" },
    { thinkingStyle: "openrouter" },
  );

  it("is sent again byte for byte, with the new after it, marks apart", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), quirks, (steps, quirk) => {
        const messages: Message[] = [system];
        let sent: string[] = [];
        for (const [index, { question, calls, answer: said }] of steps.entries()) {
          messages.push({ role: "user", content: question });
          sent = expectPrefix(sent, messages, quirk);
          if (calls.length > 0) {
            messages.push(...toToolRound(calls, `t${index}`));
            sent = expectPrefix(sent, messages, quirk);
          }
          messages.push({ role: "assistant", content: said, reasoning_content: "hm" });
        }
      }),
    );
  });

  function expectPrefix(before: string[], messages: Message[], quirk: Quirks): string[] {
    const now = messagesOf(messages, quirk).map((message) =>
      JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value)),
    );
    expect(now.slice(0, before.length)).toEqual(before);
    return now;
  }
});

function toToolRound(calls: readonly string[], turn: string): Message[] {
  const ids = calls.map((_, index) => `${turn}.0.${index}`);
  const tool_calls = ids.map((id) => ({
    id,
    type: "function" as const,
    function: { name: "exec", arguments: "{}" },
  }));
  const results = calls.map(
    (content, index): Message => ({
      role: "tool",
      tool_call_id: ids[index] ?? "",
      name: "exec",
      content,
    }),
  );
  return [{ role: "assistant", content: null, tool_calls }, ...results];
}

describe("a request on the wire", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nanobot-wire-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("goes to the right address with the key, and with stored images as data", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    await writeFile(join(folder, "a.png"), png);
    const image = (name: string) => ({
      type: "image_url" as const,
      image_url: { url: pathToFileURL(join(folder, name)).href, detail: "low" },
    });
    await using server = await startWireServer({ chunks: "data: [DONE]\n\n" });
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "See" }, image("a.png"), image("gone.png")] },
    ];
    await collectReply(createOpenAIChat(connectTo(`${server.url}/v1`)), createTestRequest({ messages }));
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", url: "/v1/chat/completions" });
    expect(request?.headers.authorization).toBe("Bearer test-key-0123456789");
    expect(request?.json.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          {
            type: "image_url",
            image_url: { url: `data:image/png;base64,${png.toString("base64")}`, detail: "low" },
          },
          { type: "text", text: "[An image was here; its file is no longer available.]" },
        ],
      },
    ]);
    expect(request?.body).not.toContain("cli:direct");
  });

  it("has no authorization without a key", async () => {
    await using server = await startWireServer({ chunks: "data: [DONE]\n\n" });
    await collectReply(createOpenAIChat(connectTo(server.url, {}, { apiKey: undefined })));
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });
});
