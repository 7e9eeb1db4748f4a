// A text that grows by small pieces. Added one to the other as strings, each piece would cost more than it holds.

const mostPieces = 256;

export class GrowingText {
  #whole = "";
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < mostPieces) return;
    this.#whole += this.#pieces.join("");
    this.#pieces = [];
  }

  clear(): void {
    this.#whole = "";
    this.#pieces = [];
  }

  get isEmpty(): boolean {
    return this.#whole === "" && this.#pieces.every((piece) => piece === "");
  }

  toString(): string {
    if (this.#pieces.length > 0) {
      this.#whole += this.#pieces.join("");
      this.#pieces = [];
    }
    return this.#whole;
  }
}
