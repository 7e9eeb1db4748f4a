// Text to the tokens that are indexed and searched for: words by their stems, identifiers and paths whole and in parts,
// Chinese, Japanese and Korean in pairs of characters, so that words of two characters are found without a dictionary.
import { relatedTo } from "./related-words.ts";
import { stem } from "./stem.ts";

export interface Term {
  token: string;
  /** Tokens that speak of the same thing in other words. */
  related: readonly string[];
}

export interface Tokenised {
  /** Each once: how often a word stands in one message says nothing. */
  tokens: Set<string>;
  /** Number of words. */
  length: number;
}

const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing done don down during each few for from get getting go going gone got had has have having he her
  here hers him his how i if in into is it its just let ll m may me might more most must my myself no nor not now of off
  on once only or other our ours out over own re s same shall she should so some such t than that the their theirs them
  then there these they this those through to too under until up us ve very was we went were what when where which while
  who whom whose why will with would you your yours`.split(/\s+/),
);

/** Parts of questions and small words; what stands between them is looked for. */
const wideStopWords =
  /什么|怎么|怎样|为什么|哪里|哪儿|哪个|哪些|多少|是否|有没有|我们|你们|他们|她们|一个|这个|那个|可以|时候|关于|告诉|请问|[的了吗呢啊吧呀是在我你您他她它这那和与或就都也还又把被给对从到要想会能很请の]/g;

const wide = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー`;
const narrow = String.raw`[[\p{L}\p{M}\p{N}_]--[${wide}]]`;
const pattern = new RegExp(String.raw`(?<wide>[${wide}]+)|${narrow}+(?:[.\/\\:@#+\-]{1,3}${narrow}+)*`, "gv");
const camelCase = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const longestToken = 64;

/** For the index. */
export function tokenise(text: string): Tokenised {
  const tokens = new Set<string>();
  let length = 0;
  for (const { 0: chunk, groups } of normalise(text).matchAll(pattern)) {
    if (groups?.wide !== undefined) {
      length += chunk.length;
      for (const token of [...chunk, ...toPairs(chunk)]) tokens.add(token);
    } else {
      const { words, wholes } = splitChunk(chunk);
      length += words.length;
      for (const token of [...words, ...wholes]) tokens.add(token);
    }
  }
  return { tokens, length };
}

/** For a search: the words of a question that carry meaning, each once, in its order. */
export function toTerms(query: string): Term[] {
  const terms = new Map<string, Term>();
  for (const { 0: chunk, groups } of normalise(query).matchAll(pattern)) {
    const tokens = groups?.wide === undefined ? splitChunk(chunk) : splitWide(chunk);
    for (const token of [...tokens.words, ...tokens.wholes]) {
      terms.set(token, { token, related: relatedTo(token) });
    }
  }
  return [...terms.values()];
}

function normalise(text: string): string {
  const folded = /[^\p{ASCII}]/u.test(text) ? text.normalize("NFKC") : text;
  return folded.replaceAll(/(?<=\p{L})(?:['’]s\b|n['’]t\b|['’](?:ll|re|ve|d|m)\b)/gu, " ");
}

/** `src/lib/fooBar.ts` is src, lib, foo, bar and ts, and also foobarts and the whole path without its signs. */
function splitChunk(chunk: string): { words: string[]; wholes: string[] } {
  const segments = chunk.split(/[/\\:]+/).map((segment) => segment.split(/[._@#+-]+/).flatMap(splitCase));
  const words = segments.flat().filter((word) => word !== "");
  const wholes = words.length < 2 ? [] : [words, ...segments.filter((segment) => segment.length > 1)];
  return {
    words: words
      .map(fold)
      .filter((word) => !stopWords.has(word))
      .map(toToken),
    wholes: wholes.map((parts) => toToken(fold(parts.join("")))),
  };
}

function splitCase(word: string): string[] {
  return word === word.toLowerCase() ? [word] : word.split(camelCase);
}

function splitWide(chunk: string): { words: string[]; wholes: string[] } {
  const runs = chunk.split(wideStopWords).filter((run) => run !== "");
  return { words: runs.flatMap((run) => (isSingle(run) ? [run] : toPairs(run))), wholes: [] };
}

function toPairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function isSingle(run: string): boolean {
  return [...run].length === 1;
}

/** Café is cafe. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[\p{ASCII}]*$/u.test(lower)
    ? lower
    : lower.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
}

function toToken(word: string): string {
  return stem(word).slice(0, longestToken);
}
