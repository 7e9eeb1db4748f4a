// The Messages protocol of Anthropic and of hosts that imitate it: one request, one stream, one reply. The seam that
// turns whatever goes wrong on the way into a classified error; only an abort passes through.
import { bindingBeta } from "./anthropic-dialect.ts";
import { toAnthropicBody } from "./anthropic-request.ts";
import { createMessageBuilder } from "./anthropic-stream.ts";
import type { Connection } from "./host.ts";
import { loadImages } from "./image-parts.ts";
import { isRecord, parseJson } from "./json-value.ts";
import { classifyResponse, classifyThrown, ProviderFailure, toConnectionFacts } from "./provider-error.ts";
import { sendRequest } from "./send-request.ts";
import { readServerSentEvents } from "./sse.ts";
import type { ModelEvent, ModelRequest, Provider } from "./types.ts";
import { withoutRejectedThinking } from "./without-rejected-thinking.ts";

const version = "2023-06-01";

export function createAnthropicMessages(connection: Connection): Provider {
  return withoutRejectedThinking({
    stream: (request, signal) => streamReply(connection, request, signal),
  });
}

async function* streamReply(
  connection: Connection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const builder = createMessageBuilder(request);
  try {
    signal.throwIfAborted();
    const response = await post(connection, request, signal);
    for await (const { data } of readServerSentEvents(response, signal)) {
      yield* builder.push(readEvent(data, response, connection));
      if (builder.isOver()) break;
    }
    if (!builder.hasEnded()) throw new Error("socket closed before the answer was complete");
  } catch (error) {
    signal.throwIfAborted();
    // What breaks after the end of the reply was told takes nothing away from it.
    if (!builder.hasEnded()) {
      yield* builder.fail(classifyThrown(error, toConnectionFacts(connection)));
      return;
    }
  }
  yield* await builder.end();
}

async function post(connection: Connection, request: ModelRequest, signal: AbortSignal): Promise<Response> {
  const messages = await loadImages(request.messages);
  const body = toAnthropicBody({ ...request, messages }, connection.host);
  const isBound = isRecord(body.thinking) && body.thinking.block_binding !== undefined;
  const { apiKey, baseUrl } = connection;
  const headers = { "anthropic-version": version, ...(apiKey !== undefined && { "x-api-key": apiKey }) };
  const target = isBound ? withBeta(connection) : connection;
  return sendRequest(target, { path: toPath(baseUrl), headers, body }, signal);
}

/** Bases are given with and without a version. */
function toPath(baseUrl: string): string {
  return /\/v\d+(\/messages)?\/*$/.test(new URL(baseUrl).pathname) ? "/messages" : "/v1/messages";
}

/** Beside the features that the user asks for. */
function withBeta(connection: Connection): Connection {
  const headers = connection.extraHeaders ?? {};
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "anthropic-beta") ?? "anthropic-beta";
  const value = [headers[name], bindingBeta].filter(Boolean).join(",");
  return { ...connection, extraHeaders: { ...headers, [name]: value } };
}

/** The event, or the error that came in its place after a good status. */
function readEvent(data: string, { headers }: Response, connection: Connection): Record<string, unknown> {
  const event = parseJson(data);
  if (isRecord(event) && event.type !== "error" && !isRecord(event.error)) return event;
  throw new ProviderFailure(
    classifyResponse({ ...toConnectionFacts(connection), status: 200, headers, body: data }),
  );
}
