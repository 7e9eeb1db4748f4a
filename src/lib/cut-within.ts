// Cuts a text to a number of tokens, by whatever way of cutting it to characters.
import { estimateTokens } from "./tokens.ts";

/** Less of a text than this says nothing. */
const leastTokens = 40;

/** The longest cut that takes no more; "" when nothing sensible is left. */
export function cutWithin(text: string, most: number, cut: (limit: number) => string): string {
  const tokens = estimateTokens(text);
  if (tokens <= most) return text;
  if (most < leastTokens) return "";
  let limit = Math.floor((text.length * most) / tokens);
  for (;;) {
    const shown = cut(limit);
    const estimate = estimateTokens(shown);
    if (estimate <= most) return shown;
    // Chinese costs three times as much: the same share of the text may need another round.
    limit = Math.floor((limit * most) / estimate) - 1;
    if (limit <= 0) return "";
  }
}
