// One rule of the offline model: which words it answers to, which tools it drives, and how it tells the outcome.
import type { Language } from "../../lib/words.ts";
import type { Turn } from "./turn.ts";

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a request is about, by name: a path, the words to search for. */
export type Subject = Record<string, string>;

export type Saying = Record<Language, string>;

export interface Intent {
  english: RegExp[];
  chinese: RegExp[];
  /** Words that belong to no language, such as a sum. */
  either?: RegExp[];
  /** Longer messages are not meant. Default 300 characters. */
  longest?: number;
  /** What is to be written down keeps its last mark and particle. */
  isVerbatim?: boolean;
  /** From the named groups of a pattern; undefined: it looked like this request but is none. */
  take?(groups: Subject): Subject | undefined;
  /** The next call, judged by the results so far; undefined: time to tell. */
  next?(subject: Subject, turn: Turn): Call | undefined;
  tell(subject: Subject, turn: Turn, version: string): Saying;
}

export interface Match {
  intent: Intent;
  subject: Subject;
  language: Language;
}

const longestRequest = 20_000;

const courtesies =
  /^(?:(?:hi|hello|hey|ok|okay|nanobot|please|pls)(?:\s+nanobot)?[\s,!.，！]+|(?:can|could|would|will) you (?:please )?|(?:i want|i'd like) you to |(?:你好|您好)[，,！!\s]+|请问|请|麻烦你?|帮我|帮忙|你?能不能|你?可以|你能)(?=\S)/i;

/** The first rule of the table that fits the words. */
export function findMatch(intents: readonly Intent[], { text, language }: Turn): Match | undefined {
  if (text.length > longestRequest) return undefined;
  for (const words of [text, withoutCourtesies(text)]) {
    const request = withoutEnd(words);
    for (const intent of intents) {
      if (words.length > (intent.longest ?? 300)) continue;
      const match = matchIntent(intent, intent.isVerbatim === true ? words : request, language);
      if (match !== undefined) return match;
    }
  }
  return undefined;
}

function matchIntent(intent: Intent, words: string, language: Language): Match | undefined {
  const groups: Array<[Language, RegExp[]]> = [
    ["english", intent.english],
    ["chinese", intent.chinese],
    [language, intent.either ?? []],
  ];
  for (const [spoken, patterns] of groups) {
    for (const pattern of patterns) {
      const found = pattern.exec(words);
      if (found === null) continue;
      const subject = intent.take ? intent.take({ ...found.groups }) : {};
      if (subject !== undefined) return { intent, subject, language: spoken };
    }
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
