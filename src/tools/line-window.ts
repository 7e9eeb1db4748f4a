// Lines `offset` to `offset + limit` of a stream of bytes, in memory that does not grow with the file.
import { TextDecoder } from "node:util";
import { takeHead } from "../lib/text.ts";

export interface LineWindowOptions {
  /** The first line to keep, from 1. */
  offset: number;
  limit: number;
  /** Characters that all kept lines may have together, each with its number. */
  maxCharacters: number;
  /** A longer line is cut, with a mark. */
  maxLineLength: number;
  /** Of each line; its line feed must be the byte 10. */
  encoding: string;
}

export class LineWindow {
  /** `N| text`, one for each line. */
  readonly lines: string[] = [];
  /** Lines that have ended so far; all of them once `end` was called. */
  total = 0;
  /** No further line will be kept. */
  isFull = false;
  readonly #options: LineWindowOptions;
  readonly #decoder: TextDecoder;
  #pieces: Buffer[] = [];
  #keptBytes = 0;
  #lineBytes = 0;
  #characters = 0;

  constructor(options: LineWindowOptions) {
    this.#options = options;
    this.#decoder = new TextDecoder(options.encoding);
  }

  /** The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  end(): void {
    if (this.#lineBytes > 0) this.#endLine();
  }

  #keep(bytes: Buffer): void {
    this.#lineBytes += bytes.length;
    if (this.isFull || this.total + 1 < this.#options.offset) return;
    // Four bytes a character are enough to cut the text at its limit.
    const room = this.#options.maxLineLength * 4 + 4 - this.#keptBytes;
    if (room <= 0 || bytes.length === 0) return;
    const piece = Buffer.from(bytes.subarray(0, room));
    this.#pieces.push(piece);
    this.#keptBytes += piece.length;
  }

  #endLine(): void {
    this.total++;
    if (!this.isFull && this.total >= this.#options.offset) this.#addLine();
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#lineBytes = 0;
  }

  #addLine(): void {
    const text = `${this.total}| ${this.#decodeLine()}`;
    this.#characters += text.length + 1;
    if (this.lines.length > 0 && this.#characters > this.#options.maxCharacters) {
      this.isFull = true;
      return;
    }
    this.lines.push(text);
    this.isFull = this.lines.length === this.#options.limit;
  }

  #decodeLine(): string {
    const text = this.#decoder.decode(Buffer.concat(this.#pieces)).replace(/\r$/, "");
    const { maxLineLength } = this.#options;
    if (text.length <= maxLineLength) return text;
    return `${takeHead(text, maxLineLength)} ... (cut: this line has ${this.#lineBytes} bytes)`;
  }
}
