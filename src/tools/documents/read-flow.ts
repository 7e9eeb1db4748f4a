// The running text of a DOCX part or a PPTX slide as lines: headings, lists and tables in the manner of Markdown. Both
// formats call a paragraph `p`, a run `r`, its text `t` and a table `tbl`.
import { type TextBudget, walkXml, type XmlAttribute, type XmlVisitor } from "./office-xml.ts";

/** What the styles of a document mean, by their ids. */
export type FlowStyles = ReadonlyMap<string, { heading?: number; isList?: boolean }>;

interface Paragraph {
  text: string;
  heading: number;
  /** Depth in a list; -1 outside of one. */
  list: number;
}

/** Rows of cells; the last of each is being filled. */
type Table = string[][];

/** Ids of styles differ with the language of the program that wrote them; the names of the built-in ones do not. */
export function readStyles(xml: string): FlowStyles {
  const styles = new Map<string, { heading?: number; isList?: boolean }>();
  let id = "";
  walkXml(xml, {
    open(name, attribute) {
      if (name === "style") id = attribute("styleId") ?? "";
      if (name !== "name") return;
      const called = (attribute("val") ?? "").toLowerCase();
      const heading = called === "title" ? 1 : Number(/^heading ([1-9])$/.exec(called)?.[1] ?? 0);
      styles.set(id, { heading, isList: /^list (?:bullet|number)/.test(called) });
    },
  });
  return styles;
}

export function readFlow(xml: string, styles: FlowStyles, budget: TextBudget): string[] {
  const reader = new FlowReader(styles, budget);
  walkXml(xml, reader);
  return reader.lines;
}

/** What says how something looks, and what is not shown: older copies, text that was moved away. */
const nested = new Map<string, "runs" | "properties" | "skipped">([
  ["r", "runs"],
  ["pPr", "properties"],
  ["rPr", "properties"],
  ["Fallback", "skipped"],
  ["moveFrom", "skipped"],
]);

class FlowReader implements XmlVisitor {
  readonly lines: string[] = [];
  readonly #styles: FlowStyles;
  readonly #budget: TextBudget;
  #paragraphs: Paragraph[] = [];
  #tables: Table[] = [];
  readonly #depth = { runs: 0, properties: 0, skipped: 0 };
  #isText = false;
  #isHidden = false;

  constructor(styles: FlowStyles, budget: TextBudget) {
    this.#styles = styles;
    this.#budget = budget;
  }

  isDone(): boolean {
    return this.#budget.left <= 0;
  }

  open(name: string, attribute: XmlAttribute): void {
    const paragraph = this.#paragraphs.at(-1);
    const kind = nested.get(name);
    if (kind !== undefined) this.#depth[kind]++;
    if (kind === "runs") this.#isHidden = false;
    switch (name) {
      case "p":
        this.#paragraphs.push({ text: "", heading: 0, list: -1 });
        return;
      case "t":
        this.#isText = true;
        return;
      case "vanish":
        this.#isHidden = this.#depth.runs > 0 && !/^(?:0|false|off)$/.test(attribute("val") ?? "");
        return;
      case "tbl":
        this.#tables.push([]);
        return;
      case "tr":
        this.#tables.at(-1)?.push([]);
        return;
      case "tc":
        this.#tables.at(-1)?.at(-1)?.push("");
        return;
      default:
        if (paragraph !== undefined) this.#openInside(name, attribute, paragraph);
    }
  }

  #openInside(name: string, attribute: XmlAttribute, paragraph: Paragraph): void {
    const value = attribute("val") ?? "";
    if (name === "pStyle") {
      const { heading = 0, isList } = this.#styles.get(value) ?? {};
      paragraph.heading = heading;
      if (isList) paragraph.list = 0;
    } else if (name === "numPr") paragraph.list = 0;
    else if (name === "ilvl") paragraph.list = Math.min(Number(value) || 0, 8);
    else if (name === "numId" && value === "0") paragraph.list = -1;
    else if (this.#depth.properties > 0) return;
    else if (name === "br" || name === "cr") this.#add("\n");
    else if (name === "tab" && this.#depth.runs > 0) this.#add("\t");
    else if (name === "noBreakHyphen") this.#add("-");
    else if (name === "footnoteReference" || name === "endnoteReference")
      this.#add(`[^${attribute("id") ?? ""}]`);
  }

  close(name: string): void {
    const kind = nested.get(name);
    if (kind !== undefined) this.#depth[kind] = Math.max(0, this.#depth[kind] - 1);
    if (name === "t") this.#isText = false;
    else if (name === "p") this.#endParagraph();
    else if (name === "tbl") this.#endTable();
  }

  text(text: string): void {
    if (this.#isText) this.#add(text);
  }

  #add(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || this.#depth.skipped > 0 || this.#isHidden) return;
    paragraph.text += text;
    this.#budget.left -= text.length;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined || paragraph.text.trim() === "") return;
    const { text, heading, list } = paragraph;
    if (this.#tables.length > 0) this.#fillCell(text);
    else if (heading > 0) this.lines.push("", `${"#".repeat(heading)} ${text.trim()}`);
    else this.lines.push(list < 0 ? text : `${"  ".repeat(list)}- ${text}`);
  }

  #fillCell(text: string): void {
    const row = this.#tables.at(-1)?.at(-1);
    if (row === undefined || row.length === 0) return;
    const before = row.pop() ?? "";
    row.push(`${before}${before === "" ? "" : " "}${text.replaceAll(/\s+/g, " ").trim()}`);
  }

  #endTable(): void {
    const rows = (this.#tables.pop() ?? []).filter((row) => row.length > 0);
    const [head] = rows;
    if (head === undefined) return;
    if (this.#tables.length > 0) {
      this.#fillCell(rows.map((row) => row.join(", ")).join("; "));
      return;
    }
    const lines = rows.map((row) => `| ${row.map(escapeCell).join(" | ")} |`);
    lines.splice(1, 0, `|${" --- |".repeat(head.length)}`);
    this.lines.push("", lines.join("\n"), "");
  }
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
