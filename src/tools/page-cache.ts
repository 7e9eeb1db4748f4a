// Texts that were fetched and not read to their end, so that the next part is of the same page. In memory, and few of them.

export interface KeptPage {
  /** Where it came from in the end. */
  url: string;
  text: string;
  notes: string[];
}

const mostPages = 16;
const mostCharacters = 4_000_000;

export class PageCache {
  readonly #pages = new Map<string, KeptPage>();

  get(key: string): KeptPage | undefined {
    const page = this.#pages.get(key);
    if (page !== undefined) this.set(key, page);
    return page;
  }

  /** Those that were not asked for the longest make room. */
  set(key: string, page: KeptPage): void {
    this.#pages.delete(key);
    this.#pages.set(key, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages && this.#characters() <= mostCharacters) return;
      this.#pages.delete(oldest);
    }
  }

  #characters(): number {
    return [...this.#pages.values()].reduce((sum, { text }) => sum + text.length, 0);
  }
}
