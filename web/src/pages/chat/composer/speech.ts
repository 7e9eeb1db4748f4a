// What is spoken of a Markdown text: words, without marks, code and addresses, in pieces that a voice can take.

export interface Speech {
  pieces: string[];
  /** Undefined: that of the page. */
  language: string | undefined;
}

const longestPiece = 220;
const mostPieces = 200;

export function toSpeech(markdown: string): Speech {
  const text = markdown
    .slice(0, longestPiece * mostPieces)
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, "\n")
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\|)\s+/gm, "")
    .replaceAll(/[*_`~|]+/g, " ");
  return { pieces: toPieces(text), language: findLanguage(text) };
}

/** At the ends of sentences; a longer one between words. */
function toPieces(text: string): string[] {
  const sentences = text
    .split(/(?<=[.!?。！？；;:])\s*|\n+/)
    .map((each) => each.replaceAll(/\s+/g, " ").trim());
  const pieces = sentences.flatMap((sentence) => cut(sentence));
  return pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece)).slice(0, mostPieces);
}

function cut(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > longestPiece) {
    const space = rest.lastIndexOf(" ", longestPiece);
    const end = space > 0 ? space : longestPiece;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}

function findLanguage(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja-JP";
  if (/\p{Script=Hangul}/u.test(text)) return "ko-KR";
  return /\p{Script=Han}/u.test(text) ? "zh-CN" : undefined;
}
