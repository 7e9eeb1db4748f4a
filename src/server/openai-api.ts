// The assistant behind OpenAI's chat completions: /v1/chat/completions and /v1/models. Knows no session and no model: a
// question goes in, what happens comes out.
import type { Context, Hono } from "hono";
import type { TurnOutcome } from "../agent/job.ts";
import type { LiveBody } from "../bus/live.ts";
import { untilAborted } from "../lib/abort.ts";
import { AsyncQueue } from "../lib/async-queue.ts";
import type { Clock } from "../lib/clock.ts";
import { ApiDeltas, type Delta, type DescribeTool } from "./api-deltas.ts";
import { ApiError, toTurnError } from "./api-error.ts";
import { type ReplyHead, streamCompletion, toCompletion } from "./api-reply.ts";
import { type ApiRequest, readApiRequest } from "./api-request.ts";
import { readBody } from "./read-body.ts";
import { isToken, readBearer } from "./token.ts";

export interface ApiQuestion extends ApiRequest {
  signal: AbortSignal;
  onEvent(body: LiveBody): void;
}

export interface OpenaiApiOptions {
  /** Throws an ApiError for a question that cannot be asked. */
  answer(question: ApiQuestion): Promise<TurnOutcome>;
  describeTool: DescribeTool;
  /** "" for none. */
  apiKey: string;
  /** Others than the owner can reach the server: without a key nobody is answered. */
  isExposed: boolean;
  /** Of one request; 0 for no limit. */
  timeoutMs: number;
  clock: Clock;
  newId(): string;
}

/** Timers take no more. */
const longestTimeoutMs = 2 ** 31 - 1;
const largestBody = 24 * 1024 * 1024;
/** A failure before it still gets a status of its own; after it, clients want to see that something happens. */
const patienceMs = 10_000;
/** Often enough for proxies that end a silent connection. */
const signOfLifeMs = 15_000;
/** Put there by proxies: the request came from somewhere else. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host"];

export function addOpenaiApi(app: Hono, options: OpenaiApiOptions): void {
  const model = (id: string) => ({ id, object: "model", created: 0, owned_by: "nanobot" });
  app.use("/v1/*", async (context, next) => {
    checkKey(context, options);
    await next();
  });
  app.get("/v1/models", (context) => context.json({ object: "list", data: [model("nanobot")] }));
  app.get("/v1/models/:id", (context) => context.json(model(context.req.param("id"))));
  app.post("/v1/chat/completions", (context) => complete(context, options));
  app.all("/v1/chat/completions", (context) => {
    context.header("allow", "POST");
    throw new ApiError("Chat completions are asked for by POST.", { status: 405 });
  });
}

function checkKey({ req }: Context, { apiKey, isExposed }: OpenaiApiOptions): void {
  if (apiKey !== "") {
    if (isToken(readBearer(req.header("authorization")), apiKey)) return;
    const sentence = "This key is not right. Send api.apiKey of config.json as a bearer token.";
    throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
  }
  if (!isExposed && forwardingHeaders.every((name) => req.header(name) === undefined)) return;
  const sentence =
    "Others can reach this server. Set api.apiKey in config.json, and send it as a bearer token.";
  throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
}

async function complete(context: Context, options: OpenaiApiOptions): Promise<Response> {
  const { clock, newId } = options;
  const request = readApiRequest(await readBody(context.req.raw, largestBody));
  const created = Math.floor(clock.now() / 1000);
  const head = { id: `chatcmpl-${newId()}`, created, model: request.model };
  // A client that tries again by itself would have everything done twice.
  context.header("x-should-retry", "false");
  return request.isStreaming
    ? stream(context, options, { request, head })
    : answerWhole(context, options, { request, head });
}

interface Asked {
  request: ApiRequest;
  head: ReplyHead;
}

async function answerWhole(
  context: Context,
  options: OpenaiApiOptions,
  { request, head }: Asked,
): Promise<Response> {
  const deltas = new ApiDeltas(options.describeTool);
  const question = { ...request, onEvent: (body: LiveBody) => void deltas.take(body) };
  const outcome = await ask(context, options, question);
  return context.json(toCompletion(head, outcome, deltas.reasoning));
}

async function stream(
  context: Context,
  options: OpenaiApiOptions,
  { request, head }: Asked,
): Promise<Response> {
  const deltas = new ApiDeltas(options.describeTool);
  const events = new AsyncQueue<Delta | null>();
  const begun = Promise.withResolvers<void>();
  const over = new AbortController();
  const onEvent = (body: LiveBody) => {
    const delta = deltas.take(body);
    if (delta === undefined) return;
    events.push(delta);
    begun.resolve();
  };
  const outcome = ask(context, options, { ...request, onEvent }).finally(() => {
    events.close();
    over.abort();
  });
  const late = options.clock.sleep(patienceMs, over.signal).catch(() => {});
  await Promise.race([begun.promise, outcome, late]);
  void showLife(events, options.clock, over.signal);
  const parts = { head, deltas, events, outcome, includesUsage: request.includesUsage };
  return context.body(ReadableStream.from(encode(streamCompletion(parts))), 200, {
    "content-type": "text/event-stream; charset=utf-8",
    // Proxies must not collect it.
    "x-accel-buffering": "no",
  });
}

async function showLife(events: AsyncQueue<Delta | null>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(signOfLifeMs, signal).catch(() => {});
    if (!signal.aborted) events.push(null);
  }
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

/** The outcome of a turn that gave an answer. It is called off when the client leaves, and when it takes too long. */
async function ask(
  { req }: Context,
  { answer, timeoutMs }: OpenaiApiOptions,
  question: Omit<ApiQuestion, "signal">,
): Promise<TurnOutcome> {
  const late =
    timeoutMs > 0 ? AbortSignal.timeout(Math.min(timeoutMs, longestTimeoutMs)) : new AbortController().signal;
  const signal = AbortSignal.any([req.raw.signal, late]);
  try {
    const outcome = await untilAborted(answer({ ...question, signal }), signal);
    const error = toTurnError(outcome);
    if (error !== undefined) throw error;
    return outcome;
  } catch (error) {
    if (!signal.aborted) throw error;
    const sentence = `This took longer than ${timeoutMs / 1000} seconds (api.timeout), and was stopped.`;
    if (late.aborted) throw new ApiError(sentence, { status: 504, code: "timeout" });
    throw new ApiError("The client has left.", { status: 503, code: "stopped" });
  }
}
