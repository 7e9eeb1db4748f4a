// Images of messages made ready for a wire: a stored file becomes a data URI, https and data pass through; or all of them
// left out. Files are content-addressed, so what was read once is kept by its path, within a bound.
import { fileURLToPath } from "node:url";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import type { ReadImage } from "../hosts/host.ts";
import type { ContentPart, ImagePart, Message, ModelRequest, TextPart } from "../types.ts";

const largestImage = 20 * 1024 * 1024;
const largestCache = 64 * 1024 * 1024;

/** Put on the wire in place of an image that could not be loaded; invites no description of it. */
export const missingImageNote = "[An image was here; its file is no longer available.]";
const unseenImage: TextPart = {
  type: "text",
  text: "[There was an image here, but this model cannot receive it. Its content is unknown.]",
};

const cache = new Map<string, string>();
let cached = 0;

/** Undefined when the file is gone, too large or no image: the wire then says so in a neutral note. */
export async function loadImageUrl(url: string, readImage: ReadImage): Promise<string | undefined> {
  if (/^(https:|data:image\/)/i.test(url)) return url;
  if (!/^file:/i.test(url) || !URL.canParse(url)) return undefined;
  const path = fileURLToPath(url);
  const known = cache.get(path);
  if (known !== undefined) return known;
  const read = await readImage(path, largestImage);
  const bytes = read && Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  const type = bytes === undefined ? undefined : sniffImageType(bytes);
  if (bytes === undefined || type === undefined) return undefined;
  return remember(path, `data:${type};base64,${bytes.toString("base64")}`);
}

/** The messages with every stored image as a data URI, or as a note where it is gone. Others stay the same objects. */
export async function loadImages(messages: readonly Message[], readImage: ReadImage): Promise<Message[]> {
  const loaded: Message[] = [];
  for (const message of messages) {
    const { content } = message;
    if (!Array.isArray(content) || !content.some(isImage)) loaded.push(message);
    else {
      const parts = content.map((part) => loadPart(part, readImage));
      loaded.push({ ...message, content: await Promise.all(parts) } as Message);
    }
  }
  return loaded;
}

export function hasImages({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some(isImage));
}

/** A copy for a model that cannot see; the request itself is not changed. */
export function withoutImages(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((part) => (isImage(part) ? unseenImage : part));
    return { ...message, content } as Message;
  });
  return { ...request, messages };
}

export function isImage(part: ContentPart): part is ImagePart {
  return part.type === "image_url";
}

async function loadPart(part: ContentPart, readImage: ReadImage): Promise<ContentPart> {
  if (!isImage(part)) return part;
  const url = await loadImageUrl(part.image_url.url, readImage);
  if (url === undefined) return { type: "text", text: missingImageNote };
  return { type: "image_url", image_url: { ...part.image_url, url } };
}

function remember(path: string, uri: string): string {
  cache.set(path, uri);
  cached += uri.length;
  for (const [oldest, value] of cache) {
    if (cached <= largestCache) break;
    cache.delete(oldest);
    cached -= value.length;
  }
  return uri;
}
