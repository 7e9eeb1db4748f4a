// The text of a whole file together with the way back to bytes, so that an edit changes nothing but what it is about.
import { detectEncoding } from "./text-encoding.ts";

export interface DecodedText {
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
