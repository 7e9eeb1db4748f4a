// Prefixes that were sent: system text and tool list, stored once by hash beside the sessions.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { parseJson } from "../lib/json-tree.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { hashPrefix, type Prefix } from "./prefix.ts";

const mostCached = 16;

export class PrefixStore {
  readonly #folder: string;
  readonly #cache = new Map<string, Prefix>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(prefix: Prefix): Promise<string> {
    const hash = hashPrefix(prefix);
    if ((await this.load(hash)) === undefined)
      await writeFileAtomic(this.#pathOf(hash), JSON.stringify(prefix));
    this.#remember(hash, prefix);
    return hash;
  }

  /** Undefined when it is gone or damaged: the caller begins a new epoch. */
  async load(hash: string): Promise<Prefix | undefined> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const text = await readFile(this.#pathOf(hash), "utf8").catch(ignoreMissing);
    const prefix = parseJson(text ?? "") as Prefix | undefined | null;
    if (typeof prefix?.system !== "string" || !Array.isArray(prefix.tools)) return undefined;
    this.#remember(hash, prefix);
    return prefix;
  }

  #remember(hash: string, prefix: Prefix): void {
    this.#cache.set(hash, prefix);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > mostCached && !oldest.done) this.#cache.delete(oldest.value);
  }

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.json`);
  }
}
