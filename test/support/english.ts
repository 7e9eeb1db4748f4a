// What the program says in English, as tests expect it: from the catalogue, so that they hold whatever its wording is.
import { type PhraseArguments, type PhraseCode, phrase } from "../../src/i18n/phrase.ts";
import { createWords, sayInEnglish } from "../../src/i18n/words.ts";

export const words = createWords("english");

export function sentence<Code extends PhraseCode>(code: Code, ...params: PhraseArguments<Code>): string {
  return sayInEnglish(phrase(code, ...params));
}

/** In place of a parameter that the test does not know, whatever its type: `like(words.trust.until(anything))`. */
export const anything = "*anything*" as never;

/** Matches text that contains this one, and captures what represents anything. */
export function like(text: string): RegExp {
  const parts = text.split(anything).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join("(.*)"));
}

/** Every sentence is replaced by its key in this run: `CATALOGUE=keys`. */
export const hasKeys = process.env.CATALOGUE === "keys";
