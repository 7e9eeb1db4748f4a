// What the bytes of a file are: the kind of a binary file, the encoding of a text file, and the text of a whole file with
// the way back to bytes. Knows no paths.
import { isUtf8 } from "node:buffer";

const kinds: Array<[magic: string, at: number, type: string]> = [
  ["%PDF-", 0, "application/pdf"],
  ["PK\x03\x04", 0, "application/zip"],
  ["\x1f\x8b", 0, "application/gzip"],
  ["BZh", 0, "application/x-bzip2"],
  ["\xfd7zXZ\0", 0, "application/x-xz"],
  ["7z\xbc\xaf\x27\x1c", 0, "application/x-7z-compressed"],
  ["\x28\xb5\x2f\xfd", 0, "application/zstd"],
  ["ustar", 257, "application/x-tar"],
  ["\xd0\xcf\x11\xe0", 0, "application/x-ole-storage, perhaps an old office document"],
  ["SQLite format 3\0", 0, "application/vnd.sqlite3"],
  ["\x7fELF", 0, "application/x-elf, a program"],
  ["MZ", 0, "application/x-msdownload, a program"],
  ["\0asm", 0, "application/wasm"],
  ["\xca\xfe\xba\xbe", 0, "application/java-vm"],
  ["BM", 0, "image/bmp"],
  ["II*\0", 0, "image/tiff"],
  ["MM\0*", 0, "image/tiff"],
  ["ftypheic", 4, "image/heic"],
  ["ftypavif", 4, "image/avif"],
  ["ftyp", 4, "video/mp4"],
  ["\x1aE\xdf\xa3", 0, "video/x-matroska"],
  ["ID3", 0, "audio/mpeg"],
  ["OggS", 0, "audio/ogg"],
  ["fLaC", 0, "audio/flac"],
  ["RIFF", 0, "audio/wav or video/avi"],
];

/** A media type for the model to read. Only asked about files that are known not to be text. */
export function describeBinary(bytes: Buffer): string {
  const kind = kinds.find(([magic, at]) => bytes.toString("latin1", at, at + magic.length) === magic);
  return kind?.[2] ?? "application/octet-stream";
}

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

interface DecodedText {
  text: string;
  /** With the byte order mark and encoding that the file had. */
  encode(text: string): Buffer;
}

const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** A sentence's end ("is ...") instead when the bytes could not be written back as they were. */
export function decodeText(bytes: Buffer): DecodedText | string {
  const encoding = detectEncoding(bytes, true);
  if (encoding === undefined) return "is a binary file";
  if (encoding === "gb18030" || encoding === "windows-1252") return `is in ${encoding}, not in UTF-8`;
  const decoded = encoding === "utf-8" ? decodeUtf8(bytes) : decodeUtf16(bytes, encoding === "utf-16be");
  return decoded.encode(decoded.text).equals(bytes) ? decoded : "is not valid Unicode text";
}

function decodeUtf8(bytes: Buffer): DecodedText {
  const hasBom = bytes.subarray(0, utf8Bom.length).equals(utf8Bom);
  return {
    text: bytes.toString("utf8", hasBom ? utf8Bom.length : 0),
    encode: (text) => (hasBom ? Buffer.concat([utf8Bom, Buffer.from(text)]) : Buffer.from(text)),
  };
}

function decodeUtf16(bytes: Buffer, isBigEndian: boolean): DecodedText {
  const bom = bytes.subarray(0, 2);
  const body = bytes.subarray(2, bytes.length - (bytes.length % 2));
  return {
    text: (isBigEndian ? Buffer.from(body).swap16() : body).toString("utf16le"),
    encode(text) {
      const encoded = Buffer.from(text, "utf16le");
      return Buffer.concat([bom, isBigEndian ? encoded.swap16() : encoded]);
    },
  };
}
