// The text of a PDF, page by page. Runs in a thread that can be ended (document-thread.ts).

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

export async function readPdf({ bytes, from, to, maxCharacters }: PdfRequest): Promise<PdfText> {
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
