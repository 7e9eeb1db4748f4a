// The sentences that are retold, in Chinese. The compiler keeps their shape equal to the English ones.
import type { englishSentences } from "../en/sentences.ts";
import { chineseWishes } from "./wishes.ts";

export const chineseSentences: typeof englishSentences = {
  wishes: chineseWishes,
};
