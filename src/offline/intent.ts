// One rule of the offline model: which words it answers to, and what it does then; and the search for the rule that fits.
import type { Language } from "../i18n/words.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { stripRuntimeContext } from "../lib/runtime-block.ts";
import type { Message, ModelRequest, ToolMessage } from "../llm/types.ts";
import type { Addition } from "./tell.ts";

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a request is about, by name: a path, the words to search for. */
export type Subject = Record<string, string>;

export type Saying = Record<Language, string>;

interface Words {
  /** Those with Chinese words in them are answered in Chinese, the others in English. */
  patterns: RegExp[];
  /** Longer messages are not meant. Default 300 characters. */
  longest?: number;
  /** What is to be written down keeps its last mark and particle. */
  isVerbatim?: boolean;
  /** From the named groups of a pattern; undefined: it looked like this request but is none. */
  take?(groups: Subject, turn: Turn): Subject | undefined;
}

/** It says something, or makes one call and reports the result, or adds a line to a file. */
export type Intent = Words &
  (
    | { say(turn: Turn, version: string): Saying }
    | { call(subject: Subject): Call; tell(result: Result, subject: Subject): Saying }
    | { add(subject: Subject): Addition }
  );

export interface Match {
  intent: Intent;
  subject: Subject;
  language: Language;
}

const longestRequest = 20_000;

const courtesies =
  /^(?:(?:hi|hello|hey|ok|okay|nanobot|please|pls)(?:\s+nanobot)?[\s,!.，！]+|(?:can|could|would|will) you (?:please )?|(?:i want|i'd like) you to |(?:你好|您好)[，,！!\s]+|请问|请|麻烦你?|帮我|帮忙|你?能不能|你?可以|你能)(?=\S)/i;

/** The first rule of the table that fits the words. */
export function findMatch(intents: readonly Intent[], text: string, turn: Turn): Match | undefined {
  if (text.length > longestRequest) return undefined;
  for (const words of [text, withoutCourtesies(text)]) {
    const request = withoutEnd(words);
    for (const intent of intents) {
      if (words.length > (intent.longest ?? 300)) continue;
      const match = matchIntent(intent, intent.isVerbatim === true ? words : request, turn);
      if (match !== undefined) return match;
    }
  }
  return undefined;
}

function matchIntent(intent: Intent, words: string, turn: Turn): Match | undefined {
  for (const pattern of intent.patterns) {
    const found = pattern.exec(words);
    if (found === null) continue;
    const subject = intent.take ? intent.take({ ...found.groups }, turn) : {};
    // The build writes Chinese characters in patterns as \uXXXX.
    const language = /\p{Script=Han}|\\u[4-9]/u.test(pattern.source) ? "chinese" : "english";
    if (subject !== undefined) return { intent, subject, language };
  }
  return undefined;
}

function withoutCourtesies(text: string): string {
  let words = text;
  for (let count = 0; count < 4; count++) words = words.replace(courtesies, "").trimStart();
  return words;
}

/** Without particles and marks at its end; the dot of a path and the words of a command stay. */
function withoutEnd(text: string): string {
  if (/^[$!]/.test(text)) return text;
  return text
    .replace(/(?:[,\s]{1,5}please|吧|吗|呢)?[?？。！～~]{0,9}$/i, "")
    .replace(/(?<=[\p{L}\p{N}"'`”])[.!]{1,9}$/u, "");
}

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
