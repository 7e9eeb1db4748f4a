// What a terminal shows as the answers of an approval, from the catalogue.
import { toApprovalChoices } from "../../src/bus/ask.ts";
import { describeChoices, listChoices } from "../../src/i18n/describe-ask.ts";
import { createWords, type Language, say } from "../../src/i18n/words.ts";

const offered = toApprovalChoices({ session: true, always: true });

export function showChoices(language: Language = "english"): string {
  return describeChoices({ choices: offered }, createWords(language));
}

/** All of them are on a screen: as a menu, or in one line above what is typed. */
export function showsChoices(screen: string, language: Language = "english"): boolean {
  return listChoices({ choices: offered }, createWords(language)).every(({ label }) =>
    screen.includes(label),
  );
}

/** One of them, as it is shown when it was chosen. */
export function showChoice(choice: string, language: Language = "english"): string {
  return offered
    .filter(({ id }) => id === choice)
    .map(({ phrase }) => say(phrase, createWords(language)))
    .join();
}
