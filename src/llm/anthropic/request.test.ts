import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import type { Connection, Host } from "../hosts/host.ts";
import { findHost } from "../hosts/hosts.ts";
import type {
  Message,
  ModelRequest,
  ReasoningEffort,
  ThinkingBlock,
  ToolCall,
  ToolDefinition,
} from "../types.ts";
import { createAnthropicMessages } from "./messages.ts";

const anthropic = findHost("anthropic") as Host;
const answer = { chunks: 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n' };

interface Block {
  type: string;
  [field: string]: unknown;
}

interface Body {
  messages: Array<{ role: string; content: Block[] }>;
  [field: string]: unknown;
}

interface Sent {
  path: string;
  headers: Record<string, unknown>;
  raw: string;
  body: Body;
}

interface Target {
  host?: Partial<Host>;
  base?: string;
  connection?: Partial<Connection>;
}

/** What really goes over the wire. */
async function send(request: Partial<ModelRequest>, target: Target = {}): Promise<Sent> {
  const { host = {}, base = "", connection = {} } = target;
  await using server = await startWireServer(answer);
  const provider = createAnthropicMessages(connectTo(server.url + base, host, connection));
  await collectReply(provider, createTestRequest(request));
  const [sent] = server.requests;
  if (sent === undefined) throw new Error("nothing was sent");
  return { path: sent.url, headers: sent.headers, raw: sent.body, body: sent.json as Body };
}

async function sendMessages(...messages: Message[]) {
  return (await send({ messages })).body.messages;
}

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string | null, ...calls: ToolCall[]): Message =>
  calls.length === 0 ? { role: "assistant", content } : { role: "assistant", content, tool_calls: calls };
const result = (id: string, content: string): Message => ({
  role: "tool",
  tool_call_id: id,
  name: "read",
  content,
});
const call = (id: string, json = "{}"): ToolCall => ({
  id,
  type: "function",
  function: { name: "read", arguments: json },
});
const text = (content: string) => ({ type: "text", text: content });
const tool: ToolDefinition = {
  name: "read",
  description: "Reads",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

describe("the address", () => {
  it.each([
    ["", "/v1/messages"],
    ["/", "/v1/messages"],
    ["/anthropic", "/anthropic/v1/messages"],
    ["/coding/v1", "/coding/v1/messages"],
    ["/v1/", "/v1/messages"],
    ["/proxy/v1/messages", "/proxy/v1/messages"],
  ])("of base %j is %s", async (base, path) => {
    expect((await send({}, { base })).path).toBe(path);
  });

  it.each(["anthropic", "kimi_coding", "minimax_anthropic", "minimax_anthropic_cn"])(
    "of %s ends as its documentation says",
    async (name) => {
      const base = new URL(findHost(name)?.baseUrl ?? "").pathname.replace(/\/$/, "");
      expect((await send({}, { base })).path).toMatch(/^(\/coding|\/anthropic)?\/v1\/messages$/);
    },
  );
});

describe("the headers", () => {
  it("carry version and key, and nothing of the ledger's", async () => {
    const { headers, raw } = await send({});
    expect(headers).toMatchObject({
      "anthropic-version": "2023-06-01",
      "x-api-key": "test-key-0123456789",
      "content-type": "application/json",
    });
    expect(headers.authorization).toBeUndefined();
    expect(raw).not.toContain("attribution");
  });

  it("carry no key where there is none", async () => {
    expect((await send({}, { connection: { apiKey: undefined } })).headers["x-api-key"]).toBeUndefined();
  });

  it("carry what the host and the user ask for", async () => {
    const host = { quirks: { headers: { "User-Agent": "claude-code/0.1.0" } } };
    const connection = { extraHeaders: { authorization: "Bearer mine" } };
    const { headers } = await send({}, { host, connection });
    expect(headers).toMatchObject({ "user-agent": "claude-code/0.1.0", authorization: "Bearer mine" });
  });

  it("name the beta feature with the user's only where it is used", async () => {
    const connection = { extraHeaders: { "Anthropic-Beta": "context-1m" } };
    const bound = await send({ model: "claude-opus-5-5" }, { host: anthropic, connection });
    expect(bound.headers["anthropic-beta"]).toBe("context-1m,thinking-binding-controls-2026-08-01");
    const plain = await send({ model: "claude-opus-4-5" }, { host: anthropic });
    expect(plain.headers["anthropic-beta"]).toBeUndefined();
  });
});

describe("the body", () => {
  it("has the system apart, the tools in their order, and streams", async () => {
    const other = { ...tool, name: "another", description: "" };
    const { body } = await send({ tools: [tool, other], temperature: 0.1 });
    expect(body).toEqual({
      model: "test-model",
      max_tokens: 1000,
      system: [text("Be brief.")],
      messages: [{ role: "user", content: [text("Hello")] }],
      tools: [
        { name: "read", description: "Reads", input_schema: tool.parameters },
        { name: "another", input_schema: tool.parameters },
      ],
      temperature: 0.1,
      stream: true,
    });
  });

  it("leaves out what there is none of", async () => {
    const { body } = await send({ messages: [{ role: "system", content: " " }, user("Hi")], tools: [] });
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "messages", "stream"]);
  });

  it("keeps the tools but forbids calls", async () => {
    const { body } = await send({ tools: [tool], toolChoice: "none" });
    expect(body.tool_choice).toEqual({ type: "none" });
    expect(body.tools).toHaveLength(1);
    expect((await send({ toolChoice: "none" })).body.tool_choice).toBeUndefined();
  });

  it("gives a schema without a type the one that is demanded", async () => {
    const { body } = await send({ tools: [{ ...tool, parameters: { properties: {} } }] });
    expect(body.tools).toMatchObject([{ input_schema: { type: "object", properties: {} } }]);
  });

  it("carries the fields of the user's own", async () => {
    const { body } = await send({}, { connection: { extraBody: { service_tier: "auto" } } });
    expect(body.service_tier).toBe("auto");
  });

  it("replaces lone surrogates", async () => {
    const { raw } = await send({ messages: [user("a\ud83d b")] });
    expect(raw).toContain("a\ufffd b");
  });
});

