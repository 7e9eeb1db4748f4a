// One call of a model over a wire protocol: one request, one stream, one reply; no retries. Turns whatever goes wrong into
// a classified error; only an abort passes through.
import { phrase } from "../../i18n/phrase.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import {
  classifyResponse,
  classifyThrown,
  ProviderFailure,
  toConnectionFacts,
} from "../errors/provider-error.ts";
import type { Connection, ModelConnection, WireResponse } from "../hosts/host.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderError } from "../types.ts";
import { createAnswerMeter } from "./chunk.ts";
import { loadImages } from "./images.ts";
import { readServerSentEvents, type ServerSentEvent } from "./sse.ts";

type Json = Record<string, unknown>;

export interface WireProtocol {
  /** The images of the request are loaded. */
  toRequest(request: ModelRequest, connection: Connection): WireRequest;
  createBuilder(request: ModelRequest, connection: Connection): ReplyBuilder;
}

export interface ReplyBuilder {
  push(chunk: Json): ModelEvent[];
  /** How the host says that the reply ended; empty until it says so. */
  finish(): string;
  /** Nothing more is to come. */
  isOver(): boolean;
  end(): Promise<ModelEvent[]>;
  /** The reply as far as it came, ended by a failure. */
  fail(error: ProviderError): ModelEvent[];
}

/** Finish reasons of hosts that failed: OpenRouter, Zhipu, DeepSeek. */
const brokenFinish = /^(error|network_error|insufficient_system_resource)$/;

export function createWireProvider(protocol: WireProtocol, connection: ModelConnection): Provider {
  return {
    async *stream(request, signal) {
      const builder = protocol.createBuilder(request, connection);
      let isDone = false;
      let isMute = true;
      const meter = createAnswerMeter();

      async function* read(wireRequest: WireRequest): AsyncGenerator<ModelEvent, void> {
        const response = await sendRequest(connection, wireRequest, signal);
        for await (const event of readServerSentEvents(response, signal)) {
          const data = event.data.trim();
          isMute &&= data === "";
          isDone = data === "[DONE]";
          if (isDone) break;
          // Anthropic: event "ping"; OpenRouter and others: comments.
          if (data === "" || event.event === "ping") yield { type: "alive" };
          else {
            const chunk = readChunk(event, response, connection);
            meter.add(chunk);
            yield* builder.push(chunk);
          }
          if (builder.isOver()) break;
        }
      }

      try {
        signal.throwIfAborted();
        const messages = await loadImages(request.messages, connection.readImage);
        const wireRequest = protocol.toRequest({ ...request, messages }, connection);
        yield* read(wireRequest);
        // llama-cpp-python ends a stream empty where it would refuse: without a stream it says why.
        if (isMute) yield* read(withoutStream(wireRequest));
      } catch (error) {
        signal.throwIfAborted();
        // What breaks after the reply has ended does not matter.
        if (builder.finish() === "") {
          yield* builder.fail(classifyThrown(error, toConnectionFacts(connection)));
          return;
        }
      }
      const failure = findFailure(builder.finish(), isDone, connection);
      yield* failure === undefined ? await builder.end() : builder.fail(failure);
    },
  };
}

function withoutStream(request: WireRequest): WireRequest {
  const { stream_options: _, ...body } = request.body;
  return { ...request, body: { ...body, stream: false } };
}

/** The chunk, or the error that came in its place after a good status. */
function readChunk({ event, data }: ServerSentEvent, response: WireResponse, connection: Connection): Json {
  const chunk = parseJson(data);
  if (isRecord(chunk) && event !== "error" && !isError(chunk)) return chunk;
  const { headers } = response;
  const facts = toConnectionFacts(connection);
  throw new ProviderFailure(classifyResponse({ ...facts, status: 200, headers, body: data }));
}

function isError({ type, error, object, base_resp, choices }: Json): boolean {
  if (error !== undefined && error !== null) return true;
  // Anthropic: {"type":"error","error":{...}}; vLLM: {"object":"error","message":"..."}
  // Responses: {"type":"response.failed","response":{"error":{...}}}
  if (type === "error" || type === "response.failed" || object === "error") return true;
  // MiniMax: {"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}
  if (isRecord(base_resp) && typeof base_resp.status_code === "number" && base_resp.status_code !== 0)
    return true;
  const [choice] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) && isRecord(choice.error);
}

function findFailure(finish: string, isDone: boolean, connection: Connection): ProviderError | undefined {
  const isBroken = brokenFinish.test(finish);
  if (!isBroken && (finish !== "" || isDone)) return undefined;
  const { host } = toConnectionFacts(connection);
  if (isBroken) return { kind: "server", host, phrase: phrase("model.ended-badly", { host, finish }) };
  return { kind: "connection", host, phrase: phrase("model.broke-off", { host }) };
}

interface WireRequest {
  /** Joined to the connection's base, such as `/chat/completions`. */
  path: string;
  headers: Record<string, string>;
  /** In place of the connection's extra headers, which go before all others. */
  extraHeaders?: Record<string, string>;
  body: Record<string, unknown>;
}

const longestErrorBody = 64 * 1024;

/** One POST of JSON. Follows no redirect: a key must not go to an address that is not configured. */
export async function sendRequest(
  connection: Connection,
  { path, headers, extraHeaders = connection.extraHeaders, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  const response = await connection.fetch(toUrl(connection, path), {
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...connection.host.quirks.headers,
      ...headers,
      ...extraHeaders,
    },
    body: toJson({ ...body, ...connection.extraBody }),
    signal,
  });
  if (response.ok) return response;
  throw new ProviderFailure(
    classifyResponse({
      ...toConnectionFacts(connection),
      status: response.status,
      headers: response.headers,
      body: await readHead(response),
    }),
  );
}

function toUrl({ baseUrl, extraQuery }: Connection, path: string): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  // People paste the whole address from a host's examples.
  url.pathname = base.endsWith(path) ? base : base + path;
  for (const [name, value] of Object.entries(extraQuery ?? {})) url.searchParams.set(name, value);
  return url.href;
}

/** JSON that every host can read: lone surrogates, which JSON.stringify writes as escapes, are replaced. */
function toJson(body: Record<string, unknown>): string {
  const text = JSON.stringify(body);
  // A plain search first: of a full window it takes a tenth of the time.
  if (!text.includes("\\ud") || !/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(body, (_key, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

async function readHead(response: WireResponse): Promise<string> {
  const location = response.headers.get("location");
  if (location !== null) return `it redirects to ${location}`;
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length <= longestErrorBody) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}
