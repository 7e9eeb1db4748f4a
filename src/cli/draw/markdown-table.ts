// A Markdown table for the terminal: aligned columns where they fit, otherwise one short list per row.
import { renderInline } from "./markdown-inline.ts";
import type { Style } from "./style.ts";
import { textWidth } from "./text-width.ts";

export interface TableOptions {
  style: Style;
  /** Width of the terminal. */
  columns: number;
}

type Alignment = "left" | "right" | "center";

const separatorCell = /^:?-+:?$/;

/** The lines of a table, each with its newline; undefined when the second line is not that of a table. */
export function renderTable(lines: readonly string[], { style, columns }: TableOptions): string | undefined {
  const [header = [], separator, ...body] = lines.map(splitCells);
  if (separator === undefined || !separator.every((cell) => separatorCell.test(cell))) return undefined;
  const render = (cell: string) =>
    renderInline(cell.replaceAll("\t", " "), { style, isComplete: true }).output;
  const titles = header.map(render);
  const rows = body.map((row) => titles.map((_, index) => render(row[index] ?? "")));
  const widths = titles.map((title, index) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[index] ?? ""))),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + 3 * (widths.length - 1) + 2;
  if (total > columns) return stack(titles, rows, style);
  const alignments = separator.map(alignmentOf);
  const draw = (row: string[]) =>
    ` ${row.map((cell, index) => pad(cell, widths[index] ?? 0, alignments[index])).join(style.quiet(" │ "))}`.trimEnd();
  const line = style.quiet(`─${widths.map((width) => "─".repeat(width)).join("─┼─")}─`);
  return `${[draw(titles.map(style.bold)), line, ...rows.map(draw)].join("\n")}\n`;
}

function stack(titles: string[], rows: string[][], style: Style): string {
  const records = rows.map((row) =>
    row.map((cell, index) => `${style.bold(titles[index] ?? "")}: ${cell}\n`).join(""),
  );
  return records.length === 0 ? `${titles.map(style.bold).join(", ")}\n` : records.join("\n");
}

function splitCells(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inside.match(/(?:\\.|`[^`]*`|[^|\\])+|(?<=\||^)(?=\||$)/g) ?? [""];
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignmentOf(cell: string): Alignment {
  if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
  return "left";
}

function pad(cell: string, width: number, alignment: Alignment = "left"): string {
  const space = width - textWidth(cell);
  const before = alignment === "right" ? space : alignment === "center" ? Math.floor(space / 2) : 0;
  return " ".repeat(before) + cell + " ".repeat(space - before);
}
