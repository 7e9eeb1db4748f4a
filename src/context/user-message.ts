// A user's message as it is sent: what was written and attached, and the blocks that are added to it. A text that would
// fill the window is kept as a file of that person's, whose beginning, end and path take its place in the prompt. Settled
// before the message is stored, so that replay changes nothing.

import { resolve } from "node:path";
import { type ImageStoreOptions, storeImage } from "../guards/image-store.ts";
import { describeOffloaded } from "../guards/wrappers/with-offload.ts";
import { sniffImageType } from "../lib/formats/image-type.ts";
import { takeHead, toWellFormed } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { ContentPart, ImagePart, TextPart, UserMessage } from "../llm/types.ts";
import { estimateBudget } from "../memory/fit.ts";
import { keepLongMessage, longMessagePath } from "../storage/blobs/content-files.ts";
import { type AttachedFile, type NoFile, withAttached } from "../storage/blobs/message-files.ts";
import type { SaidFields } from "../storage/sessions/format/entry-facts.ts";
import { describeBinary, detectEncoding } from "../tools/files/file-content.ts";
import type { ContextBuilder } from "./builder.ts";
import type { TurnInput } from "./turn-plan.ts";

export interface RenderedMessage {
  message: UserMessage;
  /** What its line says of it. */
  fields: SaidFields;
}

/** Of what a request may take. */
const largestShare = 0.25;

export async function renderUserMessage(
  builder: ContextBuilder,
  input: TurnInput,
  blocks: readonly string[] = [],
): Promise<RenderedMessage> {
  const text = await boundText(input);
  const { content, files } = await builder.buildUserContent(text, input.media, input.imageLimits);
  return {
    message: { role: "user", content: blocks.filter((block) => block !== "").reduce(appendText, content) },
    fields: { said: text.length, ...(files.length > 0 && { attachments: files }) },
  };
}

async function boundText({ text: said, personRoot, window, isPreview, session }: TurnInput): Promise<string> {
  const most = Math.floor(estimateBudget(window) * largestShare);
  const tokens = said.length <= most / 2 ? 0 : estimateTokens(said);
  // Of a conversation that is not kept, nothing may be written.
  if (tokens <= most || !session.isKept) return said;
  const text = toWellFormed(said);
  const path = longMessagePath(text);
  if (isPreview !== true) await keepLongMessage(personRoot, text);
  // Its beginning may be denser than the rest.
  let limit = Math.floor((text.length * most) / tokens);
  let shown = describeOffloaded(text, path, limit);
  while (estimateTokens(shown) > most && limit > 0) {
    limit = Math.floor(limit / 2);
    shown = describeOffloaded(text, path, limit);
  }
  return shown;
}

const mostAttachments = 20;
const largestImage = 64 * 1024 * 1024;

export interface UserContent {
  /** Text alone when there is no image to be seen, else images and then one text, which begins with what was said. */
  content: string | ContentPart[];
  /** Paths of the files that are only named in it. */
  files: string[];
}

export async function buildUserContent(
  text: string,
  media: readonly string[],
  images: ImageStoreOptions,
): Promise<UserContent> {
  const parts: ImagePart[] = [];
  const lines: string[] = [];
  const files: string[] = [];
  // One after the other: each image may take some of the memory.
  for (const path of media.slice(0, mostAttachments).map((name) => resolve(name))) {
    const shown = await readAttachment(path, images);
    if (typeof shown !== "string") {
      parts.push(shown);
      continue;
    }
    lines.push(`[Attachment: ${toPathText(path)} (${shown})]`);
    files.push(path);
  }
  const left = media.length - mostAttachments;
  if (left > 0) lines.push(`[${left} more attachments left out: a message takes ${mostAttachments}]`);
  const words = toWellFormed([text, ...lines].filter((line) => line !== "").join("\n"));
  if (parts.length === 0) return { content: words, files };
  return { content: words === "" ? parts : [...parts, { type: "text", text: words }], files };
}

/** The content with more text at its end, still with one text part at most. */
export function appendText(content: string | ContentPart[], text: string): string | ContentPart[] {
  if (typeof content === "string") return content === "" ? text : `${content}\n\n${text}`;
  const last = content.at(-1);
  if (last?.type !== "text") return [...content, { type: "text", text }];
  const joined: TextPart = { type: "text", text: `${last.text}\n\n${text}` };
  return [...content.slice(0, -1), joined];
}

/** An image that can be shown, or a phrase that replaces it. */
async function readAttachment(path: string, images: ImageStoreOptions): Promise<ImagePart | string> {
  try {
    return await withAttached(path, async (found) =>
      typeof found === "string" ? refusals[found] : await readRegular(found, images),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return reasons[code] ?? `cannot be shown: ${code}`;
  }
}

const reasons: Record<string, string> = {
  ENOENT: "not there",
  ENOTDIR: "not there",
  EACCES: "permission denied",
};

const refusals: Record<NoFile, string> = {
  folder: "a folder",
  special: "a device, pipe or socket, not a file",
  empty: "an empty file",
};

async function readRegular(
  { sample, size, readAll }: AttachedFile,
  images: ImageStoreOptions,
): Promise<ImagePart | string> {
  const type = sniffImageType(sample);
  if (type === undefined) {
    const isText = detectEncoding(sample, sample.length === size) !== undefined;
    return `${isText ? "text/plain" : describeBinary(sample)}, ${formatSize(size)}`;
  }
  if (size > largestImage) return `${type}, ${formatSize(size)}; too large to be shown`;
  const stored = await storeImage(await readAll(), images);
  if (!stored.ok) return `${type}, ${formatSize(size)}; ${stored.problem}`;
  return { type: "image_url", image_url: { url: stored.url } };
}

/** A name with a line break in it must not add a line. */
function toPathText(path: string): string {
  return takeHead(path, 1000).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `512 B`, `1.2 MB` */
function formatSize(size: number): string {
  const power = Math.min(3, Math.floor(Math.log2(size) / 10));
  if (power === 0) return `${size} B`;
  return `${(size / 1024 ** power).toFixed(1)} ${["B", "KB", "MB", "GB"][power]}`;
}
