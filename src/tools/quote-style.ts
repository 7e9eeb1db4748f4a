// Typographic quotes: folded to plain ones for comparing, and kept when a passage that has them is replaced.

/** Every character stays one character, so that places in the text stay the same. Odd spaces are folded too. */
export function foldQuotes(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ");
}

/** Plain quotes of the new text become curly ones where the replaced passage has curly ones and the new text none. */
export function keepQuoteStyle(newText: string, replaced: string): string {
  const isDouble = /[\u201c\u201d]/.test(replaced) && !/[\u201c\u201d]/.test(newText);
  const isSingle = /[\u2018\u2019]/.test(replaced) && !/[\u2018\u2019]/.test(newText);
  const withDoubles = isDouble ? curlDoubles(newText) : newText;
  return isSingle ? curlSingles(withDoubles) : withDoubles;
}

/** In pairs: Chinese has no space before an opening quote. */
function curlDoubles(text: string): string {
  let isOpen = false;
  return text.replaceAll('"', () => {
    isOpen = !isOpen;
    return isOpen ? "\u201c" : "\u201d";
  });
}

/** By what stands before: most of them are apostrophes. */
function curlSingles(text: string): string {
  return text.replaceAll(/(^|[\s([{\u201c])'/g, "$1\u2018").replaceAll("'", "\u2019");
}
