// Markdown for the terminal, as lines of a width. Control characters in it are shown, never obeyed.
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { neutralise } from "../../lib/visible-text.ts";
import type { Style } from "./style.ts";
import { loadTuiLibrary, type TuiLibrary } from "./tui-library.ts";

export type Markdown = (text: string, columns: number) => string[];

export function createMarkdown({ Markdown }: TuiLibrary, style: Style): Markdown {
  const theme = toTheme(style);
  return (text, columns) => {
    const safe = neutralise(text.replaceAll("\r\n", "\n")).toWellFormed();
    const lines = new Markdown(safe, 0, 0, theme).render(Math.max(1, columns));
    // Padding would be copied with the text, and wrapped when the window becomes narrower.
    return lines.map((line) => line.trimEnd());
  };
}

/** For reports: the whole text at once. */
export async function renderMarkdown(text: string, style: Style, columns: number): Promise<string> {
  const markdown = createMarkdown(await loadTuiLibrary(), style);
  return `${markdown(text, columns).join("\n").trimEnd()}\n`;
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
    listBullet: style.quiet,
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strike,
    underline: style.italic,
  };
}
