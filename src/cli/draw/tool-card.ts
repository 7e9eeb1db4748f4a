// A finished tool call on the screen: one line, and below it what a person wants to see of it: the change of a file in
// colour, the end of what a command printed.
import { toolHint } from "../../app/tool-hint.ts";
import type { Words } from "../../i18n/words.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { formatDuration } from "./figures.ts";
import type { Style } from "./style.ts";
import { fitWidth } from "./text-width.ts";

export interface ToolCard {
  name: string;
  arguments: Record<string, unknown>;
  isError: boolean;
  ms: number;
  content: string;
  /** How often in a row. */
  count: number;
  /** It did not come to its end; the content is what was seen of it. */
  isStopped?: boolean;
}

export interface CardLook {
  words: Words;
  style: Style;
  hintLength: number;
}

const longestReason = 80;
const mostOutputLines = 6;
const mostChangedLines = 16;
const indent = "    ";

export function describeCard(card: ToolCard, look: CardLook, columns: number): string[] {
  return [describeCall(card, look, columns), ...describeDetail(card, look, columns)];
}

function describeCall(card: ToolCard, { words, style, hintLength }: CardLook, columns: number): string {
  const times = card.count > 1 ? ` × ${card.count}` : "";
  const failure = card.isError
    ? ` · ${words.chat.failed}: ${revealLine(toOneLine(card.content, longestReason))}`
    : "";
  const reason = card.isStopped === true ? ` · ${words.chat.stopped}` : failure;
  const text = `${toolHint(card.name, card.arguments, hintLength)}${times} · ${formatDuration(card.ms)}${reason}`;
  const done = card.isError ? style.bad("✗") : style.good("✓");
  return `  ${card.isStopped === true ? style.warning("■") : done} ${style.quiet(fitWidth(text, columns - 5))}`;
}

function describeDetail(card: ToolCard, { words, style }: CardLook, columns: number): string[] {
  if (card.isError || card.count > 1) return [];
  const { old_text: before, new_text: after, content } = card.arguments;
  if (card.isStopped !== true && card.name === "edit_file")
    return cut([...signed("-", before), ...signed("+", after)]);
  if (card.isStopped !== true && card.name === "write_file") return cut(signed("+", content));
  if (card.isStopped !== true && card.name !== "exec") return [];
  const lines = toLines(card.content.replace(/(?:^|\n)Exit code: 0$/, ""));
  const hidden = lines.length - mostOutputLines;
  const shown = hidden > 1 ? [`… ${words.terminal.moreLines(hidden)}`, ...lines.slice(hidden)] : lines;
  return shown.map((line) => indent + style.quiet(fitWidth(revealLine(line), columns - indent.length - 1)));

  function cut(lines: string[]): string[] {
    const left = lines.length - mostChangedLines;
    const kept =
      left > 1 ? [...lines.slice(0, mostChangedLines), `… ${words.terminal.moreLines(left)}`] : lines;
    return kept.map((line) => indent + paintChange(fitWidth(line, columns - indent.length - 1), style));
  }
}

/** A line of a diff. */
export function paintChange(line: string, style: Style): string {
  if (line.startsWith("+")) return style.good(line);
  return line.startsWith("-") ? style.bad(line) : line;
}

function signed(sign: string, text: unknown): string[] {
  if (typeof text !== "string" || text === "") return [];
  return toLines(text).map((line) => revealLine(`${sign} ${line}`));
}

function toLines(text: string): string[] {
  const trimmed = text.replaceAll("\r\n", "\n").trimEnd();
  return trimmed === "" ? [] : trimmed.split("\n");
}
