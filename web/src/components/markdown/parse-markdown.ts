// Markdown to tokens, with formulas between dollars. Knows nothing of how they are drawn.
import { Marked, type Token, type TokenizerAndRendererExtension } from "marked";

export interface MathToken {
  type: "math";
  raw: string;
  text: string;
  isBlock: boolean;
}

export type MarkdownToken = Token | MathToken;

let parser: Marked | undefined;

export function parseMarkdown(text: string): MarkdownToken[] {
  parser ??= new Marked({ gfm: true, extensions: [blockMath, inlineMath] });
  return parser.lexer(text);
}

export function isMath(token: MarkdownToken): token is MathToken {
  return token.type === "math";
}

const blockPattern = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/;
/** Money is no formula: nothing but the formula touches its dollars, and no digit follows. */
const inlinePattern = /^(?:\$\$([^$\n]+?)\$\$|\$(?!\s)([^$\n]+?)(?<![\s\\])\$(?!\d)|\\\(([^\n]+?)\\\))/;

const blockMath: TokenizerAndRendererExtension = {
  name: "math",
  level: "block",
  start: (text) => indexOf(text, /\$\$|\\\[/),
  tokenizer: (text) => toToken(blockPattern.exec(text), true),
};

const inlineMath: TokenizerAndRendererExtension = {
  name: "math",
  level: "inline",
  start: (text) => indexOf(text, /\$|\\\(/),
  tokenizer: (text) => toToken(inlinePattern.exec(text), false),
};

function indexOf(text: string, pattern: RegExp): number | undefined {
  const index = text.search(pattern);
  return index < 0 ? undefined : index;
}

function toToken(match: RegExpExecArray | null, isBlock: boolean): MathToken | undefined {
  if (match === null) return undefined;
  const text = match.slice(1).find((group) => group !== undefined) ?? "";
  return { type: "math", raw: match[0], text: text.trim(), isBlock };
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
