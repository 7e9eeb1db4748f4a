// What came from a web address, as something that a model can read: a page as Markdown or text, JSON with line breaks, the
// text of a PDF, an image. Says in notes what is missing.

import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import type { GuardedResponse } from "../../lib/network/guarded-fetch.ts";
import { takeHead, toOneLine, toWellFormed } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";
import { extractPdfText, joinPdfPages } from "../documents/document-text.ts";
import { runInThread } from "../documents/document-thread.ts";
import { describeBinary, detectEncoding } from "../files/file-content.ts";
import { type PageRequest, toBareText } from "./page-text.ts";

export type WebContent =
  | { type: "text"; text: string; notes: string[] }
  | { type: "image"; mediaType: string; bytes: Buffer };

interface ReadingOptions {
  mode: PageRequest["mode"];
  signal: AbortSignal;
  /** For laying out a page. */
  timeoutMs?: number;
}

export const largestDownload = 10 * 1024 * 1024;
const largestPage = 2_000_000;
const largestText = 1_000_000;
/** Signs without a shape and changes of direction: a reader does not see what they say, a model does. */
const unseen = /(?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

export async function readWebContent(
  response: GuardedResponse,
  options: ReadingOptions,
): Promise<WebContent> {
  const { bytes, headers, isTruncated } = response;
  const mediaType = sniffImageType(bytes);
  if (isTruncated && (mediaType !== undefined || isPdf(bytes))) {
    throw new ToolError("This is larger than 10 MB. If it is needed, download it with exec.");
  }
  if (mediaType !== undefined) return { type: "image", mediaType, bytes };
  const notes = isTruncated ? ["Only the first 10 MB were loaded."] : [];
  const text = await readText(response, options, notes);
  const clean = toWellFormed(text.replaceAll("\r\n", "\n").replaceAll(unseen, "")).trim();
  if (clean.length > largestText) notes.push("The rest was left out.");
  if (clean === "" && headers.get("content-type")?.includes("html")) {
    notes.push("The page has no text of its own; it may need a browser that runs scripts.");
  }
  return { type: "text", text: takeHead(clean, largestText), notes };
}

async function readText(
  { bytes, headers, finalUrl }: GuardedResponse,
  options: ReadingOptions,
  notes: string[],
): Promise<string> {
  if (isPdf(bytes)) {
    const pdf = await extractPdfText(bytes, options);
    if (pdf.pages.length < pdf.pageCount) notes.push(`It has ${pdf.pageCount} pages; the last are left out.`);
    return joinPdfPages(pdf);
  }
  const contentType = headers.get("content-type") ?? "";
  const text = decodePage(bytes, contentType);
  if (text === undefined) {
    throw new ToolError(
      `This is not text (${describeBinary(bytes)}). If it is needed, download it with exec and a program that understands it.`,
    );
  }
  if (/[/+]json\b/i.test(contentType)) return indentJson(text);
  const isPage = /html/i.test(contentType) || /^\s{0,99}<(!doctype html|html)\b/i.test(text);
  return isPage ? readPage(text, finalUrl, options, notes) : text;
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes("%PDF-");
}

async function readPage(
  whole: string,
  url: string,
  { mode, ...options }: ReadingOptions,
  notes: string[],
): Promise<string> {
  const html = takeHead(whole, largestPage);
  if (html.length < whole.length) notes.push("Only the first part of the page was read.");
  const title = /<title[^>]{0,200}>([^<]{1,1000})/i.exec(html)?.[1] ?? "";
  const heading = title === "" ? "" : `# ${toOneLine(toBareText(title), 200)}\n\n`;
  const outcome = await runInThread<string>({ type: "page", html, url, mode }, options);
  if (outcome.ok) return heading + outcome.value;
  notes.push(`The page could not be laid out (${toOneLine(outcome.reason, 100)}); this is its bare text.`);
  return heading + toBareText(html);
}

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

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** Deeper nesting is not indented further: the text would grow with the square of it. */
const deepest = 20;

/** What is no JSON stays as it is. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  const pieces: string[] = [];
  let depth = 0;
  const breakLine = (step: number) => {
    depth += step;
    return `\n${"  ".repeat(Math.min(depth, deepest))}`;
  };
  for (const [piece] of text.matchAll(token)) {
    if (piece === "{" || piece === "[") pieces.push(piece, breakLine(1));
    else if (piece === "}" || piece === "]") pieces.push(breakLine(-1), piece);
    else if (piece === ",") pieces.push(piece, breakLine(0));
    else pieces.push(piece === ":" ? ": " : piece);
  }
  // No string holds a line break of its own.
  return pieces.join("").replaceAll(/([{[])\n *\n *([}\]])/g, "$1$2");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    // Nested too deeply even for the parser.
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}
