// The assistant behind OpenAI's chat completions: /v1/chat/completions and /v1/models. Knows no session and no model: a
// question goes in, what happens comes out.
import type { TurnOutcome } from "../agent/job.ts";
import type { LiveBody } from "../bus/live.ts";
import { onAbort, untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { ApiDeltas, type DescribeTool } from "./api-deltas.ts";
import { ApiError, toTurnError } from "./api-error.ts";
import { CompletionStream, type ReplyHead, toCompletion } from "./api-reply.ts";
import { type ApiRequest, readApiRequest } from "./api-request.ts";
import { usualHeaders } from "./http-server.ts";
import { readBody } from "./read-body.ts";
import type { Answer, Context, Handled, Routes } from "./routes.ts";
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
/** A client that tries again by itself would have everything done twice. */
const onceOnly = { "x-should-retry": "false" };
const streamHeaders = {
  ...usualHeaders,
  ...onceOnly,
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies must not collect it.
  "x-accel-buffering": "no",
};
const answered = new Error("answered");
const left = new Error("the client has left");
const late = new Error("it took too long");
/** Put there by proxies: the request came from somewhere else. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host"];

export function addOpenaiApi(routes: Routes, options: OpenaiApiOptions): void {
  const model = (id: string) => ({ id, object: "model", created: 0, owned_by: "nanobot" });
  routes.all("/v1/*", (context) => checkKey(context, options));
  routes.get("/v1/models", (context) => context.json({ object: "list", data: [model("nanobot")] }));
  routes.get("/v1/models/:id", (context) => context.json(model(context.params.id ?? "")));
  routes.post("/v1/chat/completions", (context) => complete(context, options));
  routes.all("/v1/chat/completions", (context) => {
    context.headers.allow = "POST";
    throw new ApiError("Chat completions are asked for by POST.", { status: 405 });
  });
}

function checkKey(context: Context, { apiKey, isExposed }: OpenaiApiOptions): undefined {
  if (apiKey !== "") {
    if (isToken(readBearer(context.header("authorization")), apiKey)) return;
    const sentence = "This key is not right. Send api.apiKey of config.json as a bearer token.";
    throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
  }
  if (!isExposed && forwardingHeaders.every((name) => context.header(name) === undefined)) return;
  const sentence =
    "Others can reach this server. Set api.apiKey in config.json, and send it as a bearer token.";
  throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
}

async function complete(context: Context, options: OpenaiApiOptions): Promise<Handled> {
  const { clock, newId } = options;
  const request = readApiRequest(await readBody(context.incoming, largestBody));
  const created = Math.floor(clock.now() / 1000);
  const head = { id: `chatcmpl-${newId()}`, created, model: request.model };
  Object.assign(context.headers, onceOnly);
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
): Promise<Answer> {
  const deltas = new ApiDeltas(options.describeTool);
  const question = { ...request, onEvent: (body: LiveBody) => void deltas.take(body) };
  const outcome = await ask(context, options, question);
  return context.json(toCompletion(head, outcome, deltas.reasoning));
}

/** Written to the connection itself: the way through web streams is longer than all of ours. */
async function stream(
  context: Context,
  options: OpenaiApiOptions,
  { request, head }: Asked,
): Promise<"sent"> {
  const { outgoing } = context;
  const deltas = new ApiDeltas(options.describeTool);
  const reply = new CompletionStream({
    head,
    includesUsage: request.includesUsage,
    begin: () => outgoing.on("error", () => {}).writeHead(200, streamHeaders),
    write: (piece) => void (outgoing.destroyed || outgoing.write(piece)),
  });
  const onEvent = (body: LiveBody) => {
    const delta = deltas.take(body);
    if (delta !== undefined) reply.add(delta);
  };
  const over = new AbortController();
  showLife(reply, options.clock, over.signal).catch(() => {});
  try {
    reply.end(await ask(context, options, { ...request, onEvent }));
  } catch (error) {
    if (!reply.hasBegun) throw error;
    if (error instanceof ApiError) reply.fail(error);
    else outgoing.destroy();
  } finally {
    over.abort(answered);
  }
  outgoing.end();
  return "sent";
}

async function showLife(reply: CompletionStream, clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(patienceMs, signal);
  for (reply.begin(); ; reply.showLife()) await clock.sleep(signOfLifeMs, signal);
}

/** The outcome of a turn that gave an answer. It is called off when the client leaves, and when it takes too long. */
async function ask(
  context: Context,
  { answer, timeoutMs }: OpenaiApiOptions,
  question: Omit<ApiQuestion, "signal">,
): Promise<TurnOutcome> {
  const stop = new AbortController();
  const { signal } = stop;
  const onLate = () => stop.abort(late);
  const forget = onAbort(context.signal, () => stop.abort(left));
  // Cleared with the turn: thousands that nobody waits for any more would wait for their time.
  const timer = timeoutMs > 0 ? setTimeout(onLate, Math.min(timeoutMs, longestTimeoutMs)) : undefined;
  try {
    const outcome = await untilAborted(answer({ ...question, signal }), signal);
    const error = toTurnError(outcome);
    if (error !== undefined) throw error;
    return outcome;
  } catch (error) {
    if (!signal.aborted) throw error;
    const sentence = `This took longer than ${timeoutMs / 1000} seconds (api.timeout), and was stopped.`;
    if (signal.reason === late) throw new ApiError(sentence, { status: 504, code: "timeout" });
    throw new ApiError("The client has left.", { status: 503, code: "stopped" });
  } finally {
    clearTimeout(timer);
    forget();
  }
}
