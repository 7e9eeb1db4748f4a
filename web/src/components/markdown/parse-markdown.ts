// Markdown to tokens, with formulas between dollars. The text is untrusted: depth and work are bounded.
import {
  Lexer,
  Marked,
  type Token,
  Tokenizer,
  type TokenizerAndRendererExtension,
  type Tokens,
  type TokensList,
} from "marked";

interface MathToken {
  type: "math";
  raw: string;
  text: string;
  isBlock: boolean;
}

/** `[^1]` in the text, or `[^1]: ...`, what it refers to. */
export interface FootnoteToken {
  type: "footnote";
  raw: string;
  label: string;
  /** Only of the note itself. */
  tokens?: Token[];
}

export type MarkdownToken = Token | MathToken;

let parser: Marked | undefined;
let parserWithNotes: Marked | undefined;

/** `breaks`: line ends are kept, as in chat messages; files may wrap anywhere. */
export function parseMarkdown(text: string, breaks = false): MarkdownToken[] {
  const extensions = [blockMath, inlineMath, chineseStrong];
  const usual = { gfm: true, tokenizer: { url } };
  // Without a note, `[^a]` is what it says.
  const hasNotes = /^\[\^[\w-]{1,20}\]:/m.test(text.slice(0, longestText));
  if (hasNotes)
    parserWithNotes ??= new Marked({ ...usual, extensions: [...extensions, note, noteReference] });
  else parser ??= new Marked({ ...usual, extensions });
  const options = (hasNotes ? parserWithNotes : parser)?.defaults;
  return new BoundedLexer({ ...options, breaks }).lex(text);
}

export function isFootnote(token: MarkdownToken): token is FootnoteToken {
  return token.type === "footnote";
}

export function isMath(token: MarkdownToken): token is MathToken {
  return token.type === "math";
}

/** The end of a formula is searched no further than this. */
const longestFormula = 4_000;
const longestNote = 8_000;
const mostBegun = 20;
/** Not money: no space inside the dollars, and no digit after them. */
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

/** Chinese punctuation ends an address. */
function url(this: Tokenizer, text: string): Tokens.Link | undefined {
  const [address = ""] = /^[^\u3000-\u303f\uff00-\uffef“”‘’…—]*/.exec(text) ?? [];
  return Tokenizer.prototype.url.call(this, address);
}

const strongPattern = /^\*\*(?![\s*])((?:[^*\n]|\*(?!\*))+?)(?<![\s*])\*\*(?!\*)/;

/** CommonMark would need a space after `**重点：**内容`, which Chinese does not write. */
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

const note: TokenizerAndRendererExtension = {
  name: "footnote",
  level: "block",
  start: (text) => indexOf(text, /\n\[\^[\w-]{1,20}\]:/),
  tokenizer(text) {
    const [raw, label, inside] =
      /^\[\^([\w-]{1,20})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]+)*)(?:\n+|$)/.exec(
        text.slice(0, longestNote),
      ) ?? [];
    if (raw === undefined || label === undefined) return undefined;
    return {
      type: "footnote",
      raw,
      label,
      tokens: this.lexer.inlineTokens((inside ?? "").replaceAll(/\n\s+/g, " ")),
    };
  },
};

const noteReference: TokenizerAndRendererExtension = {
  name: "footnote",
  level: "inline",
  start: (text) => indexOf(text, /\[\^/),
  tokenizer(text) {
    const [raw, label] = /^\[\^([\w-]{1,20})\](?!:)/.exec(text.slice(0, 30)) ?? [];
    return raw === undefined || label === undefined ? undefined : { type: "footnote", raw, label };
  },
};

/** Only complete formulas of this paragraph: every cut makes the rest be parsed again. */
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

/** `&amp;` and similar. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The address of a safe link; undefined for others. */
export function toSafeLink(href: string): string | undefined {
  return /^(https?:|mailto:)/i.test(href.trim()) ? href.trim() : undefined;
}

/** Images from the gateway or inside the text. Others would let their host track the reader. */
export function toSafeImage(href: string): string | undefined {
  return /^(\/api\/(?!\/)|data:image\/(png|jpeg|gif|webp|avif);base64,)/.test(href) ? href : undefined;
}

const longestText = 100_000;
const mostBlocks = 5_000;
/** Parsing and layout of nested blocks are recursive. */
const deepest = 16;
/** Of one paragraph. Matching marks takes quadratic time or more. */
const longestParagraph = 8_000;
const mostMarks = 300;
/** Of one text, in characters examined: about a quarter of a second. */
const mostWork = 20_000_000;
/** The minimum work of a piece. */
const workOfPiece = 1_000;
/** Marks whose other half may be searched up to the end of the paragraph. */
const marks = /[*_~[\]!<`&@$\\]/g;

class BoundedLexer extends Lexer {
  #work = 0;
  #depth = 0;

  override lex(text: string): ReturnType<Lexer["lex"]> {
    const tokens = super.lex(text.slice(0, longestText));
    const rest = tokens.splice(mostBlocks).map(({ raw }) => raw);
    return addPlain(tokens, rest.join("") + text.slice(longestText));
  }

  override blockTokens(text: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(text: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(text: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    return this.#within(text, tokens, () => super.blockTokens(text, tokens, isClipped));
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    const isTangled = text.length > longestParagraph || (text.match(/[*_~]/g)?.length ?? 0) > mostMarks;
    if (isTangled) return addPlain(tokens, text);
    this.#work += text.length * (text.match(marks)?.length ?? 0);
    return this.#within(text, tokens, () => super.inlineTokens(text, tokens));
  }

  #within(text: string, tokens: Token[], read: () => void): Token[] {
    this.#work += workOfPiece + text.length;
    if (this.#depth >= deepest || this.#work > mostWork) return addPlain(tokens, text);
    this.#depth += 1;
    read();
    this.#depth -= 1;
    return tokens;
  }
}

function addPlain<Tokens extends Token[]>(tokens: Tokens, text: string): Tokens {
  if (text !== "") tokens.push({ type: "plain", raw: text, text });
  return tokens;
}
