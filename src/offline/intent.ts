// One rule of the offline model: which words it answers to, and what it does then; and the search for the rule that fits.
import type { Language } from "../i18n/words.ts";
import type { Addition } from "./append.ts";
import type { Result, Turn } from "./turn.ts";

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
  take?(groups: Subject): Subject | undefined;
}

/** It says something, or makes one call and tells the result, or adds a line to a file. */
export type Intent = Words &
  (
    | { say(turn: Turn, version: string): Saying }
    | { call(subject: Subject, turn: Turn): Call; tell(result: Result, subject: Subject): Saying }
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
export function findMatch(intents: readonly Intent[], text: string): Match | undefined {
  if (text.length > longestRequest) return undefined;
  for (const words of [text, withoutCourtesies(text)]) {
    const request = withoutEnd(words);
    for (const intent of intents) {
      if (words.length > (intent.longest ?? 300)) continue;
      const match = matchIntent(intent, intent.isVerbatim === true ? words : request);
      if (match !== undefined) return match;
    }
  }
  return undefined;
}

function matchIntent(intent: Intent, words: string): Match | undefined {
  for (const pattern of intent.patterns) {
    const found = pattern.exec(words);
    if (found === null) continue;
    const subject = intent.take ? intent.take({ ...found.groups }) : {};
    const language = /\p{Script=Han}/u.test(pattern.source) ? "chinese" : "english";
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
