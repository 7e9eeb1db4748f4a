// The assistant behind OpenAI's chat completions: /v1/chat/completions and /v1/models. Knows no session and no model: a
// question goes in, what happens comes out.

import { fileURLToPath } from "node:url";
import type { DirectRequest, TurnOutcome } from "../../agent/job.ts";
import type { AgentLoop } from "../../agent/loop.ts";
import type { LiveBody } from "../../bus/live.ts";
import { toSessionKey } from "../../bus/session-key.ts";
import type { Origin } from "../../bus/types.ts";
import { inlineImage, type StoredImage, storeImage } from "../../guards/image-store.ts";
import { onAbort, untilAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { isToken, readBearer } from "../../lib/token.ts";
import type { ImageLimits } from "../../llm/hosts/host.ts";
import type { ImagePart, Message } from "../../llm/types.ts";
import type { HomePaths } from "../../storage/home.ts";
import { ApiError, toTurnError } from "../http/api-error.ts";
import { usualHeaders } from "../http/http-server.ts";
import { type Answer, type Context, type Handled, type Routes, readBody } from "../http/routes.ts";
import { ApiDeltas, CompletionStream, type DescribeTool, type ReplyHead, toCompletion } from "./api-reply.ts";
import { type ApiRequest, readApiRequest, toCallerLayer } from "./api-request.ts";

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

export interface Asked {
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

export interface ApiParts {
  loop: Pick<AgentLoop, "processDirect">;
  /** What the model takes. */
  imageLimits?: ImageLimits;
  paths: HomePaths;
  ids: Ids;
}

type AnswerQuestion = OpenaiApiOptions["answer"];

export function createApiAnswers(parts: ApiParts): AnswerQuestion {
  return async (question) => {
    const { sessionId, text, instructions, signal, onEvent } = question;
    const layers = instructions === "" ? [] : [toCallerLayer(instructions)];
    const place = sessionId === undefined ? toUnkept(question, parts) : toKept(question, sessionId, parts);
    const origin = toOrigin(sessionId ?? "");
    return parts.loop.processDirect({ text, origin, layers, signal, onEvent, ...(await place) });
  };
}

/** The port belongs to the owner; a client with the key acts for the owner. */
function toOrigin(chatId: string): Origin {
  return {
    channel: "api",
    chatId,
    senderId: "owner",
    person: "owner",
    role: "owner",
    cause: "api",
    format: "markdown",
  };
}

async function toKept(
  { images }: ApiQuestion,
  sessionId: string,
  { imageLimits: limits, paths }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "media">> {
  const media: string[] = [];
  // One after the other: each image may take some of the memory.
  for (const url of images)
    media.push(fileURLToPath(readUrl(await storeImage(toBytes(url), { folder: paths.media, limits }))));
  return { sessionKey: toSessionKey({ channel: "api", chatId: sessionId }), media };
}

/** Images stand in the history, since whatever comes with the message itself becomes a file. */
async function toUnkept(
  { images, history }: ApiQuestion,
  { imageLimits, ids }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "history">> {
  const shown: Message[] = images.length === 0 ? [] : [{ role: "user", content: images.map(toPart) }];
  const said: Message[] = [];
  for (const message of [...history, ...shown]) said.push(await fitImages(message, imageLimits));
  return { sessionKey: toSessionKey({ channel: "api", chatId: `once:${ids.next()}` }), history: said };
}

async function fitImages(message: Message, limits: ImageLimits | undefined): Promise<Message> {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const content: typeof message.content = [];
  for (const part of message.content)
    content.push(
      part.type === "text" ? part : toPart(readUrl(await inlineImage(toBytes(part.image_url.url), limits))),
    );
  return { ...message, content };
}

function toPart(url: string): ImagePart {
  return { type: "image_url", image_url: { url } };
}

function toBytes(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

function readUrl(image: StoredImage): string {
  if (image.ok) return image.url;
  throw new ApiError(`An image cannot be shown: it is ${image.problem}.`, {
    status: 400,
    param: "messages",
    code: "invalid_image",
  });
}
