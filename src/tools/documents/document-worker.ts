// The worker that parses untrusted documents: one job, one answer, then it ends. Started by document-thread.ts.
import { parentPort, workerData } from "node:worker_threads";
import { extractPage } from "../web/page-text.ts";
import type { DocumentJob } from "./document-thread.ts";
import { readOffice } from "./read-office.ts";

export interface PdfRequest {
  bytes: Uint8Array;
  /** From 1, both included. */
  from: number;
  to: number;
  /** Later pages are left out once this many have come together. */
  maxCharacters: number;
}

export interface PdfText {
  pageCount: number;
  pages: Array<{ number: number; text: string }>;
}

async function readPdf({ bytes, from, to, maxCharacters }: PdfRequest): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const pages: PdfText["pages"] = [];
  let characters = 0;
  for (let number = from; number <= Math.min(to, document.numPages) && characters < maxCharacters; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    pages.push({ number, text: text.trim() });
    characters += text.length;
    page.cleanup();
  }
  return { pageCount: document.numPages, pages };
}

const job = workerData as DocumentJob;

function read(): unknown {
  switch (job.type) {
    case "page":
      return extractPage(job);
    case "pdf":
      return readPdf(job);
    case "office":
      return readOffice(job);
  }
}

parentPort?.postMessage(await read());
