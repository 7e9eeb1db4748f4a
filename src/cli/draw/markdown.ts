// Markdown for the terminal, as lines of a width. Control characters in it are shown, never obeyed.
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { neutralise } from "../../lib/visible-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Style } from "./style.ts";

const widest = 2_000;

export type Markdown = (text: string, columns: number) => string[];

export function createMarkdown({ Markdown }: TuiLibrary, style: Style): Markdown {
  const theme = toTheme(style);
  return (text, columns) => {
    const safe = neutralise(text.replaceAll("\r\n", "\n")).toWellFormed();
    const lines = new Markdown(safe, 0, 0, theme).render(Math.max(1, columns));
    // Padding would be copied with the text, and wrapped when the window becomes narrower.
    return tidyTables(lines.map((line) => line.trimEnd()));
  };
}

/** For reports. In a file or a pipe tables are aligned, too, but no line is wrapped. */
export async function renderReport(text: string, { stdout, style }: Terminal): Promise<string> {
  const markdown = createMarkdown(await loadTuiLibrary(), style);
  const columns = stdout.isTTY ? stdout.columns || 80 : widest;
  return `${markdown(text, columns).join("\n").trimEnd()}\n`;
}

/** Numbers are aligned, and rows that take one line each need no rules between them. */
function tidyTables(lines: string[]): string[] {
  const start = lines.findIndex((line) => line.startsWith("┌"));
  const end = lines.findIndex((line, index) => index > start && line.startsWith("└"));
  if (start === -1 || end === -1) return lines;
  const [top = "", ...rows] = lines.slice(start, end);
  const rules = rows.flatMap((line, index) => (line.startsWith("├") ? [index] : []));
  const isDense = rules.slice(1).every((rule, index) => rule - (rules[index] ?? 0) === 2);
  const kept = isDense ? rows.filter((line, index) => !line.startsWith("├") || index === rules[0]) : rows;
  const aligned = kept.map((line) =>
    line.replaceAll(/│ ([\d.,]+%?)( +)(?=│)/g, (_, number, space) => `│${space}${number} `),
  );
  return [
    ...lines.slice(0, start),
    top,
    ...aligned,
    ...lines.slice(end, end + 1),
    ...tidyTables(lines.slice(end + 1)),
  ];
}

function toTheme(style: Style): MarkdownTheme {
  return {
    heading: style.heading,
    link: style.link,
    linkUrl: style.quiet,
    code: style.isPlain ? (text) => `\`${text}\`` : style.code,
    codeBlock: style.code,
    codeBlockBorder: style.quiet,
    quote: style.italic,
    quoteBorder: style.quiet,
    hr: style.quiet,
    listBullet: (text) => style.quiet(text.replace(/^[-*+] /, "• ")),
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strike,
    underline: style.italic,
  };
}

export type TuiLibrary = typeof import("@earendil-works/pi-tui");

export async function loadTuiLibrary(): Promise<TuiLibrary> {
  const library = await import("@earendil-works/pi-tui");
  // A link shows where it leads: hidden behind other words, a model could send a person anywhere.
  const { images } = library.detectCapabilities();
  library.setCapabilities({ images, trueColor: false, hyperlinks: false });
  return library;
}
