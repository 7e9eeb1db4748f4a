// Which encoding a text file is in, guessed from its first bytes. Chinese files that are not UTF-8 are mostly GBK.
import { isUtf8 } from "node:buffer";

export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "windows-1252";

/** Undefined for bytes that are no text. `isWhole` is false when the sample may end inside a character. */
export function detectEncoding(sample: Buffer, isWhole: boolean): TextEncodingName | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return "utf-16le";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "utf-16be";
  if (looksBinary(sample)) return undefined;
  if (isUtf8Sample(sample, isWhole)) return "utf-8";
  return looksLikeGbk(sample) ? "gb18030" : "windows-1252";
}

function isUtf8Sample(sample: Buffer, isWhole: boolean): boolean {
  if (isUtf8(sample)) return true;
  return !isWhole && [1, 2, 3].some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}

/** NUL bytes, many control bytes, or a PDF, which may have neither. */
function looksBinary(sample: Buffer): boolean {
  if (sample.includes(0) || sample.toString("latin1", 0, 5) === "%PDF-") return true;
  let controls = 0;
  for (const byte of sample) if (byte < 0x20 && !isTextControl(byte)) controls++;
  return controls * 20 > sample.length;
}

/** Tab, line ends, form feed, backspace, bell, and escape, which coloured logs are full of. */
function isTextControl(byte: number): boolean {
  return (byte >= 0x07 && byte <= 0x0d) || byte === 0x1b;
}

/** Two-byte characters throughout, most of them common ones; Western text rarely has two high bytes in a row. */
function looksLikeGbk(sample: Buffer): boolean {
  let pairs = 0;
  let common = 0;
  for (let index = 0; index < sample.length - 1; index++) {
    const lead = sample[index] ?? 0;
    if (lead < 0x80) continue;
    const trail = sample[index + 1] ?? 0;
    if (lead === 0x80 || lead === 0xff || trail < 0x40 || trail === 0x7f || trail === 0xff) return false;
    pairs++;
    if (lead >= 0xa1 && trail >= 0xa1) common++;
    index++;
  }
  return pairs > 0 && common * 3 >= pairs * 2;
}
