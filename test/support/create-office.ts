// Office documents for tests, with the parts and names that office programs write.
import { createZip, type ZipEntry } from "./create-zip.ts";

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

function relations(targets: Record<string, string>): string {
  const items = Object.entries(targets).map(
    ([name, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/${name.replace(/\d+$/, "")}" Target="${target}"/>`,
  );
  return `${head}<Relationships>${items.join("")}</Relationships>`;
}

function pack(main: string, files: Record<string, string>, more: ZipEntry[] = []): Buffer {
  const all = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations({ officeDocument: main }),
    ...files,
  };
  return createZip([...Object.entries(all).map(([path, content]) => ({ path, content })), ...more]);
}

export interface DocxOptions {
  /** Names of styles by id, as a program of another language writes them. */
  styles?: Record<string, string>;
  footnotes?: string;
  /** Where the text is; Word on the web calls it document2.xml. */
  main?: string;
  more?: ZipEntry[];
}

export function createDocx(body: string, options: DocxOptions = {}): Buffer {
  const { styles = {}, footnotes = "", main = "word/document.xml", more } = options;
  const rows = Object.entries(styles).map(
    ([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`,
  );
  const files = {
    [main]: `${head}<w:document xmlns:w="w"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    [main.replace(/([^/]+)$/, "_rels/$1.rels")]: relations({
      styles: "styles.xml",
      footnotes: "/word/footnotes.xml",
    }),
    "word/styles.xml": `${head}<w:styles>${rows.join("")}</w:styles>`,
    "word/footnotes.xml": `${head}<w:footnotes>${footnotes}</w:footnotes>`,
  };
  return pack(main, files, more);
}

/** A paragraph; `properties` are those of the paragraph. */
export function paragraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export interface XlsxOptions {
  strings?: string[];
  /** Number formats of the styles 0, 1, 2 ...: an id, or a custom code. */
  formats?: Array<number | string>;
  isFrom1904?: boolean;
  hidden?: string[];
}

/** Sheets by name, each as the rows of its XML. */
export function createXlsx(sheets: Record<string, string>, options: XlsxOptions = {}): Buffer {
  const { strings = [], formats = [0], isFrom1904 = false, hidden = [] } = options;
  const names = Object.keys(sheets);
  const own = formats.flatMap((format, index) =>
    typeof format === "string" ? [`<numFmt numFmtId="${164 + index}" formatCode="${format}"/>`] : [],
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === "string" ? 164 + index : format}"/>`,
  );
  const listed = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : "";
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const targets = Object.fromEntries(
    names.map((_, index) => [`worksheet${index}`, `worksheets/sheet${index + 1}.xml`]),
  );
  const parts = Object.values(sheets).map((rows, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `${head}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  ]);
  return pack("xl/workbook.xml", {
    "xl/workbook.xml": `${head}<workbook><workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations({
      ...targets,
      styles: "styles.xml",
      sharedStrings: "sharedStrings.xml",
    }),
    "xl/styles.xml": `${head}<styleSheet><numFmts>${own.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${head}<sst>${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    ...Object.fromEntries(parts),
  });
}

/** Slides in the order in which they are shown; their files are numbered the other way round. */
export function createPptx(...slides: string[]): Buffer {
  const file = (index: number) => `slides/slide${slides.length - index}.xml`;
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  const parts = slides.map((text, index) => [`ppt/${file(index)}`, `${head}<p:sld>${text}</p:sld>`]);
  return pack("ppt/presentation.xml", {
    "ppt/presentation.xml": `${head}<p:presentation><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      Object.fromEntries(slides.map((_, index) => [`slide${index}`, file(index)])),
    ),
    ...Object.fromEntries(parts),
  });
}
