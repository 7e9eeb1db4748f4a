// The files that came with a user's message: images as parts before the text, others as lines after it. A file that
// cannot be shown becomes a line that says why, never a failure of the turn.
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type ImageStoreOptions, storeImage } from "../guards/image-store.ts";
import { sniffImageType } from "../lib/image-type.ts";
import { takeHead, toWellFormed } from "../lib/text.ts";
import type { ContentPart, ImagePart, TextPart } from "../llm/types.ts";
import { describeBinary } from "../tools/file-kind.ts";
import { detectEncoding } from "../tools/text-encoding.ts";

const mostAttachments = 20;
const largestImage = 64 * 1024 * 1024;
const sampleSize = 4096;

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

/** An image that can be shown, or a phrase about what is there instead. */
async function readAttachment(path: string, images: ImageStoreOptions): Promise<ImagePart | string> {
  try {
    // Looked at before it is opened: opening a device can have effects. O_NONBLOCK for a pipe that came in between.
    const refusal = refuse(await stat(path));
    if (refusal !== undefined) return refusal;
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      return refuse(status) ?? (await readRegular(file, status.size, images));
    } finally {
      await file.close();
    }
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

function refuse(status: Stats): string | undefined {
  if (status.isDirectory()) return "a folder";
  if (!status.isFile()) return "a device, pipe or socket, not a file";
  return status.size === 0 ? "an empty file" : undefined;
}

async function readRegular(
  file: FileHandle,
  size: number,
  images: ImageStoreOptions,
): Promise<ImagePart | string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, 0);
  const sample = buffer.subarray(0, bytesRead);
  const type = sniffImageType(sample);
  if (type === undefined) {
    const isText = detectEncoding(sample, bytesRead === size) !== undefined;
    return `${isText ? "text/plain" : describeBinary(sample)}, ${formatSize(size)}`;
  }
  if (size > largestImage) return `${type}, ${formatSize(size)}; too large to be shown`;
  const stored = await storeImage(await file.readFile(), images);
  if (!stored.ok) return `${type}, ${formatSize(size)}; ${stored.problem}`;
  return { type: "image_url", image_url: { url: stored.url } };
}

/** A name with a line break in it must not write a line of its own. */
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
