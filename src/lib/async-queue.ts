// Values handed from callbacks to one consumer that awaits them, in order.

export class AsyncQueue<T> {
  #values: T[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  push(value: T): void {
    this.#values.push(value);
    this.#wake?.();
  }

  /** No more values: the consumer ends after the last one. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const batch = this.#values;
      this.#values = [];
      yield* batch;
      if (this.#values.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
