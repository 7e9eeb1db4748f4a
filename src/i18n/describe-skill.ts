// What there is to say about a skill, as coded sentences.
import { revealLine } from "../lib/visible-text.ts";
import { englishPhrases } from "./en/phrases/index.ts";
import { isPhraseCode, type Phrase, phrase } from "./phrase.ts";

interface Skill {
  name: string;
  description: string;
  source: string;
}

/** What it is for: in the reader's language where the program itself brings it. */
export function phraseAbout({ name, description, source }: Skill): Phrase {
  const code = `skills.built-in.${name}`;
  return source === "built-in" && isPhraseCode(code, englishPhrases)
    ? phrase(code)
    : phrase("skills.described", { description: revealLine(description) });
}
