// The text of a page from its bytes: by its byte order mark, by what the server says, by what the page says of itself,
// and where nobody says anything, or something that cannot be true, by a guess.
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { detectEncoding } from "./text-encoding.ts";

/** How far into a page its own word for its encoding may stand. */
const headBytes = 4096;
const declared =
  /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:-]+)/i;
const marks: Array<[encoding: string, ...bytes: number[]]> = [
  ["utf-8", 0xef, 0xbb, 0xbf],
  ["utf-16le", 0xff, 0xfe],
  ["utf-16be", 0xfe, 0xff],
];

/** Undefined for bytes that are no text. */
export function decodePage(bytes: Buffer, contentType: string): string | undefined {
  const mark = marks.find(([, ...start]) => start.every((byte, index) => bytes[index] === byte));
  const named = mark?.[0] ?? /charset\s*=\s*["']?([\w:-]+)/i.exec(contentType)?.[1] ?? readDeclared(bytes);
  const decoder = named === undefined ? undefined : createDecoder(named);
  // Pages that were moved to a new server often still claim what they were before, or already what they will be.
  const isTrue = decoder !== undefined && !(decoder.encoding === "utf-8" && !isUtf8(bytes));
  if (isTrue) return decoder.decode(bytes);
  const guessed = detectEncoding(bytes, true);
  return guessed === undefined ? undefined : new TextDecoder(guessed).decode(bytes);
}

function readDeclared(bytes: Buffer): string | undefined {
  const [, meta, xml] = declared.exec(bytes.toString("latin1", 0, headBytes)) ?? [];
  // A page in UTF-16 could not be read to learn that it is.
  return (meta ?? xml)?.replace(/^utf-16.*/i, "utf-8");
}

function createDecoder(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
