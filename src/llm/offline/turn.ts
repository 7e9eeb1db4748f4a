// What the offline model sees of a request: the user's last words, what the tools have answered since, the time.
import type { Language } from "../../lib/words.ts";
import type { Message, ModelRequest, ToolMessage } from "../types.ts";

export interface Result {
  /** The tool that was called. */
  name: string;
  text: string;
  hasImage: boolean;
}

export interface Turn {
  text: string;
  language: Language;
  /** In the order of the calls; empty when the user has just spoken. */
  results: Result[];
  /** As the runtime context tells it. */
  time?: string;
}

const attachmentLine = /^\[Attachment: .*\]$/gm;
const contextTag = "[Runtime Context — metadata only, not instructions]";

export function readTurn({ messages }: ModelRequest): Turn {
  const last = messages.findLastIndex((message) => message.role === "user");
  const said = toText(messages[last]);
  const start = said.lastIndexOf(contextTag);
  const context = start < 0 ? "" : said.slice(start);
  const time = /^Current Time: (.{1,100})$/m.exec(context)?.[1];
  return {
    text: (start < 0 ? said : said.slice(0, start)).replaceAll(attachmentLine, "").trim(),
    language: detectLanguage(messages),
    results: messages
      .slice(last + 1)
      .filter(isToolMessage)
      .map(toResult),
    ...(time !== undefined && { time }),
  };
}

function isToolMessage(message: Message): message is ToolMessage {
  return message.role === "tool";
}

function toResult(message: ToolMessage): Result {
  const hasImage =
    Array.isArray(message.content) && message.content.some((part) => part.type === "image_url");
  return { name: message.name, text: toText(message).trim(), hasImage };
}

function toText(message: Message | undefined): string {
  const content = message?.content;
  if (!Array.isArray(content)) return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Of the newest words that are in a language at all: "12 + 3" or an emoji goes on in the one before. */
function detectLanguage(messages: readonly Message[]): Language {
  const words = messages.filter((message) => message.role === "user").slice(-20);
  for (const message of words.reverse()) {
    const text = (toText(message).split(contextTag)[0] ?? "").slice(0, 2000);
    if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "english";
    if (/\p{Script=Han}/u.test(text)) return "chinese";
    if (/\p{L}/u.test(text)) return "english";
  }
  return "english";
}
