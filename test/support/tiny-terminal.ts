// A terminal of a few lines: what a program draws, as a person would see it, with what has scrolled away above it. Knows
// only what the live region uses; one character is one column.

export class TinyTerminal {
  readonly columns: number;
  readonly rows: number;
  #lines: string[] = [""];
  /** Of the screen's first line. */
  #top = 0;
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** Everything that was ever on the screen and is still there, without empty lines at the end. */
  get shown(): string[] {
    const last = this.#lines.findLastIndex((line) => line.trimEnd() !== "");
    return this.#lines.slice(0, last + 1).map((line) => line.trimEnd());
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
    for (const [piece] of text.matchAll(/\u001b\[\??[\d;]*[A-Za-z]|[\s\S]/g)) this.#take(piece);
  }

  #take(piece: string): void {
    if (piece === "\r") this.#column = 0;
    else if (piece === "\n") this.#down();
    else if (piece.startsWith("\u001b["))
      this.#obey(piece.at(-1) ?? "", Number.parseInt(piece.slice(2), 10) || 0);
    else this.#put(piece);
  }

  #obey(order: string, count: number): void {
    if (order === "A") this.#row = Math.max(this.#top, this.#row - count);
    if (order === "B") this.#row = Math.min(this.#top + this.rows - 1, this.#row + count);
    if (order === "G") this.#column = count - 1;
    if (order === "K") this.#set(this.#row, "");
    if (order !== "J") return;
    this.#set(this.#row, this.#line(this.#row).slice(0, this.#column));
    for (let row = this.#row + 1; row < this.#lines.length; row++) this.#set(row, "");
  }

  #put(character: string): void {
    if (this.#column === this.columns) {
      this.#column = 0;
      this.#down();
    }
    const line = this.#line(this.#row).padEnd(this.#column);
    this.#set(this.#row, line.slice(0, this.#column) + character + line.slice(this.#column + 1));
    this.#column += 1;
  }

  #down(): void {
    this.#row += 1;
    if (this.#row >= this.#top + this.rows) this.#top += 1;
    this.#set(this.#row, this.#line(this.#row));
  }

  #line(row: number): string {
    return this.#lines[row] ?? "";
  }

  #set(row: number, line: string): void {
    while (this.#lines.length <= row) this.#lines.push("");
    this.#lines[row] = line;
  }
}
