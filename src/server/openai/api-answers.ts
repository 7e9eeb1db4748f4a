// What a client asks, as a turn of the assistant: in a session, or with the history that the client brings along.

import { fileURLToPath } from "node:url";
import type { DirectRequest } from "../../agent/job.ts";
import type { AgentLoop } from "../../agent/loop.ts";
import { toSessionKey } from "../../bus/session-key.ts";
import type { Origin } from "../../bus/types.ts";
import { inlineImage, type StoredImage, storeImage } from "../../guards/image-store.ts";
import type { Ids } from "../../lib/ids.ts";
import { addUsage } from "../../lib/usage.ts";
import type { ImageLimits } from "../../llm/hosts/host.ts";
import type { ImagePart, Message } from "../../llm/types.ts";
import { keepInbound } from "../../storage/blobs/message-files.ts";
import type { HomePaths } from "../../storage/home.ts";
import { ApiError } from "../http/api-error.ts";
import type { ApiOutcome } from "./api-reply.ts";
import { toCallerLayer } from "./api-request.ts";
import { type HandedCall, toTool } from "./client-tools.ts";
import { createOutputCheck, describeProblems } from "./json-output.ts";
import type { ApiQuestion, OpenaiApiOptions } from "./openai-api.ts";

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
    if (question.format === undefined) return answer(question, parts);
    const check = await createOutputCheck(question.format);
    const first = await answer(question, parts);
    const checked = check(first.text);
    if (isOver(first)) return first;
    if (checked.ok) return { ...first, text: checked.text };
    const second = await answer(toRepair(question, first.text, checked.problems), parts);
    const repaired = check(second.text);
    if (isOver(second)) return second;
    const usage = addUsage(first.usage, second.usage);
    if (repaired.ok) return { ...second, usage, text: repaired.text };
    const sentence = `The model gave no answer of this form: ${repaired.problems.join("; ")}.`;
    throw new ApiError(sentence, { status: 502, code: "invalid_output" });
  };
}

/** There is no text whose form could be checked. */
function isOver({ error, calls, stop }: ApiOutcome): boolean {
  return error !== undefined || calls !== undefined || stop === "cancelled";
}

/** The same conversation, with the answer that did not do. */
function toRepair(question: ApiQuestion, said: string, problems: readonly string[]): ApiQuestion {
  const asked: Message[] = [
    { role: "user", content: question.text },
    { role: "assistant", content: said },
  ];
  const text = describeProblems(problems);
  return { ...question, text, images: [], files: [], history: [...question.history, ...asked] };
}

const handedOver = new Error("the client makes the calls");

async function answer(question: ApiQuestion, parts: ApiParts): Promise<ApiOutcome> {
  const { sessionId, text, instructions, onEvent } = question;
  const layers = instructions === "" ? [] : [toCallerLayer(instructions)];
  const place = sessionId === undefined ? toUnkept(question, parts) : toKept(question, sessionId, parts);
  const calls: HandedCall[] = [];
  const stop = new AbortController();
  const tools = question.tools.map((tool) =>
    toTool(tool, (call) => {
      calls.push(call);
      // After the other calls of the same reply.
      setImmediate(() => stop.abort(handedOver));
    }),
  );
  const signal = tools.length === 0 ? question.signal : AbortSignal.any([question.signal, stop.signal]);
  const origin = toOrigin(sessionId ?? "");
  const request = { text, origin, layers, tools, signal, onEvent, ...(await place) };
  const outcome = await parts.loop.processDirect(request);
  const isHanded = calls.length > 0 && stop.signal.aborted && !question.signal.aborted;
  return isHanded ? { ...outcome, stop: "completed", text: "", calls } : outcome;
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
  { images, files }: ApiQuestion,
  sessionId: string,
  { imageLimits: limits, paths }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "media">> {
  const media = await keepFiles(files, paths);
  // One after the other: each image may take some of the memory.
  for (const url of images)
    media.push(fileURLToPath(readUrl(await storeImage(toBytes(url), { folder: paths.media, limits }))));
  return { sessionKey: toSessionKey({ channel: "api", chatId: sessionId }), media };
}

/** Images are in the history, since whatever comes with the message itself becomes a file. */
async function toUnkept(
  { images, files, history }: ApiQuestion,
  { imageLimits, ids, paths }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "history" | "media">> {
  const media = await keepFiles(files, paths);
  const shown: Message[] = images.length === 0 ? [] : [{ role: "user", content: images.map(toPart) }];
  const said: Message[] = [];
  for (const message of [...history, ...shown]) said.push(await fitImages(message, imageLimits));
  return { sessionKey: toSessionKey({ channel: "api", chatId: `once:${ids.next()}` }), history: said, media };
}

const largestFile = 16 * 1024 * 1024;

/** As those that come over a chat platform. */
async function keepFiles(files: ApiQuestion["files"], { media }: HomePaths): Promise<string[]> {
  const kept: string[] = [];
  for (const { name, data } of files) {
    const bytes = Buffer.from(data, "base64");
    const file = { name, bytes: toIterable(bytes) };
    const path = await keepInbound(file, { mediaFolder: media, channel: "api" }, largestFile);
    if (path === undefined || bytes.length === 0)
      throw new ApiError("A file is empty or larger than 16 MB.", {
        status: 400,
        param: "messages",
        code: "invalid_file",
      });
    kept.push(path);
  }
  return kept;
}

async function* toIterable(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
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
