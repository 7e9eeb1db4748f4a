// How the API asks the assistant: in a named session like a chat, without one in a turn of which nothing is kept.

import { fileURLToPath } from "node:url";
import type { DirectRequest } from "../agent/direct.ts";
import { toSessionKey } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";
import { inlineImage, type StoredImage, storeImage } from "../guards/image-store.ts";
import type { Ids } from "../lib/ids.ts";
import type { ImagePart, Message } from "../llm/types.ts";
import { ApiError } from "../server/api-error.ts";
import { toCallerLayer } from "../server/caller-layer.ts";
import type { ApiQuestion, OpenaiApiOptions } from "../server/openai-api.ts";
import type { HomePaths } from "../storage/home.ts";
import type { App } from "./build-app.ts";

export interface ApiParts {
  app: Pick<App, "loop" | "model">;
  paths: HomePaths;
  ids: Ids;
}

type Answer = OpenaiApiOptions["answer"];

export function createApiAnswers(parts: ApiParts): Answer {
  return async (question) => {
    const { sessionId, text, instructions, signal, onEvent } = question;
    const layers = instructions === "" ? [] : [toCallerLayer(instructions)];
    const place = sessionId === undefined ? toUnkept(question, parts) : toKept(question, sessionId, parts);
    const origin = toOrigin(sessionId ?? "");
    return parts.app.loop.processDirect({ text, origin, layers, signal, onEvent, ...(await place) });
  };
}

/** The port is the owner's; whoever shows the key speaks for the owner. */
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
  { app, paths }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "media">> {
  const { imageLimits: limits } = app.model;
  const media: string[] = [];
  // One after the other: each image may take some of the memory.
  for (const url of images)
    media.push(fileURLToPath(readUrl(await storeImage(toBytes(url), { folder: paths.media, limits }))));
  return { sessionKey: toSessionKey({ channel: "api", chatId: sessionId }), media };
}

/** Images stand in the history, since whatever comes with the message itself becomes a file. */
async function toUnkept(
  { images, history }: ApiQuestion,
  { app, ids }: ApiParts,
): Promise<Pick<DirectRequest, "sessionKey" | "history">> {
  const shown: Message[] = images.length === 0 ? [] : [{ role: "user", content: images.map(toPart) }];
  const said: Message[] = [];
  for (const message of [...history, ...shown]) said.push(await fitImages(message, app.model.imageLimits));
  return { sessionKey: toSessionKey({ channel: "api", chatId: `once:${ids.next()}` }), history: said };
}

async function fitImages(message: Message, limits: App["model"]["imageLimits"]): Promise<Message> {
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
