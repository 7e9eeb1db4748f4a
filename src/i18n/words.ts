// The catalogue of sentences for people, in English and Chinese. Knows no surface: callers interpolate and print.
// Sentences for the model are not here.
import { nanobot } from "../lib/program-command.ts";
import { revealLine } from "../lib/visible-text.ts";
import { english } from "./en/index.ts";
import { isPhraseCode, type Phrase, phrase, renderPhrase } from "./phrase.ts";
import { chinese } from "./zh/index.ts";

export type Language = "english" | "chinese";

export type Words = typeof english;

const catalogue: Readonly<Record<Language, Words>> = {
  english,
  // The build loads it here instead of above: few starts speak both languages.
  get chinese() {
    return chinese;
  },
};

export function createWords(language: Language): Words {
  return catalogue[language];
}

/** A coded sentence in the language of these words. */
export function say(phrase: Phrase, words: Words): string {
  return renderPhrase(phrase, words.phrases, { program: nanobot });
}

/** For models, logs and programs: sentences one after the other. */
export function sayInEnglish(...phrases: readonly Phrase[]): string {
  return phrases.map((phrase) => say(phrase, english)).join(" ");
}

/** The words in the language of a reader, or these words where that is unknown. */
export function speakTo({ language }: { language?: Language }, words: Words): Words {
  return language === undefined ? words : catalogue[language];
}

/** The first of LC_ALL, LC_MESSAGES and LANG that is set decides, as in every program of a Unix system. */
export function detectLanguage(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^zh([_.@-]|$)/i.test(locale) ? "chinese" : "english";
}

export type ApprovalAnswer = "once" | "session" | "always" | "no";

/** A person's answer to an approval, in either language whatever the locale; undefined when it is not one. */
export function readApprovalAnswer(text: string): ApprovalAnswer | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!。！]+$/u, "");
  const all = Object.values(catalogue).map((words) => words.approval.answers);
  for (const answer of ["once", "session", "always", "no"] as const) {
    if (all.some((answers) => answers[answer].includes(word))) return answer;
  }
  return undefined;
}

interface Skill {
  name: string;
  description: string;
  source: string;
}

/** What a skill is for, in the reader's language if it is built in. */
export function phraseAbout({ name, description, source }: Skill): Phrase {
  const code = `skills.built-in.${name}`;
  return source === "built-in" && isPhraseCode(code, english.phrases)
    ? phrase(code)
    : phrase("skills.described", { description: revealLine(description) });
}
