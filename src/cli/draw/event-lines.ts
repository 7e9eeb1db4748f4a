// A finished tool call on the screen: one line, and below it what a person wants to see of it: the change of a file in
// colour, the end of what a command printed.

import type { Question } from "../../bus/ask.ts";
import type { Notice } from "../../bus/live.ts";
import { describeNotes, describeTitle } from "../../i18n/describe-ask.ts";
import { say, type Words } from "../../i18n/words.ts";
import { toolHint } from "../../lib/language/tool-hint.ts";
import { toOneLine } from "../../lib/text.ts";
import { neutralise, reveal, revealLine } from "../../lib/visible-text.ts";
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
function paintChange(line: string, style: Style): string {
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

/** A person decides on what is shown, so hardly anything may be left out. */
const mostDetailLines = 1000;
/** What they show is a diff. */
const changes = new Set<string>(["approval.risk-files", "approval.risk-instructions"]);

export function describeQuestion(question: Question, words: Words, style: Style): string[] {
  const isChange = question.kind === "approval" && changes.has(question.risk.code);
  const detail = reveal(question.detail.replaceAll("\r\n", "\n").trimEnd());
  const lines = detail === "" ? [] : detail.split("\n");
  const shown = lines.slice(0, mostDetailLines).map((line) => (isChange ? paintChange(line, style) : line));
  const hidden = lines.length - shown.length;
  return [
    style.warning(describeTitle(question, words)),
    ...shown.map((line) => `    ${line}`),
    ...(hidden > 0 ? [`    ${style.bad(words.approval.notShown(hidden))}`] : []),
    ...describeNotes(question, words).map((line) => style.quiet(line)),
  ];
}

export function describeNotice(notice: Notice, words: Words): string {
  const reason = say(notice.reason, words);
  switch (notice.kind) {
    case "retry": {
      const seconds = Math.max(1, Math.round(notice.waitMs / 1000));
      return neutralise(words.chat.retry(reason, seconds, notice.attempt));
    }
    case "fallback":
      return neutralise(words.chat.fallback(notice.from, notice.to, reason));
    case "images-dropped":
      return neutralise(words.chat.imagesDropped(reason));
    case "budget":
    case "small-window":
    case "waiting":
      return neutralise(reason);
  }
}

/** `12 ms`, `1.2 s`, `3m 2s`, `1h 5m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes}m ${Math.floor(ms / 1000) % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
