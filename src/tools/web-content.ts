// What came from a web address, as something that a model can read: a page as Markdown or text, JSON with line breaks, the
// text of a PDF, an image. Says in notes what is missing.
import type { GuardedResponse } from "../lib/guarded-fetch.ts";
import { sniffImageType } from "../lib/image-type.ts";
import { takeHead, toOneLine, toWellFormed } from "../lib/text.ts";
import { ToolError } from "../runner/tool.ts";
import { toBareText } from "./bare-text.ts";
import { decodePage } from "./decode-page.ts";
import { runInThread } from "./document-thread.ts";
import { describeBinary } from "./file-kind.ts";
import { indentJson } from "./indent-json.ts";
import type { PageRequest } from "./page-text.ts";
import { extractPdfText, joinPdfPages } from "./pdf-text.ts";

export type WebContent =
  | { type: "text"; text: string; notes: string[] }
  | { type: "image"; mediaType: string; bytes: Buffer };

export interface ReadingOptions {
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
