// Markdown for the terminal while it arrives: a machine of lines that shows what is certain and holds back the rest.
// However the text is cut into chunks, what is shown is the same. Control characters in it are shown, never obeyed.

import { neutralise } from "../../lib/visible-text.ts";
import { longestHeld, renderInline } from "./markdown-inline.ts";
import { renderTable } from "./markdown-table.ts";
import type { Style } from "./style.ts";

export interface MarkdownOptions {
  style: Style;
  columns(): number;
}

/** What a line, or the rest of one after a prefix, turns out to be. */
type Block =
  | { type: "wait" | "text" | "table-row" | "rule" }
  | { type: "fence"; mark: string }
  | { type: "heading"; mark: string; text: string }
  | { type: "prefix"; length: number; output: string; isQuote: boolean };

interface Line {
  text: string;
  /** Its end has arrived. */
  isComplete: boolean;
}

const mostTableRows = 300;

export class MarkdownStream {
  readonly #options: MarkdownOptions;
  /** Half a character, or a carriage return that may belong to a line's end. */
  #carry = "";
  /** What has arrived of the current line and is not shown yet. */
  #pending = "";
  #previous = "";
  #place: "line-start" | "quote-start" | "text" = "line-start";
  #fence: string | undefined;
  #table: string[] = [];

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  /** Takes the next chunk and returns what can be shown now. */
  write(chunk: string): string {
    const text = this.#carry + chunk;
    this.#carry = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    const whole = text.slice(0, text.length - this.#carry.length);
    this.#pending += neutralise(whole.replaceAll("\r\n", "\n")).toWellFormed();
    return this.#advance(false);
  }

