// One at a time per key, in the order of asking; different keys do not wait for each other. Within this process only.

export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const tail = before.then(() => done);
    this.#tails.set(key, tail);
    await before;
    try {
      return await work();
    } finally {
      finish();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
