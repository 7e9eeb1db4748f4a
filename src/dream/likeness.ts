// How much two short texts have in common, by their words. Chinese characters count as words.

export function toWordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[[\p{L}\p{N}_]--\p{Script=Han}]+/gv) ?? []);
}

/** Share of the first text's words that the second has too, from 0 to 1. */
export function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : words.intersection(others).size / words.size;
}

/** Common words among all words of both, from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [words, others] = [toWordSet(a), toWordSet(b)];
  return words.size + others.size === 0 ? 0 : words.intersection(others).size / words.union(others).size;
}
