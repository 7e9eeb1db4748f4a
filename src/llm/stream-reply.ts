// One call of a model over a wire protocol: one request, one stream, one reply. The seam that turns whatever goes wrong
// on the way into a classified error; only an abort passes through.
import { phrase } from "../i18n/phrase.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { createAnswerMeter } from "./answer-limit.ts";
import type { Connection, WireResponse } from "./host.ts";
import { loadImages } from "./image-parts.ts";
import { classifyResponse, classifyThrown, ProviderFailure, toConnectionFacts } from "./provider-error.ts";
import { sendRequest, type WireRequest } from "./send-request.ts";
import { readServerSentEvents, type ServerSentEvent } from "./sse.ts";
import type { ModelEvent, ModelRequest, Provider, ProviderError } from "./types.ts";

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

/** Ways in which hosts say in a finish reason that they broke down: OpenRouter, Zhipu, DeepSeek. */
const brokenFinish = /^(error|network_error|insufficient_system_resource)$/;

export function createWireProvider(protocol: WireProtocol, connection: Connection): Provider {
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
        const messages = await loadImages(request.messages);
        const wireRequest = protocol.toRequest({ ...request, messages }, connection);
        yield* read(wireRequest);
        // llama-cpp-python ends a stream without a word where it would refuse: asked plainly it says why.
        if (isMute) yield* read(withoutStream(wireRequest));
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
  if (type === "error" || object === "error") return true;
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
