// The text of a DOCX, XLSX or PPTX file. Runs in a thread that can be ended (document-thread.ts).
import { type OfficeParts, openOfficeParts, type TextBudget, walkXml } from "./office-xml.ts";
import { readFlow, readStyles } from "./read-flow.ts";
import { readSheets } from "./read-sheets.ts";
import { ZipError } from "./read-zip.ts";

export interface OfficeRequest {
  bytes: Uint8Array;
  /** It ends soon after as many. */
  maxCharacters: number;
}

export type OfficeText =
  | { type: "text"; text: string; isCut: boolean }
  /** An archive, but no office document. */
  | { type: "other" }
  | { type: "unreadable"; kind: ZipError["kind"] };

export function readOffice({ bytes, maxCharacters }: OfficeRequest): OfficeText {
  try {
    const parts = openOfficeParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const budget = { left: maxCharacters };
    const lines = readMain(parts, budget);
    if (lines === undefined) return { type: "other" };
    const text = lines
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
    return { type: "text", text, isCut: budget.left <= 0 };
  } catch (error) {
    if (error instanceof ZipError) return { type: "unreadable", kind: error.kind };
    throw error;
  }
}

function readMain(parts: OfficeParts, budget: TextBudget): string[] | undefined {
  const { main = "" } = parts;
  if (main.startsWith("word/")) return readDocument(parts, main, budget);
  if (main.startsWith("xl/")) return readSheets(parts, main, budget);
  return main.startsWith("ppt/") ? readSlides(parts, main, budget) : undefined;
}

/** The text, and below it the notes that it refers to. */
function readDocument(parts: OfficeParts, main: string, budget: TextBudget): string[] {
  const related = [...parts.related(main).values()];
  const partOf = (name: string) => parts.read(related.find((path) => path.endsWith(`/${name}.xml`)) ?? "");
  const styles = readStyles(partOf("styles"));
  const lines = readFlow(parts.read(main), styles, budget);
  for (const name of ["footnotes", "endnotes"]) {
    const notes = readFlow(partOf(name), styles, budget).join("\n");
    if (notes !== "") lines.push("", `[${name}]`, notes);
  }
  return lines;
}

function readSlides(parts: OfficeParts, main: string, budget: TextBudget): string[] {
  const related = parts.related(main);
  const paths: string[] = [];
  walkXml(parts.read(main), {
    open: (name, attribute) =>
      void (name === "sldId" && paths.push(related.get(attribute("r:id") ?? "") ?? "")),
  });
  const lines: string[] = [];
  for (const [index, path] of paths.entries()) {
    if (budget.left <= 0) break;
    lines.push(`[slide ${index + 1}]`, readFlow(parts.read(path), new Map(), budget).join("\n"), "");
  }
  return lines;
}
