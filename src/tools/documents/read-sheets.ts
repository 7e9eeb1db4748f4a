// The sheets of an XLSX workbook as rows of values with tabs between them. Formulas show what they came to when the
// workbook was last saved.
import {
  type OfficeParts,
  type TextBudget,
  walkXml,
  type XmlAttribute,
  type XmlVisitor,
} from "./office-xml.ts";

interface Workbook {
  sheets: Array<{ name: string; id: string; isHidden: boolean }>;
  /** Days count from 1904, as on old Macs. */
  isFrom1904: boolean;
}

interface SheetContext {
  strings: string[];
  /** Which styles, by their index, show a number as a day or a time. */
  dateStyles: ReadonlySet<number>;
  isFrom1904: boolean;
}

const lastColumn = 16_384;
/** Built-in number formats that are days or times, those of Chinese, Japanese and Korean programs included. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

export function readSheets(parts: OfficeParts, main: string, budget: TextBudget): string[] {
  const { sheets, isFrom1904 } = readWorkbook(parts.read(main));
  const related = parts.related(main);
  const pathOf = (name: string) => [...related.values()].find((path) => path.endsWith(`/${name}`)) ?? "";
  const strings = readStrings(parts.read(pathOf("sharedStrings.xml")));
  const context = { strings, dateStyles: readDateStyles(parts.read(pathOf("styles.xml"))), isFrom1904 };
  const lines: string[] = [];
  for (const { name, id, isHidden } of sheets) {
    if (budget.left <= 0) break;
    lines.push(`[sheet ${name}${isHidden ? ", hidden" : ""}]`);
    walkXml(parts.read(related.get(id) ?? ""), new SheetReader(context, lines, budget));
    lines.push("");
  }
  return lines;
}

function readWorkbook(xml: string): Workbook {
  const book: Workbook = { sheets: [], isFrom1904: false };
  walkXml(xml, {
    open(name, attribute) {
      if (name === "workbookPr") book.isFrom1904 = /^(?:1|true)$/.test(attribute("date1904") ?? "");
      if (name !== "sheet") return;
      const isHidden = /hidden/i.test(attribute("state") ?? "");
      book.sheets.push({ name: attribute("name") ?? "", id: attribute("r:id") ?? "", isHidden });
    },
  });
  return book;
}

/** Each with its runs put together, and without how it is pronounced. */
function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let isPhonetic = false;
  walkXml(xml, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") isPhonetic = true;
      else if (name === "t") isText = true;
    },
    close(name) {
      if (name === "si") strings.push(text);
      else if (name === "rPh") isPhonetic = false;
      else if (name === "t") isText = false;
    },
    text(piece) {
      if (isText && !isPhonetic) text += piece;
    },
  });
  return strings;
}

function readDateStyles(xml: string): Set<number> {
  const formats = new Set<number>();
  const styles = new Set<number>();
  let index = -1;
  walkXml(xml, {
    open(name, attribute) {
      const id = Number(attribute("numFmtId"));
      if (name === "numFmt" && isDateFormat(attribute("formatCode") ?? "")) formats.add(id);
      if (name === "cellXfs") index = 0;
      if (name !== "xf" || index < 0) return;
      if (formats.has(id) || isBuiltInDate(id)) styles.add(index);
      index++;
    },
    close(name) {
      if (name === "cellXfs") index = -1;
    },
  });
  return styles;
}

/** Without texts, colours and conditions. `m` alone may be a month or a minute, and is either way one of them. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, "").replaceAll(/general/gi, ""));
}

class SheetReader implements XmlVisitor {
  readonly #context: SheetContext;
  readonly #lines: string[];
  readonly #budget: TextBudget;
  #row: string[] = [];
  #column = 0;
  #type = "";
  #style = -1;
  #value = "";
  #formula = "";
  /** The element whose text is read. */
  #inside = "";

  constructor(context: SheetContext, lines: string[], budget: TextBudget) {
    this.#context = context;
    this.#lines = lines;
    this.#budget = budget;
  }

  isDone(): boolean {
    return this.#budget.left <= 0;
  }

  open(name: string, attribute: XmlAttribute): void {
    if (name === "row") this.#row = [];
    else if (name === "c") this.#openCell(attribute);
    else if (name === "v" || name === "t" || name === "f") this.#inside = name;
  }

  close(name: string): void {
    if (name === this.#inside) this.#inside = "";
    else if (name === "c") this.#endCell();
    else if (name === "row") this.#endRow();
  }

  text(text: string): void {
    if (this.#inside === "f") this.#formula += text;
    else if (this.#inside !== "") this.#value += text;
  }

  #openCell(attribute: XmlAttribute): void {
    const letters = /^[A-Z]{1,3}/.exec(attribute("r") ?? "")?.[0];
    this.#column = letters === undefined ? this.#row.length : toColumn(letters);
    this.#type = attribute("t") ?? "";
    this.#style = Number(attribute("s") ?? -1);
    this.#value = "";
    this.#formula = "";
  }

  #endCell(): void {
    const text = this.#describe()
      .replaceAll(/_x000D_|\r/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const isFurther = this.#column >= this.#row.length && this.#column < lastColumn;
    if (text === "" || !isFurther) return;
    this.#budget.left -= this.#column - this.#row.length + text.length + 1;
    while (this.#row.length < this.#column) this.#row.push("");
    this.#row.push(text);
  }

  #describe(): string {
    const value = this.#value;
    if (value === "" && this.#formula !== "") return `=${this.#formula}`;
    if (this.#type === "s") return this.#context.strings[Number(value)] ?? "";
    if (this.#type === "b") return value === "1" ? "TRUE" : "FALSE";
    const isDate = (this.#type === "" || this.#type === "n") && this.#context.dateStyles.has(this.#style);
    return isDate ? toDay(value, this.#context.isFrom1904) : value;
  }

  #endRow(): void {
    if (this.#row.length > 0) this.#lines.push(this.#row.join("\t"));
    this.#row = [];
  }
}

/** From 0. */
function toColumn(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** `2026-05-31`, `2026-05-31 10:30` or, below a day, `10:30`; the number itself where it is none that has a day. */
function toDay(value: string, isFrom1904: boolean): string {
  const days = Number(value) + (isFrom1904 ? 1462 : 0);
  if (value === "" || !(days >= 0 && days < 2_958_466)) return value;
  // A 29 February 1900 is counted that never was.
  const minutes = Math.round((days >= 1 && days < 60 ? days + 1 : days) * 1440);
  const iso = new Date(Date.UTC(1899, 11, 30) + minutes * 60_000).toISOString();
  const time = iso.slice(11, 16);
  if (days < 1) return time;
  return minutes % 1440 === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}