  /** Shows what was held back. The stream can then begin anew. */
  end(): string {
    if (this.#carry !== "\r") this.#pending += this.#carry.toWellFormed();
    this.#carry = "";
    const output = this.#advance(true) + this.#endTable();
    this.#place = "line-start";
    this.#fence = undefined;
    return output;
  }

  #advance(isEnd: boolean): string {
    let output = "";
    for (;;) {
      const newline = this.#pending.indexOf("\n");
      if (newline === -1) break;
      const text = this.#pending.slice(0, newline);
      this.#pending = this.#pending.slice(newline + 1);
      output += this.#showEnd({ text, isComplete: true });
    }
    if (isEnd && this.#pending === "") return output;
    const line = { text: this.#pending, isComplete: isEnd };
    const { output: shown, consumed } = this.#show(line);
    this.#pending = isEnd ? "" : line.text.slice(consumed);
    return output + shown;
  }

  #showEnd(line: Line): string {
    const { output } = this.#show(line);
    const isRow = this.#table.length > 0 && this.#place === "line-start";
    this.#place = "line-start";
    this.#previous = "";
    return isRow ? output : `${output}\n`;
  }

  #show(line: Line): { output: string; consumed: number } {
    if (this.#fence !== undefined) return this.#showCode(line, this.#fence);
    let output = "";
    let consumed = 0;
    while (this.#place !== "text") {
      const rest = { ...line, text: line.text.slice(consumed) };
      const block = findBlock(rest, this.#place === "quote-start", this.#options.style);
      if (block.type === "wait") return { output, consumed };
      if (block.type === "table-row") {
        this.#table.push(rest.text);
        return {
          output: this.#table.length > mostTableRows ? this.#endTable() : "",
          consumed: line.text.length,
        };
      }
      output += this.#endTable();
      if (block.type === "prefix") {
        output += block.output;
        consumed += block.length;
        this.#place = block.isQuote ? "quote-start" : "text";
      } else if (block.type === "text") {
        this.#place = "text";
      } else {
        this.#place = "text";
        return { output: output + this.#showWhole(block, rest.text), consumed: line.text.length };
      }
    }
    const inline = this.#showText(line.text.slice(consumed), line.isComplete);
    return { output: output + inline.output, consumed: consumed + inline.consumed };
  }

  #showText(text: string, isComplete: boolean): { output: string; consumed: number } {
    const result = renderInline(text, { style: this.#options.style, isComplete, previous: this.#previous });
    if (result.consumed > 0) this.#previous = text[result.consumed - 1] ?? "";
    return result;
  }

  #showWhole(block: Exclude<Block, { type: "wait" | "text" | "prefix" }>, text: string): string {
    const { style, columns } = this.#options;
    if (block.type === "rule") return style.quiet("─".repeat(Math.min(40, columns())));
    if (block.type === "heading") {
      const { output } = renderInline(block.text, { style, isComplete: true });
      return style.quiet(`${block.mark} `) + style.heading(output);
    }
    if (block.type === "fence") this.#fence = block.mark;
    return style.quiet(text);
  }

  #showCode(line: Line, fence: string): { output: string; consumed: number } {
    const { style } = this.#options;
    const isStart = this.#place === "line-start";
    const isShort = line.text.length < longestHeld;
    if (isStart && isShort && !line.isComplete && /^\s*(`*|~*)\s*$/.test(line.text))
      return { output: "", consumed: 0 };
    this.#place = "text";
    if (isStart && isShort && line.isComplete && closesFence(line.text, fence)) {
      this.#fence = undefined;
      return { output: style.quiet(line.text), consumed: line.text.length };
    }
    return { output: style.code(line.text), consumed: line.text.length };
  }

  #endTable(): string {
    if (this.#table.length === 0) return "";
    const { style, columns } = this.#options;
    const lines = this.#table;
    this.#table = [];
    const asText = () =>
      lines.map((line) => `${renderInline(line, { style, isComplete: true }).output}\n`).join("");
    return renderTable(lines, { style, columns: columns() }) ?? asText();
  }
}

function closesFence(text: string, fence: string): boolean {
  const mark = /^\s*(`{3,}|~{3,})\s*$/.exec(text)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}

/** Blocks that need their whole line are looked for only in lines that may be held back until they end. */
function findBlock({ text, isComplete }: Line, isInQuote: boolean, style: Style): Block {
  const head = text.slice(0, longestHeld);
  const isWhole = isComplete && text.length < longestHeld;
  const whole = isWhole ? findWholeLineBlock(text, isInQuote) : undefined;
  if (whole !== undefined) return whole;
  const isSettled = isComplete || text.length >= longestHeld;
  if (!isSettled && mayBecomeBlock(head, isInQuote)) return { type: "wait" };
  return findPrefix(head, style) ?? { type: "text" };
}

function findWholeLineBlock(text: string, isInQuote: boolean): Block | undefined {
  const heading = /^\s{0,3}(#{1,6})\s+(.*)$/.exec(text);
  if (heading !== null) return { type: "heading", mark: heading[1] ?? "", text: heading[2]?.trimEnd() ?? "" };
  if (/^\s{0,3}([-*_])\s*(?:\1\s*){2,}$/.test(text)) return { type: "rule" };
  if (isInQuote) return undefined;
  const fence = /^\s*(`{3,}|~{3,})[^`]*$/.exec(text)?.[1];
  if (fence !== undefined) return { type: "fence", mark: fence };
  return /^\s{0,3}\|/.test(text) ? { type: "table-row" } : undefined;
}

/** Whether a line that is still growing may become something else than what it looks like now. */
function mayBecomeBlock(head: string, isInQuote: boolean): boolean {
  if (/^\s*$/.test(head) || /^\s{0,3}#{1,6}(\s|$)/.test(head) || /^\s{0,3}([-*_])(\1|\s)*$/.test(head))
    return true;
  if (/^\s*(>|[-*+]\s*(\[.{0,3})?|\d{1,9}[.)]?\s*(\[.{0,3})?)$/.test(head)) return true;
  if (isInQuote) return false;
  return /^\s*(`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}[^`]*|\|.*)$/.test(head);
}

function findPrefix(head: string, style: Style): Block | undefined {
  const quote = /^\s*> ?/.exec(head);
  if (quote !== null)
    return { type: "prefix", length: quote[0].length, output: style.quiet("│ "), isQuote: true };
  const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(\[[ xX]\]\s)?/.exec(head);
  if (item === null) return undefined;
  const [whole, indent = "", mark = "", space = "", box] = item;
  const shown = /\d/.test(mark) ? mark : "•";
  const task = box === undefined ? "" : box[1] === " " ? "☐ " : "☑ ";
  return {
    type: "prefix",
    length: whole.length,
    output: `${indent}${style.quiet(shown)}${space}${task}`,
    isQuote: false,
  };
}
