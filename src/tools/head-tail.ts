// The beginning and the end of a stream of text, in bounded memory.
import { takeHead, takeTail } from "../lib/text.ts";

export class HeadTail {
  readonly #limit: number;
  #head = "";
  #tail = "";
  #length = 0;

  /** Keeps that many characters at either end. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    this.#length += text.length;
    const room = this.#limit - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail = (this.#tail + text).slice(-this.#limit);
  }

  /** At most `size` characters, half from either end with a mark between, or everything if it fits. */
  show(size: number): string {
    if (this.#length <= Math.min(size, this.#limit)) return this.#head;
    const half = Math.floor(size / 2);
    const head = takeHead(this.#head, Math.min(half, this.#limit));
    const tail = takeTail(this.#tail, Math.min(size - half, this.#limit));
    const missing = this.#length - head.length - tail.length;
    return `${head}\n... (${missing} characters left out) ...\n${tail}`;
  }
}
