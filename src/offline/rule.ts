// One rule of the demo: which words it understands and what it does then; the turn as rules see it; and the search for the
// rule that fits.
import { type DemoRequest, englishDemoRequests } from "../i18n/en/demo-requests.ts";
import { createWords, type Language, type Words } from "../i18n/words.ts";
import { chineseDemoRequests } from "../i18n/zh/demo-requests.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { stripRuntimeContext } from "../lib/formats/runtime-block.ts";
import type { Message, ModelRequest } from "../llm/types.ts";

export type Call = { name: string; arguments: Record<string, unknown> };

/** What a request is about, by name: a path, the words to search for. */
export type Subject = Record<string, string>;

/** Of the named tool. */
export type Result = { name: string; text: string; hasImage: boolean };

export interface Turn {
  text: string;
  language: Language;
  /** Below its messages the page has buttons: examples, and one that connects a model. */
  hasButtons: boolean;
  /** In the order of the calls; empty when the user has just spoken. */
  results: Result[];
  time: string;
  /** The same as a number, as if the user lived in UTC. */
  wallTime: number;
}

/** With the result of the last call. */
export interface Step extends Turn {
  words: Words;
  subject: Subject;
  result?: Result;
}

export interface Rule {
  /** Of the words that it understands, and is answered in the language of. */
  name: DemoRequest;
  /** Longer messages are not meant. Default 300 characters. */
  longest?: number;
  /** What is to be written down keeps its last mark and particle. */
  isVerbatim?: boolean;
  /** From the named groups of a pattern; undefined: it looked like this request but is none. */
  take?(groups: Subject, turn: Turn): Subject | undefined;
  /** What it says, or the next tool that it calls. */
  next(step: Step): string | Call;
}

const requests = { english: englishDemoRequests, chinese: chineseDemoRequests };

/** What the first rule that fits says or does; undefined: none fits. */
export function applyRules(rules: readonly Rule[], text: string, turn: Turn): string | Call | undefined {
  for (const words of [text, withoutCourtesies(text)]) {
    const request = withoutEnd(words);
    for (const rule of rules) {
      if (words.length > (rule.longest ?? 300)) continue;
      const next = applyRule(rule, rule.isVerbatim === true ? words : request, turn);
      if (next !== undefined) return next;
    }
  }
  return undefined;
}

function applyRule(rule: Rule, request: string, turn: Turn): string | Call | undefined {
  for (const language of ["english", "chinese"] as const)
    for (const pattern of requests[language][rule.name]) {
      const match = pattern.exec(request);
      const subject = match && (rule.take ? rule.take({ ...match.groups }, turn) : {});
      if (!subject) continue;
      const result = turn.results.at(-1);
      return rule.next({ ...turn, words: createWords(language), subject, ...(result && { result }) });
    }
  return undefined;
}

function withoutCourtesies(text: string): string {
  const patterns = Object.values(requests).flatMap(({ courtesy }) => courtesy);
  const shorter = patterns.reduce((words, pattern) => words.replace(pattern, "").trimStart(), text);
  return shorter === text ? text : withoutCourtesies(shorter);
}

/** Without particles and marks at its end; the dot of a path and the words of a command stay. */
function withoutEnd(text: string): string {
  if (/^[$!]/.test(text)) return text;
  return text
    .replace(/(?:[,\s]{1,5}please|吧|吗|呢)?[?？。！～~]{0,9}$/i, "")
    .replace(/(?<=[\p{L}\p{N}"'`”])[.!]{1,9}$/u, "");
}

const attachmentLine = /^\[Attachment: .*\]$/gm;

export function readTurn({ messages }: ModelRequest, clock: Clock): Turn {
  const last = messages.findLastIndex((message) => message.role === "user");
  const said = toText(messages[last] ?? { content: "" });
  const spoken = stripRuntimeContext(said);
  const facts = said.slice(spoken.length);
  const statedTime = /^Current Time: (.{1,100})$/m.exec(facts)?.[1];
  const time = statedTime ?? toLocalIso(clock.now()).slice(0, 16).replace("T", " ");
  const minute = Date.parse(`${time.slice(0, 16).replace(" ", "T")}:00Z`);
  return {
    text: spoken.replaceAll(attachmentLine, "").trim(),
    language: detectLanguage(messages),
    hasButtons: /^Channel: web$/m.test(facts),
    results: messages.slice(last + 1).flatMap((message) => toResult(message) ?? []),
    time,
    // Seconds are the same in every zone.
    wallTime: (Number.isNaN(minute) ? clock.now() : minute) + (clock.now() % 60_000),
  };
}

function toResult(message: Message): Result | undefined {
  if (message.role !== "tool") return undefined;
  const parts = Array.isArray(message.content) ? message.content : [];
  const hasImage = parts.some(({ type }) => type === "image_url");
  return { name: message.name, text: toText(message).trim(), hasImage };
}

function toText({ content }: Pick<Message, "content">): string {
  if (!Array.isArray(content)) return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Of the newest words that are in a language at all: an emoji goes on in the one before. */
function detectLanguage(messages: readonly Message[]): Language {
  const users = messages.filter(({ role }) => role === "user").slice(-20);
  const texts = users.map((message) => stripRuntimeContext(toText(message)).slice(0, 2000));
  const text = texts.findLast((one) => /\p{L}/u.test(one)) ?? "";
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  return !isJapanese && /\p{Script=Han}/u.test(text) ? "chinese" : "english";
}
