// A question to a person as data: what is asked, and what can be chosen. Every surface can show and answer it.
import type { Phrase } from "../i18n/phrase.ts";

export interface Choice {
  id: string;
  phrase: Phrase;
}

export interface Question {
  phrase: Phrase;
  /** What it is about, as text that is shown as it is, such as the lines that would go. */
  details?: string[];
  /** The last one is what happens when nobody answers. */
  choices: readonly Choice[];
}
