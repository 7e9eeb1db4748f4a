// A request for a model that cannot see: every image replaced by a line that invites no guess at what it shows.
import { isImage } from "./image-parts.ts";
import type { ContentPart, Message, ModelRequest } from "./types.ts";

const placeholder: ContentPart = {
  type: "text",
  text: "[There was an image here, but this model cannot receive it. Its content is unknown.]",
};

export function hasImages({ messages }: ModelRequest): boolean {
  return messages.some((message) => Array.isArray(message.content) && message.content.some(isImage));
}

/** A copy; the request itself is not changed. */
export function withoutImages(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(replaceImages) };
}

function replaceImages(message: Message): Message {
  if (!Array.isArray(message.content)) return message;
  const content = message.content.map((part) => (isImage(part) ? placeholder : part));
  return { ...message, content } as Message;
}
