// The text of a PDF or office document: bounded in size and time, with notes on what is missing.
import { toOneLine } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";
import { runInThread } from "./document-thread.ts";
import type { PdfText } from "./document-worker.ts";
import type { OfficeText } from "./read-office.ts";

export type DocumentKind = "pdf" | "zip" | "ole";

export interface DocumentText {
  text: string;
  notes: string[];
}

interface DocumentRequest {
  kind: DocumentKind;
  bytes: Uint8Array;
  /** Of a PDF, such as "3" or "1-5". */
  pages?: string;
  shown: string;
  signal: AbortSignal;
}

export const largestDocument = 50 * 1024 * 1024;
const mostPages = 20;
const mostCharacters = 4_000_000;

/** By its first bytes, whatever its name says. */
export function sniffDocument(sample: Buffer): DocumentKind | undefined {
  const magic = sample.toString("latin1", 0, 5);
  if (magic.startsWith("PK\x03\x04")) return "zip";
  if (magic.startsWith("\xd0\xcf\x11\xe0")) return "ole";
  return magic === "%PDF-" ? "pdf" : undefined;
}

/** Undefined for a zip archive that is no office document. Throws ToolError for what cannot be read. */
export async function readDocumentText(request: DocumentRequest): Promise<DocumentText | undefined> {
  const { kind, shown } = request;
  if (kind === "pdf") return readPdfText(request);
  if (kind === "zip") return readOfficeText(request);
  throw new ToolError(
    `${shown} is an office document of the old form, or locked with a password. Ask for it as PDF or DOCX without one.`,
  );
}

async function readPdfText({ bytes, pages = "", signal }: DocumentRequest): Promise<DocumentText> {
  const [from, to] = readRange(pages);
  const pdf = await extractPdfText(bytes, { from, to, signal });
  const last = pdf.pages.at(-1)?.number;
  if (last === undefined)
    throw new ToolError(`The PDF has ${pdf.pageCount} pages. Choose from them: pages="1-${mostPages}".`);
  const next = Math.min(last + mostPages, pdf.pageCount);
  const rest = last < pdf.pageCount ? ` Use pages="${last + 1}-${next}" to continue.` : "";
  const isScanned = pdf.pages.every(({ text }) => text === "");
  const scanned = isScanned
    ? [`These pages have no text: they may be images, which only a program can read.`]
    : [];
  return {
    text: joinPdfPages(pdf),
    notes: [`Pages ${from}-${last} of ${pdf.pageCount}.${rest}`, ...scanned],
  };
}

function readRange(pages: string): [from: number, to: number] {
  if (pages.trim() === "") return [1, mostPages];
  const [, first, dash, last] = /^\s*(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?\s*$/.exec(pages) ?? [];
  const from = Number(first);
  const to = last === undefined ? (dash === undefined ? from : from + mostPages - 1) : Number(last);
  if (first === undefined || from < 1 || to < from)
    throw new ToolError(
      `pages must be a page or a range such as "3" or "1-5", not "${toOneLine(pages, 30)}".`,
    );
  return [from, Math.min(to, from + mostPages - 1)];
}

const zipProblems = {
  "not-a-zip": "is damaged",
  "unsafe-path": "holds paths that lead out of it",
  "too-large": "would be larger than 64 MB when unpacked",
  unsupported: "is encrypted, or packed in an unusual way",
};

async function readOfficeText({
  bytes,
  shown,
  pages = "",
  signal,
}: DocumentRequest): Promise<DocumentText | undefined> {
  const job = { type: "office" as const, bytes, maxCharacters: mostCharacters };
  const outcome = await runInThread<OfficeText>(job, { signal, timeoutMs: 30_000 });
  if (!outcome.ok)
    throw new ToolError(
      `${shown} could not be read (${toOneLine(outcome.reason, 100)}). Ask for it in another form.`,
    );
  const { value } = outcome;
  if (value.type === "unreadable")
    throw new ToolError(`${shown} ${zipProblems[value.kind]}. Ask for it in another form.`);
  if (value.type === "other") return undefined;
  const notes = value.isCut ? ["The rest of the document was left out."] : [];
  if (pages.trim() !== "") notes.push("pages is for PDFs; use offset and limit.");
  return { text: value.text, notes };
}

export type { PdfText } from "./document-worker.ts";

interface PdfRange {
  /** First page, from 1. Default 1. */
  from?: number;
  /** Last page. Default: the last that fits. */
  to?: number;
  signal: AbortSignal;
}

const mostPdfCharacters = 1_000_000;

/** Throws ToolError for what cannot be read. A scanned page has no text: its `text` is "". */
export async function extractPdfText(
  bytes: Uint8Array,
  { from = 1, to = Number.MAX_SAFE_INTEGER, signal }: PdfRange,
): Promise<PdfText> {
  const job = { type: "pdf" as const, bytes, from, to, maxCharacters: mostPdfCharacters };
  const outcome = await runInThread<PdfText>(job, { signal, timeoutMs: 30_000 });
  if (outcome.ok) return outcome.value;
  throw new ToolError(
    /password/i.test(outcome.reason)
      ? "This PDF is locked with a password. Ask for one without."
      : `This PDF could not be read (${toOneLine(outcome.reason, 100)}). Ask for it in another form.`,
  );
}

/** Pages as one text, each under its number. */
export function joinPdfPages({ pages }: PdfText): string {
  return pages.map(({ number, text }) => `[page ${number}]\n${text}`).join("\n\n");
}
