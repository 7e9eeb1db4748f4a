// A queue with waiting takers: each value goes to exactly one of them, oldest first.

export class Mailbox<T> {
  readonly #values: T[] = [];
  readonly #takers: Array<(value: T) => void> = [];

  /** Values that no taker has yet. */
  get waiting(): readonly T[] {
    return this.#values;
  }

  put(value: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#values.push(value);
    else taker(value);
  }

  take(signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#values.length > 0) return resolve(this.#values.shift() as T);
      const stop = () => {
        this.#takers.splice(this.#takers.indexOf(taker), 1);
        reject(signal.reason);
      };
      const taker = (value: T) => {
        signal.removeEventListener("abort", stop);
        resolve(value);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#takers.push(taker);
    });
  }
}
