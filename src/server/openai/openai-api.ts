// The assistant behind OpenAI's API: /v1/chat/completions, /v1/responses, /v1/embeddings and /v1/models. Knows no session and
// no model: a question goes in, what happens comes out.

import type { LiveBody } from "../../bus/live.ts";
import { onAbort, untilAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { isToken, readBearer } from "../../lib/network/token.ts";
import { ApiError, toTurnError } from "../http/api-error.ts";
import { usualHeaders } from "../http/http-server.ts";
import { type Answer, type Context, type Handled, type Routes, readBody } from "../http/routes.ts";
import {
  ApiDeltas,
  type ApiOutcome,
  CompletionStream,
  type DescribeTool,
  type ReplyHead,
  type ReplyStream,
  toCompletion,
} from "./api-reply.ts";
import { type ApiRequest, readApiRequest } from "./api-request.ts";
import { type ApiEmbeddings, answerEmbeddings } from "./embeddings-route.ts";
import { ResponseStream, toResponse } from "./responses-reply.ts";
import { toChatBody } from "./responses-request.ts";

export interface ApiQuestion extends ApiRequest {
  signal: AbortSignal;
  onEvent(body: LiveBody): void;
}

export interface OpenaiApiOptions {
  /** Throws an ApiError for a question that cannot be asked. */
  answer(question: ApiQuestion): Promise<ApiOutcome>;
  /** Absent where none are configured. */
  embeddings?: ApiEmbeddings;
  describeTool: DescribeTool;
  /** "" for none. */
  apiKey: string;
  /** Others than the owner can reach the server: without a key nobody is answered. */
  isExposed: boolean;
  /** Whose pages may use the API. */
  origins?: readonly string[];
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
/** A client that tries again on its own would have everything done twice. */
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
  routes.all("/v1/*", (context) => {
    const isAllowed = allowOrigin(context, options);
    // The question of a browser whether it may ask at all comes without a key.
    if (isAllowed && context.incoming.method === "OPTIONS") return { status: 204, headers: {} };
    if (!isAllowed) refuseOtherSites(context);
    return checkKey(context, options);
  });
  routes.get("/v1/models", (context) => context.json({ object: "list", data: [model("nanobot")] }));
  routes.get("/v1/models/:id", (context) => context.json(model(context.params.id ?? "")));
  routes.post("/v1/chat/completions", (context) => complete(context, options, "chat"));
  routes.post("/v1/responses", (context) => complete(context, options, "response"));
  routes.post("/v1/embeddings", async (context) =>
    context.json(
      await answerEmbeddings(
        await readBody(context.incoming, largestBody),
        context.signal,
        options.embeddings,
      ),
    ),
  );
  for (const path of ["/v1/chat/completions", "/v1/responses", "/v1/embeddings"])
    routes.all(path, (context) => {
      context.headers.allow = "POST";
      throw new ApiError(`Ask ${path} by POST.`, { status: 405 });
    });
  routes.get("/v1/responses/*", () => {
    throw new ApiError("Responses are not kept here.", { status: 404, code: "not_found" });
  });
}

/** Whether it comes from a page that the config names; then its browser may read the answer. */
function allowOrigin(context: Context, { origins = [] }: OpenaiApiOptions): boolean {
  const origin = context.header("origin");
  if (origin === undefined || !origins.includes(origin)) return false;
  Object.assign(context.headers, {
    "access-control-allow-origin": origin,
    "access-control-allow-headers":
      context.header("access-control-request-headers") ?? "authorization, content-type",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-max-age": "600",
    vary: "Origin",
  });
  return true;
}

/** Also where a person is led here by a link or form of theirs: nobody opens these addresses. */
function refuseOtherSites(context: Context): void {
  if (context.header("sec-fetch-site") !== "cross-site") return;
  throw new ApiError("Pages of other sites may not use this server.", { status: 403, code: "forbidden" });
}

function checkKey(context: Context, { apiKey, isExposed }: OpenaiApiOptions): undefined {
  if (apiKey !== "") {
    const key = readBearer(context.header("authorization")) ?? context.header("x-api-key");
    if (isToken(key, apiKey)) return;
    const sentence =
      "This key is not right. Send api.apiKey of config.json as a bearer token, or as x-api-key.";
    throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
  }
  if (!isExposed && forwardingHeaders.every((name) => context.header(name) === undefined)) return;
  const sentence =
    "Others can reach this server. Set api.apiKey in config.json, and send it as a bearer token.";
  throw new ApiError(sentence, { status: 401, code: "invalid_api_key" });
}

type Form = "chat" | "response";

async function complete(context: Context, options: OpenaiApiOptions, form: Form): Promise<Handled> {
  const { clock, newId } = options;
  const body = await readBody(context.incoming, largestBody);
  const chatBody = form === "chat" ? body : toChatBody(body);
  const request = readApiRequest(chatBody, context.header("x-session-id"));
  const created = Math.floor(clock.now() / 1000);
  const id = `${form === "chat" ? "chatcmpl-" : "resp_"}${newId()}`;
  const head = { id, created, model: request.model };
  Object.assign(context.headers, onceOnly);
  return request.isStreaming
    ? stream(context, options, { request, head, form })
    : answerWhole(context, options, { request, head, form });
}

interface Asked {
  request: ApiRequest;
  head: ReplyHead;
  form: Form;
}

async function answerWhole(
  context: Context,
  options: OpenaiApiOptions,
  { request, head, form }: Asked,
): Promise<Answer> {
  const deltas = new ApiDeltas(options.describeTool);
  const question = { ...request, onEvent: (body: LiveBody) => void deltas.take(body) };
  const outcome = await ask(context, options, question);
  return context.json(
    form === "chat" ? toCompletion(head, outcome, deltas.reasoning) : toResponse(head, outcome),
  );
}

/** Written to the connection itself: the way through web streams is longer than all of ours. */
async function stream(
  context: Context,
  options: OpenaiApiOptions,
  { request, head, form }: Asked,
): Promise<"sent"> {
  const { outgoing } = context;
  const deltas = new ApiDeltas(options.describeTool);
  const parts = {
    head,
    includesUsage: request.includesUsage,
    begin: () => outgoing.on("error", () => {}).writeHead(200, { ...context.headers, ...streamHeaders }),
    write: (piece: string) => void (outgoing.destroyed || outgoing.write(piece)),
  };
  const reply: ReplyStream = form === "chat" ? new CompletionStream(parts) : new ResponseStream(parts);
  const onEvent = (body: LiveBody) => {
    const delta = deltas.take(body);
    // What has to have a form is shown when it has it.
    if (delta === undefined || (request.format !== undefined && delta.content !== undefined)) return;
    reply.add(delta);
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

async function showLife(reply: ReplyStream, clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(patienceMs, signal);
  for (reply.begin(); ; reply.showLife()) await clock.sleep(signOfLifeMs, signal);
}

/** The outcome of a turn that gave an answer. It is called off when the client leaves, and when it takes too long. */
async function ask(
  context: Context,
  { answer, timeoutMs }: OpenaiApiOptions,
  question: Omit<ApiQuestion, "signal">,
): Promise<ApiOutcome> {
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
