// Markdown to tokens, with formulas between dollars. Knows nothing of how they are drawn.
import { Marked, type Token, Tokenizer, type TokenizerAndRendererExtension, type Tokens } from "marked";
import { BoundedLexer } from "./bounded-lexer.ts";

export interface MathToken {
  type: "math";
  raw: string;
  text: string;
  isBlock: boolean;
}

export type MarkdownToken = Token | MathToken;

let parser: Marked | undefined;

/** `breaks`: the end of a line is one, as in what is said; in what is written it may be anywhere. */
export function parseMarkdown(text: string, breaks = false): MarkdownToken[] {
  parser ??= new Marked({
    gfm: true,
    tokenizer: { url },
    extensions: [blockMath, inlineMath, chineseStrong],
  });
  return new BoundedLexer({ ...parser.defaults, breaks }).lex(text);
}

export function isMath(token: MarkdownToken): token is MathToken {
  return token.type === "math";
}

/** Each that is begun has its end looked for: no further than this. */
const longestFormula = 4_000;
const mostBegun = 20;
/** Money is no formula: nothing but the formula touches its dollars, and no digit follows. */
const inlinePattern = /^(?:\$\$([^$\n]+?)\$\$|\$(?!\s)([^$\n]+?)(?<![\s\\])\$(?!\d)|\\\(([^\n]+?)\\\))/;

const blockMath: TokenizerAndRendererExtension = {
  name: "math",
  level: "block",
  start: findBlockStart,
  tokenizer: findBlock,
};

const inlineMath: TokenizerAndRendererExtension = {
  name: "math",
  level: "inline",
  start: (text) => indexOf(text, /\$|\\\(/),
  tokenizer: (text) => toInline(inlinePattern.exec(text.slice(0, longestFormula))),
};

/** No Chinese mark belongs to an address; it ends the sentence around it. */
function url(this: Tokenizer, text: string): Tokens.Link | undefined {
  const [address = ""] = /^[^\u3000-\u303f\uff00-\uffef“”‘’…—]*/.exec(text) ?? [];
  return Tokenizer.prototype.url.call(this, address);
}

const strongPattern = /^\*\*(?![\s*])((?:[^*\n]|\*(?!\*))+?)(?<![\s*])\*\*(?!\*)/;

/** The standard asks for a space where none is written: it would leave the stars of `**重点：**内容`. */
const chineseStrong: TokenizerAndRendererExtension = {
  name: "strong",
  level: "inline",
  start: (text) => indexOf(text, /\*\*/),
  tokenizer(text) {
    const [raw, inside] = strongPattern.exec(text.slice(0, longestFormula)) ?? [];
    if (raw === undefined || inside === undefined || !/\p{Script=Han}/u.test(inside)) return undefined;
    return { type: "strong", raw, text: inside, tokens: this.lexer.inlineTokens(inside) };
  },
};

/** Only of one that is whole, and in this paragraph: whatever is cut is read from there again and again. */
function findBlockStart(text: string): number | undefined {
  const near = text.slice(0, 2 * longestFormula);
  const end = near.indexOf("\n\n");
  const paragraph = end < 0 ? near : near.slice(0, end);
  const begun = paragraph.matchAll(/\n(?=\$\$|\\\[)/g).map(({ index }) => index + 1);
  return begun.take(mostBegun).find((index) => findBlock(near.slice(index)) !== undefined);
}

function findBlock(text: string): MathToken | undefined {
  const end = text.startsWith("$$") ? "$$" : text.startsWith("\\[") ? "\\]" : undefined;
  const near = text.slice(0, longestFormula);
  const index = end === undefined ? -1 : near.indexOf(end, 3);
  const tail = index < 0 ? null : /^[ \t]*(?:\n|$)/.exec(near.slice(index + 2));
  if (tail === null) return undefined;
  const raw = near.slice(0, index + 2 + tail[0].length);
  return { type: "math", raw, text: near.slice(2, index).trim(), isBlock: true };
}

function indexOf(text: string, pattern: RegExp): number | undefined {
  const index = text.search(pattern);
  return index < 0 ? undefined : index;
}

function toInline(match: RegExpExecArray | null): MathToken | undefined {
  if (match === null) return undefined;
  const text = match.slice(1).find((group) => group !== undefined) ?? "";
  return { type: "math", raw: match[0], text: text.trim(), isBlock: false };
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** `&amp;` and the like, which a browser would read and we have to. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Where a link may lead; undefined: nowhere. */
export function toSafeLink(href: string): string | undefined {
  return /^(https?:|mailto:)/i.test(href.trim()) ? href.trim() : undefined;
}

/** Pictures come from the gateway or with the text. Others would tell their host who reads what, and when. */
export function toSafeImage(href: string): string | undefined {
  return /^(\/api\/(?!\/)|data:image\/(png|jpeg|gif|webp|avif);base64,)/.test(href) ? href : undefined;
}
