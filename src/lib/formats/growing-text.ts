// A text that grows by pieces. Short ones are joined, since each costs more than it holds; long ones are kept as they
// came, so that several who collect the same pieces share them.

const shortPiece = 64;
const mostShort = 256;

export class GrowingText {
  #parts: string[] = [];
  #short: string[] = [];
  #length = 0;

  add(piece: string): void {
    this.#length += piece.length;
    if (piece.length >= shortPiece) {
      this.#join();
      this.#parts.push(piece);
    } else if (this.#short.push(piece) >= mostShort) this.#join();
  }

  clear(): void {
    this.#parts = [];
    this.#short = [];
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** All of it, which is held here no longer. */
  take(): string {
    const text = this.toString();
    this.clear();
    return text;
  }

  toString(): string {
    this.#join();
    if (this.#parts.length > 1) this.#parts = [this.#parts.join("")];
    return this.#parts[0] ?? "";
  }

  #join(): void {
    if (this.#short.length > 0) this.#parts.push(this.#short.join(""));
    this.#short = [];
  }
}
