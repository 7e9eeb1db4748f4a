// Says in a person's language what was already said in English, by finding the catalogue's own sentences in it. Whatever
// is not one of them, such as what a host wrote, stays as it is.
import { english } from "./en/index.ts";
import type { Words } from "./words.ts";

type Sentence = string | ((...parameters: string[]) => string);

/** Stands for a parameter while a sentence becomes a pattern. */
const hole = "\u0000";
const mostParameters = 4;

export function retell(text: string, words: Words): string {
  if (words.sentences === english.sentences) return text;
  const sentences: Record<string, Sentence> = words.sentences.wishes;
  return Object.entries<Sentence>(english.sentences.wishes).reduce(
    (line, [key, sentence]) => retellOne(line, sentence, sentences[key] ?? sentence),
    text,
  );
}

function retellOne(text: string, sentence: Sentence, inLanguage: Sentence): string {
  return text.replace(toPattern(sentence), (...match: unknown[]) =>
    say(inLanguage, match.slice(1, -2).map(String)),
  );
}

function say(sentence: Sentence, parameters: string[]): string {
  return typeof sentence === "string" ? sentence : sentence(...parameters);
}

function toPattern(sentence: Sentence): RegExp {
  const parts = say(sentence, Array<string>(mostParameters).fill(hole)).split(hole).map(escapePattern);
  const isOpen = parts.at(-1) === "";
  return new RegExp(isOpen ? `${parts.slice(0, -1).join("(.*?)")}(.*)` : parts.join("(.*?)"), "g");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
