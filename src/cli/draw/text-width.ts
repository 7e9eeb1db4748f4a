// How many columns a text takes in a terminal: Chinese, Japanese, Korean and emoji take two, combining marks none.
import { stripVTControlCharacters } from "node:util";

const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]/u;
/** Emoji, and Korean letters that become one syllable. */
const joined = /\u200d|\p{Emoji_Modifier}|[\u1160-\u11ff]/u;
const onlyAscii = /^[\u0020-\u007e]*$/;

let segmenter: Intl.Segmenter | undefined;

export function textWidth(styled: string): number {
  const text = stripVTControlCharacters(styled);
  if (onlyAscii.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += measure(segment);
  return width;
}

/** Of one character as a person sees it. Marks that take a place of their own are counted, as terminals do. */
function measure(segment: string): number {
  if (wide.test(segment)) return 2;
  const visible = [...segment].filter((character) => !invisible.test(character)).length;
  return joined.test(segment) ? Math.min(2, visible) : visible;
}

/** The beginning of a text without styles that fits into so many columns, with a mark where it was cut. */
export function fitWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  segmenter ??= new Intl.Segmenter();
  let kept = "";
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += textWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Never at the beginning of a line. */
const closing = /^[、。，．！？；：）」』】〕》〉’”…—,.!?;:)\]}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with it.
const stylesAndSpaces = /(\u001b\[[\d;]*m)|( +)|[^ \u001b]+|\u001b/g;

/** A text, styled or not, in lines that fit: broken between words, between Chinese characters, and in words that are longer. */
export function wrapWords(text: string, columns: number): string[] {
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(2, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const lines: string[] = [];
  /** All styles of the line so far, which the next one begins with. */
  let styles = "";
  let current = "";
  let width = 0;
  let space = "";
  const add = (piece: string) => {
    const size = textWidth(piece);
    if (width > 0 && width + space.length + size > columns) {
      lines.push(current);
      [current, width, space] = [styles, 0, ""];
    }
    // What would be lost at the beginning of a line is only the space between words.
    const isLost = width === 0 && (lines.length > 0 || space.length + size > columns);
    const gap = isLost ? "" : space;
    current += gap + piece;
    width += gap.length + size;
    space = "";
  };
  for (const [token, style, spaces] of line.matchAll(stylesAndSpaces)) {
    if (style !== undefined) {
      styles += style;
      current += style;
    } else if (spaces !== undefined) space += spaces.slice(0, columns - 1 - space.length);
    else for (const piece of toPieces(token, columns)) add(piece);
  }
  return [...lines, current];
}

/** Parts between which a line may end. */
function toPieces(word: string, columns: number): string[] {
  segmenter ??= new Intl.Segmenter();
  const pieces: string[] = [];
  let isOpen = false;
  for (const { segment } of segmenter.segment(word)) {
    const isWide = textWidth(segment) > 1;
    const last = pieces.at(-1) ?? "";
    const fits = textWidth(last + segment) <= columns;
    const holds = pieces.length > 0 && fits && (closing.test(segment) || (isOpen && !isWide));
    if (holds) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
    isOpen = !isWide;
  }
  return pieces;
}

/** Sentences for a stream: in a terminal broken between words. A link stays in one piece, to be copied. */
export function toScreen(
  text: string,
  { isTTY, columns = 80 }: { isTTY?: boolean; columns?: number },
): string {
  if (isTTY !== true) return text;
  const lines = text.split("\n");
  return lines
    .flatMap((line) => (line.includes("#token=") ? [line] : wrapWords(line, columns - 1)))
    .join("\n");
}
