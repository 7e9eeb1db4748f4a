// Reads untrusted Markdown with bounded depth and work: what is nested too deeply, or full of marks that are never closed,
// stays the text that it is. Work is counted, not timed: the same text is drawn the same on a slow or busy machine.
import { Lexer, type Token, type TokensList } from "marked";

const longestText = 100_000;
const mostBlocks = 5_000;
/** A browser draws boxes in boxes by recursion, and so does the reading. */
const deepest = 16;
/** Of one paragraph. Looking for the other half of a mark takes the square of them, and more. */
const longestParagraph = 8_000;
const mostMarks = 300;
/** Of one text, in characters that are looked at: about a quarter of a second. */
const mostWork = 20_000_000;
/** What a piece costs, however short. */
const workOfPiece = 1_000;
/** Each of these may have its other half looked for, up to the end of the paragraph. */
const marks = /[*_~[\]!<`&@$\\]/g;

export class BoundedLexer extends Lexer {
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
