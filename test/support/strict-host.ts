// A model host on 127.0.0.1 that counts prompt and answer together, as vLLM does, and refuses in its words what does not
// fit. The last line of a message may ask for a tool: `CALL read_file {"path":"a.md"}`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Body {
  messages: Array<{ role: string; content: unknown }>;
  tools?: unknown[];
  max_tokens: number;
  stream?: boolean;
}

export interface StrictRequest {
  prompt: number;
  maxTokens: number;
  isRefused: boolean;
  tools: number;
  body: Body;
}

export interface StrictHostOptions {
  window: number;
  /** Characters of the prompt for a token. */
  perToken?: number;
  /** The refusal, status 400. */
  refuse?(prompt: number, maxTokens: number, window: number): object | string;
  reportsUsage?: boolean;
  /** Tokens of the longest answer that may be asked for. */
  mostAnswer?: number;
  /** An overflow in a stream is 200 and nothing at all, as llama-cpp-python does it. */
  isMute?: boolean;
}

export interface StrictHost {
  url: string;
  requests: StrictRequest[];
}

/** vLLM's own text. */
function refuseLikeVllm(prompt: number, maxTokens: number, window: number) {
  const message = `This model's maximum context length is ${window} tokens. However, you requested ${prompt + maxTokens} tokens (${prompt} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`;
  return { object: "error", message, type: "BadRequestError", param: null, code: 400 };
}

/** Ends with the test. */
export async function startStrictHost(options: StrictHostOptions): Promise<StrictHost> {
  const { window, perToken = 4, refuse = refuseLikeVllm, reportsUsage = true, isMute = false } = options;
  const { mostAnswer = Number.POSITIVE_INFINITY } = options;
  const requests: StrictRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Body;
    const prompt = Math.ceil(JSON.stringify([body.messages, body.tools ?? []]).length / perToken);
    const isRefused = prompt + body.max_tokens > window || body.max_tokens > mostAnswer;
    const tools = body.tools?.length ?? 0;
    requests.push({ prompt, maxTokens: body.max_tokens, isRefused, tools, body });
    if (isRefused && !(isMute && body.stream === true)) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify(refuse(prompt, body.max_tokens, window)));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (isRefused) {
      response.end();
      return;
    }
    const send = (delta: object, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    const call = body.messages.at(-1)?.role === "user" ? findCall(body) : undefined;
    if (call === undefined) send({ content: answer(body) });
    else send({ tool_calls: [{ index: 0, id: "c", type: "function", function: call }] });
    send({}, call === undefined ? "stop" : "tool_calls");
    const usage = { prompt_tokens: prompt, completion_tokens: 5 };
    if (reportsUsage) response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

function answer({ messages }: Body): string {
  const last = JSON.stringify(messages.at(-1)?.content);
  return last.includes("will be left out from now on") ? "- they talked" : "That is so.";
}

function findCall({ messages }: Body): { name: string; arguments: string } | undefined {
  const text = String(messages.at(-1)?.content);
  const [, name, given] = /CALL (\w+) (\{.*?\})/.exec(text) ?? [];
  return name === undefined || given === undefined ? undefined : { name, arguments: given };
}
