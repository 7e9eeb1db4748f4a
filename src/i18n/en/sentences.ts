// Sentences that are made where no language is known, or stored: always in English first, and retold to a person by
// `retell`. A parameter at the end of a sentence reaches to the end of its line.
import { englishWishes } from "./wishes.ts";

export const englishSentences = {
  wishes: englishWishes,
};
