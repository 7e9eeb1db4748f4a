// What every provider promises, whatever it speaks: one table over all protocols.
import { afterEach, describe, expect, it } from "vitest";
import { directFetch } from "../src/agent/models/direct-fetch.ts";
import { createAnthropicMessages } from "../src/llm/anthropic/messages.ts";
import type { ModelConnection } from "../src/llm/hosts/host.ts";
import { findHost } from "../src/llm/hosts/hosts.ts";
import { createOpenAIChat } from "../src/llm/openai/chat.ts";
import { createOpenAIResponses } from "../src/llm/responses/responses.ts";
import type { Message, Provider, ToolDefinition } from "../src/llm/types.ts";
import { readImageFile } from "../src/storage/blobs/content-files.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "./support/model-request.ts";
import {
  type ReplyData,
  toAnthropicEvents,
  toOpenAIEvents,
  toResponsesEvents,
} from "./support/model-wire.ts";
import { sentenceOf } from "./support/sentence-of.ts";
import { startWireServer, type WireReply, type WireServer } from "./support/wire-server.ts";

interface Row {
  name: string;
  host: string;
  create(connection: ModelConnection): Provider;
  toEvents(reply: ReplyData): string;
}

const rows: Row[] = [
  { name: "OpenAI chat", host: "openai", create: createOpenAIChat, toEvents: toOpenAIEvents },
  {
    name: "Anthropic messages",
    host: "anthropic",
    create: createAnthropicMessages,
    toEvents: toAnthropicEvents,
  },
  { name: "OpenAI Responses", host: "openai", create: createOpenAIResponses, toEvents: toResponsesEvents },
];

const secret = "sk-canary-0123456789abcdef";
const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open({ host: name, create }: Row, ...replies: WireReply[]) {
  const host = findHost(name);
  if (host === undefined) throw new Error(`no host ${name}`);
  const server = await startWireServer(...replies);
  servers.push(server);
  const connection = {
    host,
    baseUrl: server.url,
    apiKey: secret,
    fetch: directFetch,
    readImage: readImageFile,
  };
  return { server, provider: create(connection) };
}

/** The events of a reply up to its first text, which is where it breaks off. */
function upToText({ toEvents }: Row): string {
  const events = toEvents({ text: "half", calls: [] });
  return events.slice(0, events.indexOf("\n\n", events.indexOf("half")) + 2);
}

const tools: ToolDefinition[] = [
  {
    name: "look",
    description: "Looks.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
  },
];

/** Everything that a history can hold. */
const history: Message[] = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      { type: "text", text: "这是什么?" },
    ],
  },
  {
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [
      { id: "m1.1.0", type: "function", function: { name: "look", arguments: "{}" } },
      { id: "m1.1.1", type: "function", function: { name: "look", arguments: '{"a":1}' } },
    ],
  },
  { role: "tool", tool_call_id: "m1.1.0", name: "look", content: "a cat" },
  { role: "tool", tool_call_id: "m1.1.1", name: "look", content: [{ type: "text", text: "a hat" }] },
  { role: "user", content: "And?" },
  { role: "user", content: "Please." },
];

describe.each(rows)("$name", (row) => {
  it("streams text and ends with one settled reply and its usage", async () => {
    const { provider } = await open(row, { chunks: row.toEvents({ text: "Guten Tag 你好", calls: [] }) });
    const events = await collectEvents(provider);
    const reply = replyOf(events);
    expect(textOf(events)).toBe("Guten Tag 你好");
    expect(reply).toMatchObject({ stop: "stop", message: { role: "assistant", content: "Guten Tag 你好" } });
    expect(reply.usage).toMatchObject({ input: 100, output: 10 });
    expect(events.filter(({ type }) => type === "reply-end")).toHaveLength(1);
  });

  it("gives parallel calls with whole arguments", async () => {
    const calls = [
      { name: "look", arguments: { path: "a" } },
      { name: "look", arguments: { path: "b", deep: { list: [1, "二"] } } },
    ];
    const { provider } = await open(row, { chunks: row.toEvents({ text: "", calls }) });
    const { message, stop } = replyOf(await collectEvents(provider, modelRequest({ tools })));
    expect(stop).toBe("tool-calls");
    expect(message.content).toBeNull();
    const given = message.tool_calls?.map(({ function: { name, arguments: text } }) => ({
      name,
      arguments: JSON.parse(text),
    }));
    expect(given).toEqual(calls);
  });

  it("leaves the request as it was and keeps nothing for the next one", async () => {
    const { provider, server } = await open(row, { chunks: row.toEvents({ text: "ok", calls: [] }) });
    const request = modelRequest({ messages: history, tools, toolChoice: "auto" });
    const before = structuredClone(request);
    const first = replyOf(await collectEvents(provider, request));
    const second = replyOf(await collectEvents(provider, request));
    expect(request).toEqual(before);
    expect(second).toEqual(first);
    expect(server.requests[0]?.body).toBe(server.requests[1]?.body);
  });

  it("sends neither our own fields nor the attribution", async () => {
    const { provider, server } = await open(row, { chunks: row.toEvents({ text: "ok", calls: [] }) });
    const stored = history.map((message, index) => ({
      ...message,
      id: `x${index}`,
      turn: "turn-canary",
      at: 1,
      latency_ms: 2,
    }));
    await collectEvents(provider, modelRequest({ messages: stored, tools }));
    expect(server.requests[0]?.body).not.toMatch(/turn-canary|latency_ms|attribution|cli:direct/);
  });

  it.each([
    [401, "authentication"],
    [403, "permission"],
    [404, "not-found"],
    [429, "rate-limit"],
    [500, "server"],
    [503, "overloaded"],
  ])("ends a reply with status %i as an error of its kind, without the key", async (status, kind) => {
    const body = JSON.stringify({ error: { message: `rejected ${secret}`, type: "x" } });
    const { provider } = await open(row, {
      status,
      headers: { "content-type": "application/json" },
      chunks: body,
    });
    const { stop, error, message } = replyOf(await collectEvents(provider));
    expect({ stop, kind: error?.kind, status: error?.status }).toEqual({ stop: "error", kind, status });
    expect(JSON.stringify({ error, message })).not.toContain(secret);
  });

  it("ends a page of HTML, an empty body and a cut connection as errors", async () => {
    const page: WireReply = {
      status: 502,
      headers: { "content-type": "text/html" },
      chunks: "<html><h1>Bad gateway</h1></html>",
    };
    const half = upToText(row);
    const { provider } = await open(row, page, { chunks: "" }, { chunks: half, end: "cut" });
    for (let index = 0; index < 3; index++) {
      const { stop, error } = replyOf(await collectEvents(provider));
      expect(stop).toBe("error");
      expect(sentenceOf(error)).not.toMatch(/<html>|undefined|\[object/);
    }
  });

  it("ends a refused connection as a connection error on loopback", async () => {
    const { provider, server } = await open(row, {});
    await server.close();
    const { error } = replyOf(await collectEvents(provider));
    expect(error).toMatchObject({ kind: "connection", isLoopback: true });
  });

  it("throws the reason of an abort, before the request, in the middle, and lets go of the connection", async () => {
    const half = upToText(row);
    const { provider, server } = await open(row, { chunks: half, end: "hold" });
    const reason = new Error("enough");
    await expect(collectEvents(provider, modelRequest(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
    const abort = new AbortController();
    const pulling = (async () => {
      for await (const event of provider.stream(modelRequest(), abort.signal)) {
        if (event.type === "text-delta") abort.abort(reason);
      }
    })();
    await expect(pulling).rejects.toBe(reason);
    await server.requests[0]?.closed;
  });
});
