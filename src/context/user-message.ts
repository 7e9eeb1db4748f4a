// A user's message as it is sent: what was written and attached, within bounds, and the blocks that are added to it.
import type { ImageLimits } from "../llm/image-limits.ts";
import type { ContentPart, UserMessage } from "../llm/types.ts";
import { appendText } from "./attachments.ts";
import type { ContextBuilder } from "./builder.ts";
import { boundMessage, type MessageRoom } from "./long-message.ts";

export interface Said extends MessageRoom {
  text: string;
  media: string[];
  imageLimits?: ImageLimits;
}

export async function renderUserMessage(
  builder: ContextBuilder,
  said: Said,
  blocks: readonly string[] = [],
): Promise<UserMessage> {
  const text = await boundMessage(said.text, said);
  const content: string | ContentPart[] = await builder.buildUserContent(text, said.media, said.imageLimits);
  return { role: "user", content: blocks.filter((block) => block !== "").reduce(appendText, content) };
}
