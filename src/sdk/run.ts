// One message to the assistant and what comes of it: as a result, or as events while it happens.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { DirectRequest, TurnOutcome } from "../agent/job.ts";
import type { App } from "../app/build-app.ts";
import { type Answer, noChoice, type Question } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { Origin } from "../bus/types.ts";
import { inlineImage } from "../guards/image-store.ts";
import { say, type Words } from "../i18n/words.ts";
import { AsyncQueue } from "../lib/async-queue.ts";
import { sniffImageType } from "../lib/formats/image-type.ts";
import type { AssistantMessage, ContentPart, ImagePart, Message, ToolCall } from "../llm/types.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";

export interface RunOptions {
  /** Key of the session that it belongs to. Default `sdk:default`. */
  session?: string;
  /** Paths of files that come with it. Images are shown to the model. */
  media?: readonly string[];
  /** Nothing is kept: no session, no summary, nothing that a search would find. What tools do stays done. */
  ephemeral?: boolean;
  /** What was said before; only together with `ephemeral`. */
  history?: readonly Message[];
  /** Where untrusted parts of the message came from, such as `web:example.com`: what guards judge. */
  labels?: readonly string[];
  /** Whose message it is and where it is answered. Default: the owner's, in Markdown. */
  origin?: Partial<Origin>;
  /** Calls it off: then the promise, or the iterator, throws the signal's reason. */
  signal?: AbortSignal;
  /** Answers a tool that needs a yes. Default: the one that the assistant was made with; without any, a no. */
  ask?: AskOwner;
}

/** `true` allows it once, `false` refuses it; a choice of the question by its id, such as `session`. */
export type AskOwner = (question: Question, signal: AbortSignal) => Promise<boolean | Answer>;

export interface RunResult {
  /** The answer; "" where there is none. */
  text: string;
  /** `completed`, or why it ended otherwise. */
  stop: TurnOutcome["stop"];
  /** Each call of a tool, in order. */
  tools: TurnOutcome["tools"];
  /** Tokens of all calls of the model together. */
  usage: TurnOutcome["usage"];
  /** "" where nothing is kept. */
  session: string;
  turnId: string;
  /** Where the world has failed: a host that does not answer, a budget that is used up. */
  error?: { kind: NonNullable<TurnOutcome["error"]>["kind"]; message: string };
}

/** In the order in which things happen; the last one is the result. */
export type RunEvent =
  | Exclude<LiveBody, { type: "ask-start" | "ask-end" }>
  | { type: "result"; result: RunResult };

export interface RunContext {
  app: App;
  words: Words;
  ask?: AskOwner;
  newId(): string;
}

/** Of a run that says nothing else. */
export const usualSession = "sdk:default";
const largestImage = 64 * 1024 * 1024;

export async function runOnce(
  context: RunContext,
  text: string,
  options: RunOptions,
  onEvent?: (event: RunEvent) => void,
): Promise<RunResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  const request = await toRequest(context, text, options);
  const show = (body: LiveBody) => {
    if (body.type !== "ask-start" && body.type !== "ask-end") onEvent?.(body);
  };
  const outcome = await context.app.loop.processDirect({ ...request, onEvent: show });
  signal?.throwIfAborted();
  const { stop, tools, usage, turnId, error } = outcome;
  const session = options.ephemeral === true ? "" : request.sessionKey;
  return {
    text: outcome.text,
    stop,
    tools,
    usage,
    session,
    turnId,
    ...(error && { error: { kind: error.kind, message: say(error.phrase, context.words) } }),
  };
}

/** Begins a turn that the signal calls off, and tells what happens in it. */
export type StartRun = (signal: AbortSignal, onEvent: (event: RunEvent) => void) => Promise<RunResult>;

/** A caller that stops listening cancels the turn. */
export async function* streamRun(start: StartRun, given?: AbortSignal): AsyncGenerator<RunEvent, void> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, ...(given ? [given] : [])]);
  const events = new AsyncQueue<RunEvent>();
  const running = start(signal, (event) => events.push(event));
  const over = running.then(
    () => events.close(),
    () => events.close(),
  );
  try {
    yield* events;
    yield { type: "result", result: await running };
  } finally {
    leaving.abort(new Error("nobody listens any more"));
    await over;
  }
}

async function toRequest(
  { app, newId, ...context }: RunContext,
  text: string,
  options: RunOptions,
): Promise<DirectRequest> {
  const { session = usualSession, media = [], ephemeral = false, history = [], labels = [] } = options;
  if (history.length > 0 && !ephemeral)
    throw new TypeError("history is for ephemeral runs: a session has a history of its own");
  const origin: Origin = {
    channel: "sdk",
    chatId: session,
    senderId: "owner",
    person: "owner",
    role: "owner",
    cause: "user",
    format: "markdown",
    ...options.origin,
  };
  const ask = options.ask ?? context.ask;
  const { signal } = options;
  const request = {
    text,
    origin,
    labels: [...labels],
    ...(signal && { signal }),
    ...(ask && { ask: toAsk(ask) }),
  };
  const paths = media.map((path) => resolve(path));
  if (!ephemeral) return { ...request, sessionKey: session, media: paths };
  const shown = await inlineImages(paths, app);
  return {
    ...request,
    sessionKey: `once:${newId()}`,
    media: shown.others,
    history: [...history, ...shown.messages],
  };
}

export function toAsk(ask: AskOwner): NonNullable<DirectRequest["ask"]> {
  return async (question, signal) => {
    const answer = await ask(question, signal);
    if (typeof answer !== "boolean") return answer;
    return { choice: answer ? (question.choices[0]?.id ?? noChoice) : noChoice };
  };
}

/** Images as a message before the text, since an image that comes with the text would become a file. */
async function inlineImages(
  paths: readonly string[],
  { models }: App,
): Promise<{ messages: Message[]; others: string[] }> {
  const parts: ImagePart[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const status = await stat(path).catch(ignoreMissing);
    const isReadable = status?.isFile() === true && status.size <= largestImage;
    const bytes = isReadable ? await readFile(path) : Buffer.alloc(0);
    const image =
      sniffImageType(bytes) === undefined ? undefined : await inlineImage(bytes, models.usual.imageLimits);
    if (image?.ok) parts.push({ type: "image_url", image_url: { url: image.url } });
    else others.push(path);
  }
  return { messages: parts.length === 0 ? [] : [{ role: "user", content: parts }], others };
}

/** Always with `content`, null allowed; `reasoning` is what DeepSeek-R1, Kimi and others want back. */
export function addAssistantMessage(
  messages: readonly Message[],
  { content, toolCalls, reasoning }: { content: string | null; toolCalls?: ToolCall[]; reasoning?: string },
): Message[] {
  const message: AssistantMessage = {
    role: "assistant",
    content,
    ...(toolCalls !== undefined && toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
  return [...messages, message];
}

export function addToolResult(
  messages: readonly Message[],
  { callId, name, content }: { callId: string; name: string; content: string | ContentPart[] },
): Message[] {
  return [...messages, { role: "tool", tool_call_id: callId, name, content }];
}
