// The OpenAI chat-completions protocol: one request, one stream, one reply. The seam that turns whatever goes wrong on
// the way into a classified error; only an abort passes through.
import type { Connection } from "./host.ts";
import { loadImages } from "./image-parts.ts";
import { isRecord, parseJson } from "./json-value.ts";
import { toDialect } from "./openai-dialect.ts";
import { toOpenAIBody } from "./openai-request.ts";
import { createReplyBuilder } from "./openai-stream.ts";
import {
  classifyResponse,
  classifyThrown,
  ProviderFailure,
  toConnectionFacts,
  toProviderError,
} from "./provider-error.ts";
import { sendRequest } from "./send-request.ts";
import { readServerSentEvents, type ServerSentEvent } from "./sse.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderError } from "./types.ts";

/** Ways in which hosts say in a finish reason that they broke down: OpenRouter, Zhipu, DeepSeek. */
const brokenFinish = /^(error|network_error|insufficient_system_resource)$/;

export function createOpenAIChat(connection: Connection): Provider {
  return { stream: (request, signal) => streamReply(connection, request, signal) };
}

async function* streamReply(
  connection: Connection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { isReasoningContent } = toDialect(connection.host, request.model);
  const builder = createReplyBuilder({ request, isReasoningContent });
  let isDone = false;
  try {
    signal.throwIfAborted();
    const response = await post(connection, request, signal);
    for await (const event of readServerSentEvents(response, signal)) {
      const data = event.data.trim();
      isDone = data === "[DONE]";
      if (isDone) break;
      if (data === "") continue;
      yield* builder.push(readChunk(event, response, connection));
    }
  } catch (error) {
    signal.throwIfAborted();
    // What breaks after the end of the reply was told takes nothing away from it.
    if (builder.finish() === "") {
      yield* builder.fail(classifyThrown(error, toConnectionFacts(connection)));
      return;
    }
  }
  const failure = findFailure(builder.finish(), isDone, connection);
  yield* failure === undefined ? await builder.end() : builder.fail(failure);
}

async function post(connection: Connection, request: ModelRequest, signal: AbortSignal): Promise<Response> {
  const messages = await loadImages(request.messages);
  const { apiKey } = connection;
  return sendRequest(
    connection,
    {
      path: "/chat/completions",
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: toOpenAIBody({ ...request, messages }, connection.host),
    },
    signal,
  );
}

/** The chunk, or the error that came in its place after a good status. */
function readChunk(
  { event, data }: ServerSentEvent,
  response: Response,
  connection: Connection,
): Record<string, unknown> {
  const chunk = parseJson(data);
  if (isRecord(chunk) && event !== "error" && !isError(chunk)) return chunk;
  const { headers } = response;
  throw new ProviderFailure(
    classifyResponse({ ...toConnectionFacts(connection), status: 200, headers, body: data }),
  );
}

function isError({ error, object, base_resp, choices }: Record<string, unknown>): boolean {
  if (error !== undefined && error !== null) return true;
  // vLLM: {"object":"error","message":"..."}
  if (object === "error") return true;
  // MiniMax: {"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}
  if (isRecord(base_resp) && typeof base_resp.status_code === "number" && base_resp.status_code !== 0)
    return true;
  const [choice] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) && isRecord(choice.error);
}

function findFailure(finish: string, isDone: boolean, connection: Connection): ProviderError | undefined {
  const facts = toConnectionFacts(connection);
  if (brokenFinish.test(finish)) return toProviderError("server", facts, `it ended with "${finish}"`);
  if (finish !== "" || isDone) return undefined;
  return toProviderError("connection", facts, "it closed before the answer was complete");
}
