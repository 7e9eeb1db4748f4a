// How many columns a text takes in a terminal: Chinese, Japanese, Korean and emoji take two, combining marks none.
import { stripVTControlCharacters } from "node:util";

const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]/u;
const onlyAscii = /^[\u0020-\u007e]*$/;

let segmenter: Intl.Segmenter | undefined;

export function textWidth(styled: string): number {
  const text = stripVTControlCharacters(styled);
  if (onlyAscii.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (!invisible.test(segment)) width += wide.test(segment) ? 2 : 1;
  }
  return width;
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
