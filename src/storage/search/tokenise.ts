// Text to the tokens that are indexed and searched for: words by their stems, identifiers and paths whole and in parts,
// Chinese, Japanese and Korean in pairs of characters, so that words of two characters are found without a dictionary.
import { stem } from "./stem.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

export interface Term {
  token: string;
  /** Tokens that speak of the same thing: a question about a pet is answered by a sentence about a dog. */
  related: readonly string[];
  /** Words that questions are made of say less about their answers: "kind", "many", "like". */
  weight: number;
}

const stopWords = new Set(vocabulary.stopWords.split(" "));
const weakWords = new Set(vocabulary.weakWords.split(" ").map(stem));
const weakWeight = 0.5;
const smallTalk = new Set(["", ...vocabulary.smallTalk.split(" ").map(stem)]);
/** Small words and those of questions: what is between them is looked for. */
const wideStopWords =
  /为什么|为何|什么|怎么样|怎么|怎样|如何|哪里|哪儿|哪个|哪些|哪种|哪一|哪位|几个|多久|多少|是否|有没有|我们|你们|他们|她们|一个|这个|那个|可以|时候|关于|告诉|请问|[哪几谁的了吗呢啊吧呀是在我你您他她它这那和与或就都也还又把被给对从到要想会能很请の]/;
const wide = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー`;
const isWide = new RegExp(`^[${wide}]+$`, "v");
const commonCharacters = "一不有没人上下来去年月日天个大小中好多以后最过自己家里着得地出起么子为些";
const narrow = String.raw`[[\p{L}\p{M}\p{N}_]--[${wide}]]+`;
const chunks = new RegExp(String.raw`(?<wide>[${wide}]+)|${narrow}(?:[.\/\\:@#+\-]{1,3}${narrow})*`, "gv");
const contractions = /(?<=\p{L})(?:['’](?:s|ll|re|ve|d|m)|n['’]t)\b/gu;
const changesOfCase = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
let related: Map<string, Set<string>> | undefined;

/** For the index: each token once, since how often a word occurs in one message says little; and the number of words. */
export function tokenise(text: string): { tokens: Set<string>; length: number } {
  const tokens = new Set<string>();
  let length = 0;
  for (const { 0: chunk, groups } of normalise(text).matchAll(chunks)) {
    const [words, others] = groups?.wide === undefined ? split(chunk) : [[...chunk], toPairs(chunk)];
    length += words.length;
    for (const token of words) tokens.add(token);
    for (const token of others) tokens.add(token);
  }
  return { tokens, length };
}

/** For a search: what carries the meaning of a question, each once. Without small talk, a greeting has none. */
export function toTerms(query: string, { withSmallTalk = true } = {}): Term[] {
  related ??= relateWords();
  const tokens = Array.from(normalise(query).matchAll(chunks), ({ 0: chunk, groups }) =>
    groups?.wide === undefined
      ? split(chunk)
      : chunk.split(wideStopWords).map((run) => (run.length > 1 ? toPairs(run) : [run])),
  ).flat(2);
  const unique = new Set(tokens).difference(withSmallTalk ? new Set([""]) : smallTalk);
  return [...unique].map((token) => ({
    token,
    related: [...(related?.get(token) ?? []), ...toSingles(token)],
    weight: unique.size > 1 && weakWords.has(token) ? weakWeight : 1,
  }));
}

/** Where a text holds any of the tokens, in order: from, and the end. */
export function findTokens(text: string, wanted: ReadonlySet<string>): Array<[from: number, to: number]> {
  const found: Array<[number, number]> = [];
  for (const { 0: chunk, groups, index } of text.matchAll(chunks)) {
    if (groups?.wide === undefined) {
      const isWanted = split(chunk.normalize("NFKC"))
        .flat()
        .some((token) => wanted.has(token));
      if (isWanted) found.push([index, index + chunk.length]);
      continue;
    }
    for (let at = index; at < index + chunk.length; at += 1) {
      const length = [2, 1].find((count) => wanted.has(text.slice(at, at + count)));
      const last = found.at(-1);
      if (length === undefined) continue;
      if (last !== undefined && last[1] >= at) last[1] = Math.max(last[1], at + length);
      else found.push([at, at + length]);
    }
  }
  return found;
}

/** The characters of a pair: 房租 is also found by 涨租 and 房东, for less. Very common characters say nothing. */
function toSingles(token: string): string[] {
  return token.length === 2 && isWide.test(token)
    ? [...token].filter((one) => !commonCharacters.includes(one))
    : [];
}

function relateWords(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [asked, answers] of Object.entries(vocabulary.related)) {
    const heads = asked.split(" ").map(stem);
    const words = [...heads, ...answers.split(" ").map(stem)];
    for (const head of heads) {
      const others = words.filter((word) => word !== head);
      found.set(head, new Set([...(found.get(head) ?? []), ...others]));
    }
  }
  return found;
}

function normalise(text: string): string {
  return (/^\p{ASCII}*$/u.test(text) ? text : text.normalize("NFKC")).replaceAll(contractions, " ");
}

/** `src/lib/fooBar.ts`: the words src, lib, foo, bar and ts, and as wholes foobar, foobarts and all, without the signs. */
function split(chunk: string): [words: string[], wholes: string[]] {
  if (/^[a-z]+$/.test(chunk)) return [stopWords.has(chunk) ? [] : [stem(chunk)], []];
  const segments = chunk.split(/[/\\:]+/).map((segment) => segment.split(/[._@#+-]+/).filter(Boolean));
  const names = segments.flat();
  const words = names.flatMap((name) => name.split(changesOfCase)).map(fold);
  const wholes =
    words.length < 2 ? [] : [...names, ...segments.map((segment) => segment.join("")), names.join("")];
  return [
    words.filter((word) => word !== "" && !stopWords.has(word)).map(stem),
    wholes.map((whole) => stem(fold(whole.slice(0, 80)))).filter(Boolean),
  ];
}

/** Café is cafe. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^\p{ASCII}*$/u.test(lower)
    ? lower
    : lower.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
}

function toPairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
