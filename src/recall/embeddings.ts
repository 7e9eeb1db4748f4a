// Embeddings for recall: a vector for each entry, computed in the background, and one for each question, in time or not at
// all. Knows no host: a function gives the vectors.
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";

export interface Embeddings {
  /** Host and model: vectors of another one are worth nothing. */
  model: string;
  /** Undefined when the host refuses, fails or the budget is used up. Secrets are taken out there. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][] | undefined>;
}

export interface UnembeddedEntry {
  id: number;
  text: string;
}

/** The index, as far as embeddings need it. */
interface EmbeddingIndex {
  missing(model: string, most: number): Promise<UnembeddedEntry[]>;
  add(model: string, vectors: Map<number, number[]>, upto: number): Promise<void>;
}

const batch = 32;
const pauseMs = 200;
const longestMs = 30_000;
const mostKept = 50;

export class EmbeddingFiller {
  readonly #embeddings: Embeddings;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #questions = new Map<string, Promise<number[] | undefined>>();
  #running: Promise<number> | undefined;

  constructor(embeddings: Embeddings, { clock, signal }: { clock: Clock; signal: AbortSignal }) {
    this.#embeddings = embeddings;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Until all entries have one, or the host gives no more. Returns how many were added. */
  fill(index: EmbeddingIndex): Promise<number> {
    this.#running ??= this.#fill(index).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Undefined when it does not come within this time; then the next one who asks may have it. */
  async vectorOf(question: string, withinMs: number): Promise<number[] | undefined> {
    const known = this.#questions.get(question) ?? this.#ask(question);
    const isOver = new AbortController();
    const late = this.#clock.sleep(withinMs, isOver.signal).then(() => undefined);
    return Promise.race([known, late.catch(() => known)]).finally(() => isOver.abort());
  }

  #ask(question: string): Promise<number[] | undefined> {
    const asked = this.#embed([question]).then((vectors) => vectors?.[0]);
    this.#questions.set(question, asked);
    // One that failed is asked for again.
    void asked.then((vector) => vector === undefined && this.#questions.delete(question));
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > mostKept && oldest !== undefined) this.#questions.delete(oldest);
    return asked;
  }

  async #fill(index: EmbeddingIndex): Promise<number> {
    const { model } = this.#embeddings;
    let added = 0;
    while (!this.#signal.aborted) {
      const entries = await index.missing(model, batch);
      const last = entries.at(-1);
      if (last === undefined) break;
      const readable = entries.filter(({ text }) => text !== "");
      const vectors = readable.length === 0 ? [] : await this.#embed(readable.map(({ text }) => text));
      if (vectors === undefined) break;
      await index.add(model, new Map(readable.map(({ id }, at) => [id, vectors[at] ?? []])), last.id);
      added += readable.length;
      await this.#clock.sleep(pauseMs, this.#signal);
    }
    return added;
  }

  async #embed(texts: readonly string[]): Promise<number[][] | undefined> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(longestMs)]);
    try {
      return await untilAborted(this.#embeddings.embed(texts, signal), signal);
    } catch {
      // Whatever is wrong with the host, words are found without it.
      return undefined;
    }
  }
}