describe("messages", () => {
  it("merge the results of parallel calls and what the user says next, results first", async () => {
    const messages = await sendMessages(
      user("Read both"),
      assistant("I read.", call("t1.0.0", '{"path":"a"}'), call("t1.0.1", '{"path":"b"}')),
      result("t1.0.0", "A"),
      result("t1.0.1", "B"),
      user("and hurry"),
    );
    expect(messages).toEqual([
      { role: "user", content: [text("Read both")] },
      {
        role: "assistant",
        content: [
          text("I read."),
          { type: "tool_use", id: "t1_0_0", name: "read", input: { path: "a" } },
          { type: "tool_use", id: "t1_0_1", name: "read", input: { path: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1_0_0", content: [text("A")] },
          { type: "tool_result", tool_use_id: "t1_0_1", content: [text("B")] },
          text("and hurry"),
        ],
      },
    ]);
  });

  it("put a result before words that came in between", async () => {
    const messages = await sendMessages(
      user("a"),
      assistant(null, call("c1")),
      user("hurry"),
      result("c1", "A"),
    );
    expect(messages[2]?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
  });

  it("alternate: equal roles in a row become one turn", async () => {
    const messages = await sendMessages(user("a"), user("b"), assistant("c"), assistant("d"), user("e"));
    expect(messages).toEqual([
      { role: "user", content: [text("a"), text("b")] },
      { role: "assistant", content: [text("c"), text("d")] },
      { role: "user", content: [text("e")] },
    ]);
  });

  it("never begin with an answer and never end with one", async () => {
    const messages = await sendMessages(assistant("Hello!"), user("Hi"), assistant("I was saying"));
    expect(messages).toEqual([
      { role: "user", content: [text("(conversation continued)")] },
      { role: "assistant", content: [text("Hello!")] },
      { role: "user", content: [text("Hi")] },
    ]);
  });

  it("have no empty blocks and no empty turns", async () => {
    const blank: Message = { role: "user", content: [{ type: "text", text: " \n" }] };
    const messages = await sendMessages(user(""), assistant("  "), assistant(null), blank, user("x"));
    expect(messages).toEqual([{ role: "user", content: [text("(empty)"), text("(empty)"), text("x")] }]);
  });

  it("are never none", async () => {
    expect(await sendMessages()).toEqual([{ role: "user", content: [text("(empty)")] }]);
  });

  it("leave out the content of an empty result", async () => {
    const messages = await sendMessages(user("a"), assistant(null, call("c1")), result("c1", " "));
    expect(messages[2]?.content).toEqual([{ type: "tool_result", tool_use_id: "c1" }]);
  });

  it("give a call without usable arguments an empty object", async () => {
    const messages = await sendMessages(
      user("a"),
      assistant(null, call("c1", "[1]"), call("c2", "{")),
      result("c1", "x"),
    );
    expect(messages[1]?.content.map(({ input }) => input)).toEqual([{}, {}]);
  });

  it("put ids into the alphabet without letting two become one", async () => {
    const ids = ["t1.0.0", "t1_0_0", "t1-0-0", "t1.0_0", "", "工具", "x".repeat(80)];
    const calls = ids.map((id) => call(id));
    const messages = await sendMessages(
      user("a"),
      assistant(null, ...calls),
      ...ids.map((id) => result(id, id || "-")),
    );
    const used = messages[1]?.content.map(({ id }) => id) ?? [];
    const answered = messages[2]?.content.map(({ tool_use_id }) => tool_use_id);
    expect(answered).toEqual(used);
    expect(new Set(used).size).toBe(ids.length);
    for (const id of used) expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(used.slice(0, 3)).toEqual(["t1_0_0", "t1_0_0_", "t1-0-0"]);
  });
});

describe("thinking of earlier replies", () => {
  const signed: ThinkingBlock = { type: "thinking", thinking: "Hm.", signature: "sig" };
  const omitted: ThinkingBlock = { type: "thinking", thinking: "", signature: "sig2" };
  const sealed: ThinkingBlock = { type: "redacted_thinking", data: "opaque" };

  it("comes back first, exactly as it was, sealed and omitted blocks too", async () => {
    const messages = await sendMessages(
      user("a"),
      {
        role: "assistant",
        content: "b",
        tool_calls: [call("c1")],
        thinking_blocks: [signed, sealed, omitted],
      },
      result("c1", "x"),
    );
    expect(messages[1]?.content).toEqual([
      signed,
      sealed,
      omitted,
      text("b"),
      { type: "tool_use", id: "c1", name: "read", input: {} },
    ]);
  });

  it("stays away when nobody signed it or another protocol wrote it", async () => {
    const messages = await sendMessages(
      user("a"),
      {
        role: "assistant",
        content: "b",
        reasoning_content: "of another protocol",
        thinking_blocks: [{ type: "thinking", thinking: "unsigned" }, { type: "redacted_thinking" }],
      },
      user("c"),
    );
    expect(messages[1]?.content).toEqual([text("b")]);
  });

  it("carries no fields that the service did not give", async () => {
    const block = { ...signed, extra: 1 } as ThinkingBlock;
    const messages = await sendMessages(
      user("a"),
      { role: "assistant", content: "b", thinking_blocks: [block] },
      user("c"),
    );
    expect(messages[1]?.content[0]).toEqual(signed);
  });

  it("alone is no answer", async () => {
    const messages = await sendMessages(
      user("a"),
      { role: "assistant", content: null, thinking_blocks: [signed] },
      user("c"),
    );
    expect(messages).toEqual([{ role: "user", content: [text("a"), text("c")] }]);
  });
});

describe("the effort", () => {
  const bound = {
    type: "adaptive",
    display: "summarized",
    block_binding: { prefix_mismatch_behavior: "drop_block" },
  };
  const adaptive = { type: "adaptive", display: "summarized" };
  const budget = (budget_tokens: number) => ({ type: "enabled", budget_tokens });

  type Row = [model: string, effort: ReasoningEffort | undefined, body: Record<string, unknown>];

  it.each<Row>([
    ["claude-opus-4-5", undefined, { max_tokens: 8000, temperature: 0.1 }],
    ["claude-opus-4-5", "none", { max_tokens: 8000, temperature: 0.1 }],
    ["claude-opus-4-5", "minimal", { max_tokens: 8000, thinking: budget(1024) }],
    ["claude-opus-4-5", "low", { max_tokens: 8000, thinking: budget(1024) }],
    ["claude-opus-4-5", "medium", { max_tokens: 8192, thinking: budget(4096) }],
    ["claude-opus-4-5", "high", { max_tokens: 12_288, thinking: budget(8192) }],
    ["claude-opus-4-5", "max", { max_tokens: 12_288, thinking: budget(8192) }],
    ["claude-opus-4-5", "adaptive", { max_tokens: 8000, thinking: { type: "adaptive" } }],
    ["claude-opus-4-6", undefined, { max_tokens: 8000, temperature: 0.1 }],
    [
      "claude-opus-4-6",
      "medium",
      { max_tokens: 8000, thinking: adaptive, output_config: { effort: "medium" } },
    ],
    ["claude-opus-4-6", "adaptive", { max_tokens: 8000, thinking: adaptive }],
    ["claude-opus-4-7", undefined, { max_tokens: 8000 }],
    [
      "claude-opus-4-7",
      "xhigh",
      { max_tokens: 8000, thinking: adaptive, output_config: { effort: "xhigh" } },
    ],
    ["claude-sonnet-5", "none", { max_tokens: 8000, output_config: { effort: "low" } }],
    ["claude-opus-5-5", undefined, { max_tokens: 8000, thinking: bound }],
    ["claude-opus-5-5", "none", { max_tokens: 8000, thinking: bound, output_config: { effort: "low" } }],
    ["claude-opus-5-5", "max", { max_tokens: 8000, thinking: bound, output_config: { effort: "max" } }],
  ])("for %s of %s becomes %j", async (model, reasoningEffort, expected) => {
    const request = { model, reasoningEffort, maxTokens: 8000, temperature: 0.1 };
    const { model: _, messages, system, stream, ...rest } = (await send(request, { host: anthropic })).body;
    expect(rest).toEqual(expected);
  });

  it("raises a large output cap above its budget", async () => {
    const request = { model: "claude-opus-4-5", reasoningEffort: "high", maxTokens: 20_000 } as const;
    const { body } = await send(request, { host: anthropic });
    expect(body).toMatchObject({ max_tokens: 24_096, thinking: budget(20_000) });
  });

  it("with a budget rests while a round of calls is under way that began without thinking", async () => {
    const request = { model: "claude-opus-4-5", reasoningEffort: "low" } as const;
    const begun = [user("a"), assistant(null, call("c1")), result("c1", "x")];
    expect((await send({ ...request, messages: begun }, { host: anthropic })).body.thinking).toBeUndefined();
    const thoughts = [{ type: "thinking", thinking: "Hm.", signature: "s" }] as const;
    const signed = begun.map((message) =>
      message.role === "assistant" ? { ...message, thinking_blocks: [...thoughts] } : message,
    );
    expect((await send({ ...request, messages: signed }, { host: anthropic })).body.thinking).toEqual(
      budget(1024),
    );
  });
});

describe("images", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const image = (url: string) => ({ type: "image_url", image_url: { url, detail: "high" } }) as const;
  const base64 = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: png.toString("base64") },
  };

  it("go as base64 or as an address, in messages and in results", async () => {
    const data = `data:image/png;base64,${png.toString("base64")}`;
    const messages = await sendMessages(
      {
        role: "user",
        content: [{ type: "text", text: "Look" }, image(data), image("https://example.com/a.png")],
      },
      assistant(null, call("c1")),
      { role: "tool", tool_call_id: "c1", name: "read", content: [image(data.replace("png", "jpg"))] },
    );
    expect(messages[0]?.content).toEqual([
      text("Look"),
      base64,
      { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
    ]);
    expect(messages[2]?.content[0]).toMatchObject({ content: [{ source: { media_type: "image/jpeg" } }] });
  });

  it("are read from their file, and said to be gone when they are", async () => {
    const folder = await mkdtemp(join(tmpdir(), "images-"));
    try {
      const file = join(folder, "a.png");
      await writeFile(file, png);
      const gone = pathToFileURL(join(folder, "b.png")).href;
      const [turn] = await sendMessages({
        role: "user",
        content: [image(pathToFileURL(file).href), image(gone)],
      });
      expect(turn?.content).toEqual([base64, text("[An image was here; its file is no longer available.]")]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("of a kind that the service does not take are a note", async () => {
    const [turn] = await sendMessages({
      role: "user",
      content: [image("data:image/svg+xml;base64,PHN2Zz4=")],
    });
    expect(turn?.content[0]?.type).toBe("text");
  });
});
