// The last lines of a terminal, drawn again and again, below what was printed for good: finished lines are printed once
// and belong to the terminal's own history from then on. Knows nothing of what the lines say.
import type { TuiLibrary } from "./markdown.ts";

export interface Frame {
  lines: string[];
  /** Where a person types; absent: nowhere. */
  cursor?: { row: number; column: number };
}

export interface RegionOutput {
  write(text: string): unknown;
  columns: number;
  rows: number;
}

type Measure = Pick<TuiLibrary, "visibleWidth" | "truncateToWidth">;

const beginUpdate = "\u001b[?2026h\u001b[?25l";
const endUpdate = "\u001b[?2026l";
const showCursor = "\u001b[?25h";
const clearDown = "\u001b[J";
const clearLine = "\u001b[2K";

export class LiveRegion {
  readonly #output: RegionOutput;
  readonly #measure: Measure;
  #drawn: string[] = [];
  /** Where the cursor is, counted from the region's first line. */
  #row = 0;
  #column = 0;
  #columns = 0;

  constructor(output: RegionOutput, measure: Measure) {
    this.#output = output;
    this.#measure = measure;
  }

  /** Some terminals do not say how wide they are. */
  get columns(): number {
    return this.#output.columns || 80;
  }

  /** Prints lines for good, then the region below them. */
  draw(frame: Frame, finished: readonly string[] = []): void {
    const { columns } = this;
    const { lines, cursor } = this.#fit(frame);
    const isMoved = this.#columns !== columns && this.#columns !== 0;
    const isSame = !isMoved && finished.length === 0;
    let text = isSame ? this.#change(lines) : this.#begin(isMoved) + this.#write(lines, finished);
    this.#drawn = lines;
    this.#columns = columns;
    if (cursor !== undefined) {
      text += `${this.#moveTo(cursor.row)}\u001b[${cursor.column + 1}G${showCursor}`;
      this.#column = cursor.column;
    }
    if (text !== "") this.#output.write(beginUpdate + text + endUpdate);
  }

  /** Takes the region away; what was printed stays. */
  clear(): void {
    this.#output.write(this.#begin(this.#columns !== this.columns) + showCursor);
    this.#drawn = [];
  }

  /** A region higher than the screen could not be drawn over: its upper lines are left out. */
  #fit({ lines, cursor }: Frame): Frame {
    const { columns } = this;
    const rows = this.#output.rows || 24;
    const hidden = Math.max(0, lines.length - Math.max(1, rows - 1));
    const shown = lines.slice(hidden).map((line) => this.#close(line, columns));
    if (cursor === undefined) return { lines: shown };
    const column = Math.min(cursor.column, columns - 1);
    return { lines: shown, cursor: { row: Math.max(0, cursor.row - hidden), column } };
  }

  /** A line that fits, and whose styles end with it. */
  #close(line: string, columns: number): string {
    const { visibleWidth, truncateToWidth } = this.#measure;
    const fitting = visibleWidth(line) > columns ? truncateToWidth(line, columns, "…") : line;
    return endStyles(fitting);
  }

  /** To the region's first line, with everything below it gone. */
  #begin(isMoved: boolean): string {
    const up = isMoved ? this.#rowsAbove() : this.#row;
    this.#row = 0;
    this.#column = 0;
    // From the very first cell tmux would keep in its history what is cleared: the first line is cleared on its own.
    const others = this.#drawn.length > 1 ? `\u001b[1B${clearDown}\u001b[1A` : "";
    return `${up > 0 ? `\u001b[${up}A` : ""}\r${clearLine}${others}`;
  }

  /** Terminals wrap what no longer fits when they become narrower. */
  #rowsAbove(): number {
    const { columns } = this;
    const rowsOf = (width: number) => Math.max(1, Math.ceil(width / columns));
    const above = this.#drawn.slice(0, this.#row).map((line) => rowsOf(this.#measure.visibleWidth(line)));
    return above.reduce((sum, rows) => sum + rows, 0) + Math.floor(this.#column / columns);
  }

  /** What stays may be longer than the screen is wide: the terminal wraps it, and wraps it again for another width. */
  #write(lines: string[], finished: readonly string[]): string {
    this.#row = Math.max(0, lines.length - 1);
    return finished.map((line) => `${endStyles(line)}\r\n`).join("") + lines.join("\r\n");
  }

  #change(lines: string[]): string {
    let text = "";
    for (const [row, line] of lines.entries()) {
      if (row < this.#drawn.length && line === this.#drawn[row]) continue;
      text += `${this.#moveTo(row)}\r${clearLine}${line}`;
    }
    if (lines.length < this.#drawn.length) text += `${this.#moveTo(lines.length)}\r${clearDown}`;
    return text;
  }

  /** Below the last line there may be nothing yet to move to. */
  #moveTo(row: number): string {
    const last = Math.max(this.#drawn.length - 1, this.#row);
    const within = Math.min(row, last);
    const delta = within - this.#row;
    const move = delta === 0 ? "" : `\u001b[${Math.abs(delta)}${delta > 0 ? "B" : "A"}`;
    this.#row = row;
    return move + "\r\n".repeat(row - within);
  }
}

function endStyles(line: string): string {
  return line.includes("\u001b[") ? `${line}\u001b[0m` : line;
}
