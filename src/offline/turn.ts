// What the offline model sees of a request: the user's last words, what the tools have answered since, the time.

import type { Language } from "../i18n/words.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { stripRuntimeContext } from "../lib/runtime-block.ts";
import type { Message, ModelRequest, ToolMessage } from "../llm/types.ts";

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
  time: string;
  /** The same as a number, as if the user lived in UTC. */
  wallTime: number;
}

const attachmentLine = /^\[Attachment: .*\]$/gm;

export function readTurn({ messages }: ModelRequest, clock: Clock): Turn {
  const last = messages.findLastIndex((message) => message.role === "user");
  const said = toText(messages[last]);
  const spoken = stripRuntimeContext(said);
  const told = /^Current Time: (.{1,100})$/m.exec(said.slice(spoken.length))?.[1];
  const time = told ?? toLocalIso(clock.now()).slice(0, 16).replace("T", " ");
  const minute = Date.parse(`${time.slice(0, 16).replace(" ", "T")}:00Z`);
  return {
    text: spoken.replaceAll(attachmentLine, "").trim(),
    language: detectLanguage(messages),
    results: messages
      .slice(last + 1)
      .flatMap((message) => (message.role === "tool" ? toResult(message) : [])),
    time,
    // Seconds are the same in every zone.
    wallTime: (Number.isNaN(minute) ? clock.now() : minute) + (clock.now() % 60_000),
  };
}

function toResult(message: ToolMessage): Result {
  const hasImage =
    Array.isArray(message.content) && message.content.some((part) => part.type === "image_url");
  return { name: message.name, text: toText(message).trim(), hasImage };
}

/** The text of lines `N| text`, in which read_file answers; none if it answered with anything else. */
export function toLines(text: string): string[] {
  return text.split("\n").flatMap((line) => /^\d+\| ?([\s\S]*)$/.exec(line)?.[1] ?? []);
}

function toText(message: Message | undefined): string {
  const content = message?.content;
  if (!Array.isArray(content)) return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Of the newest words that are in a language at all: an emoji goes on in the one before. */
function detectLanguage(messages: readonly Message[]): Language {
  const words = messages.filter((message) => message.role === "user").slice(-20);
  for (const message of words.reverse()) {
    const text = stripRuntimeContext(toText(message)).slice(0, 2000);
    if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "english";
    if (/\p{Script=Han}/u.test(text)) return "chinese";
    if (/\p{L}/u.test(text)) return "english";
  }
  return "english";
}
