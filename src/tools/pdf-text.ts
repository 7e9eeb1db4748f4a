// The text of a PDF for whoever reads files or pages: a range of pages, bounded in size and time.
import { toOneLine } from "../lib/text.ts";
import { ToolError } from "../runner/tool.ts";
import { runInThread } from "./document-thread.ts";
import type { PdfText } from "./read-pdf.ts";

export type { PdfText } from "./read-pdf.ts";

export interface PdfRange {
  /** First page, from 1. Default 1. */
  from?: number;
  /** Last page. Default: the last that fits. */
  to?: number;
  signal: AbortSignal;
}

const mostCharacters = 1_000_000;

/** Throws ToolError for what cannot be read. A scanned page has no text: its `text` is "". */
export async function extractPdfText(
  bytes: Uint8Array,
  { from = 1, to = Number.MAX_SAFE_INTEGER, signal }: PdfRange,
): Promise<PdfText> {
  const job = { type: "pdf" as const, bytes, from, to, maxCharacters: mostCharacters };
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
