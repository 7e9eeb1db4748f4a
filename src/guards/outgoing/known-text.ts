// Finds in a text that is about to leave what a conversation was shown: eight or more letters and digits in a row, whatever
// their case and what is between them. Text that everyone may have written does not count.
import commonWords from "./common-words.json" with { type: "json" };
import { readAllWays } from "./decodings.ts";

/** Something that was shown, and where it was. */
export interface KnownText {
  source: string;
  text: string;
  /** Only its letters and digits. */
  folded: string;
}

export interface Passage {
  source: string;
  /** As it was shown. */
  text: string;
}

/** Letters and digits that make a passage. */
const passageLength = 8;
/** A name of two words, or two words next to each other by chance, with small words between them. */
const mostOrdinaryWords = 2;
const mostSmallWords = 3;
const longestShown = 80;

export function toKnownText(source: string, shown: string): KnownText {
  return { source, text: shown, folded: fold(shown) };
}

/**
 * `shared`: what others have written, too, such as the owner or a page. `earlier`: what left the same way before, of which
 * this may be a further piece.
 */
export function findPassage(
  outgoing: string,
  shown: readonly KnownText[],
  shared: readonly KnownText[],
  earlier: readonly string[] = [],
): Passage | undefined {
  const ends = [earlier.join(""), ...earlier].map((text) => fold(text).slice(1 - passageLength));
  const joined = [...new Set(ends)].map((end) => end + fold(outgoing).slice(0, passageLength - 1));
  const grams = new Grams([...readAllWays(outgoing), ...joined]);
  for (const { folded } of shared) for (const at of grams.placesIn(folded)) grams.forget(folded, at);
  for (const known of shown) {
    const passage = findIn(known, grams);
    if (passage !== undefined) return passage;
  }
  return undefined;
}

function findIn(known: KnownText, grams: Grams): Passage | undefined {
  let start = -1;
  let end = -1;
  for (const at of [...grams.placesIn(known.folded), Number.POSITIVE_INFINITY]) {
    if (start >= 0 && at > end - passageLength + 1) {
      const words = wordsAround(known.text, start, end);
      if (!isOrdinary(words)) return { source: known.source, text: words.join(" ").slice(0, longestShown) };
      start = -1;
    }
    if (start < 0) start = at;
    end = at + passageLength;
  }
  return undefined;
}

/** Signs that look like letters, and those letters: folded on both sides alike. */
const likes = "аеорсухіѕјкмтвнαορνι013457";
const letters = "aeopcyxisjkmtbhaopvioleast";

function fold(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
  return plain
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll(/[а-ѵα-ω0-7]/g, (sign) => letters[likes.indexOf(sign)] ?? sign);
}

/** Whole words of the text between two places of what is left of it when folded. */
function wordsAround(text: string, start: number, end: number): string[] {
  const words: string[] = [];
  let place = 0;
  for (const [word] of text.matchAll(/\S+/g)) {
    const next = place + fold(word).length;
    if (next > start && place < end && next > place) words.push(word);
    if (next >= end) break;
    place = next;
  }
  return words;
}

let common: Set<string> | undefined;

/** A word or two that occur in any text: common ones, names, dates. A key or a passphrase is none of them. */
function isOrdinary(words: readonly string[]): boolean {
  const small = words.filter((word) => /^\P{L}*\p{L}{1,3}\P{L}*$/u.test(word)).length;
  const isShort = words.length - small <= mostOrdinaryWords && small <= mostSmallWords;
  return isShort && words.every(isOrdinaryWord);
}

function isOrdinaryWord(written: string): boolean {
  const word = written.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  if (/^\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?$/.test(word) || /^\d{1,4}$/.test(word)) return true;
  if (!/^\p{L}+(?:['’]\p{L}{1,2})?$/u.test(word)) return false;
  if (word.length <= 4 || /^\p{Lu}\p{Ll}{1,15}$/u.test(word)) return true;
  common ??= new Set(commonWords.words.split(" "));
  const plain = word.toLowerCase().replace(/['’].*$/, "");
  const bases = [
    plain,
    plain.replace(/(?:e?s|e?d|ing|ly|ers?)$/, ""),
    `${plain.replace(/(?:ed|ing)$/, "")}e`,
  ];
  return bases.some((base) => common?.has(base)) || common.has(plain.replace(/ies$/, "y"));
}

/** All runs of eight letters and digits of some texts, found in others by a rolling hash. */
class Grams {
  readonly #grams = new Set<string>();
  readonly #marks = new Uint8Array(1 << 16);

  constructor(texts: readonly string[]) {
    for (const text of texts.map(fold)) {
      for (let at = 0; at + passageLength <= text.length; at++)
        this.#grams.add(text.slice(at, at + passageLength));
    }
    for (const gram of this.#grams) this.#mark(gram);
  }

  #mark(gram: string): void {
    let hash = 0;
    for (let at = 0; at < passageLength; at++) hash = (Math.imul(hash, factor) + gram.charCodeAt(at)) | 0;
    this.#marks[hash >>> 16] = 1;
  }

  forget(folded: string, at: number): void {
    this.#grams.delete(folded.slice(at, at + passageLength));
  }

  *placesIn(folded: string): Generator<number> {
    if (this.#grams.size === 0) return;
    let hash = 0;
    for (let next = 0; next < folded.length; next++) {
      const at = next - passageLength;
      const gone = at >= 0 ? Math.imul(folded.charCodeAt(at), power) : 0;
      hash = (Math.imul((hash - gone) | 0, factor) + folded.charCodeAt(next)) | 0;
      if (next < passageLength - 1 || this.#marks[hash >>> 16] === 0) continue;
      if (this.#grams.has(folded.slice(at + 1, next + 1))) yield at + 1;
    }
  }
}

const factor = 0x01000193;
/** The factor to the power of one less than the length of a passage. */
const power = Array.from({ length: passageLength - 1 }).reduce<number>(
  (product) => Math.imul(product, factor),
  1,
);
