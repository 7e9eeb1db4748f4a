// A model on 127.0.0.1 that speaks OpenAI chat completions, for tests of the whole program: each request is answered by
// a function of the test, which may let it wait.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface FakeModelRequest {
  model: string;
  messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
  tools?: Array<{ function: { name: string } }>;
  authorization: string;
}

export interface FakeModelReply {
  /** Each string is one delta. */
  text?: string | string[];
  toolCalls?: Array<{ name: string; arguments: Record<string, unknown> }>;
  /** The text is sent at once, the end of the reply only when this resolves. */
  waitFor?: Promise<unknown>;
  /** Nothing is ever said: not even the head of an answer, nothing after it, or only that the connection is alive. */
  silent?: "from the start" | "after the head" | "but for comments";
  /** Instead of an answer. */
  error?: { status: number; message: string };
}

export interface FakeModel {
  /** With its path, as `apiBase` wants it. */
  url: string;
  requests: FakeModelRequest[];
  /** Resolves when that many requests have arrived. */
  waitForRequests(count: number): Promise<void>;
}

const commentMs = 10;

type Answer = (request: FakeModelRequest, index: number) => FakeModelReply;

/** Ends with the test. `models` is its list of them. */
export async function startFakeModel(answer: Answer, models: object[] = []): Promise<FakeModel> {
  const requests: FakeModelRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (incoming, response) => {
    if (incoming.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: models }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as FakeModelRequest;
    const request = { ...body, authorization: incoming.headers.authorization ?? "" };
    requests.push(request);
    for (const look of waiting) look();
    await reply(answer(request, requests.length - 1), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    waitForRequests: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

async function reply(
  { text = [], toolCalls = [], waitFor, silent, error }: FakeModelReply,
  response: ServerResponse,
) {
  if (silent === "from the start") return;
  if (error !== undefined) {
    response.writeHead(error.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: error.message } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (silent !== undefined) {
    const comments = setInterval(
      () => silent === "but for comments" && response.write(": wait\n\n"),
      commentMs,
    );
    response.on("close", () => clearInterval(comments));
    return;
  }
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  for (const content of [text].flat()) send({ content });
  await waitFor;
  const calls = toolCalls.map(({ name, arguments: args }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  if (calls.length > 0) send({ tool_calls: calls });
  send({}, calls.length > 0 ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 60 } };
  response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  response.end();
}
