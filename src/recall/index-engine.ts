// The index of a home at work: answers requests, and reads files between them. An index that is damaged or of another
// version is thrown away and built again; where none can be written, it is kept in memory.
import { setImmediate, setTimeout } from "node:timers/promises";
import { type FileStamp, isUnchanged, takeStamp } from "../storage/files/file-stamp.ts";
import { ingest } from "../storage/search/ingest.ts";
import { openIndex, type RecallIndex, removeIndex, type Source } from "../storage/search/recall-index.ts";
import { listRecent, listSources, type RecallPlaces } from "../storage/search/recall-sources.ts";
import {
  listUnembedded,
  type MatchRequest,
  match,
  type ReadRequest,
  read,
  type SearchRequest,
  search,
  type UnembeddedRequest,
} from "./recall-search.ts";

export interface RecallPlace extends RecallPlaces {
  /** Of index.db. */
  path: string;
}

export type RecallCall =
  | { type: "search"; request: SearchRequest }
  | { type: "read"; request: ReadRequest }
  | { type: "match"; request: MatchRequest }
  | { type: "unembedded"; request: UnembeddedRequest }
  | { type: "embedded"; model: string; vectors: ReadonlyMap<number, number[]>; upto: number }
  /** `isUrgent`: a call waits for it. */
  | { type: "refresh"; isUrgent: boolean };

// SQLite's ERROR (tables that are not ours), CORRUPT and NOTADB; BUSY for longer than its patience, READONLY, IOERR, FULL and CANTOPEN.
const damage = [1, 11, 26];
const unwritable = [5, 8, 10, 13, 14];
/** Above it, looking at all of them takes longer than a search: it is done now and then, in a fiftieth of the time. */
const manyFiles = 500;
const listingShare = 50;

export type Warn = (event: string, fields: Record<string, unknown>) => void;

export class IndexEngine {
  readonly #places: RecallPlaces;
  readonly #warn: Warn;
  #path: string;
  #opening: Promise<RecallIndex> | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  #urgent = 0;
  #listAllAt = 0;
  /** The sessions' folder as it was when it was listed. */
  #folder: FileStamp | undefined;

  constructor({ path, ...places }: RecallPlace, warn: Warn) {
    this.#path = path;
    this.#warn = warn;
    this.#places = places;
  }

  answer(call: RecallCall): Promise<unknown> {
    if (call.type === "search") return this.#withIndex((index) => search(index, call.request));
    if (call.type === "read") return this.#withIndex((index) => read(index, call.request));
    if (call.type === "match") return this.#withIndex((index) => match(index, call.request));
    if (call.type === "unembedded") return this.#withIndex((index) => listUnembedded(index, call.request));
    if (call.type === "embedded")
      return this.#withIndex((index) =>
        index.write(() => index.vectors.add(call.model, call.vectors, call.upto)),
      );
    // One after the other: a file may grow behind the back of one that is under way.
    if (call.isUrgent) this.#urgent += 1;
    const run = () => this.#refresh().finally(() => call.isUrgent && this.#urgent--);
    this.#refreshing = this.#refreshing.then(run, run);
    return this.#refreshing;
  }

  /** Nothing is open when it resolves. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#refreshing.catch(() => {});
    const index = await this.#opening?.catch(() => undefined);
    index?.close();
  }

  async #refresh(): Promise<void> {
    this.#ending.signal.throwIfAborted();
    await this.#withIndex((index) => this.#ingest(index));
  }

  async #ingest(index: RecallIndex): Promise<void> {
    const isComplete = index.sources.size <= manyFiles || performance.now() >= this.#listAllAt;
    const files = isComplete ? this.#listAll() : this.#listRecent(index);
    let started = performance.now();
    const { signal } = this.#ending;
    for await (const _ of ingest(index, files, { isComplete })) {
      // While nobody waits, most of the time is left to the turns.
      await (this.#urgent > 0
        ? setImmediate(undefined, { signal })
        : setTimeout(2 * (performance.now() - started), undefined, { signal }));
      started = performance.now();
    }
  }

  #listAll(): Source[] {
    const started = performance.now();
    this.#folder = takeStamp(this.#places.sessionsFolder);
    const files = listSources(this.#places);
    this.#listAllAt = performance.now() + listingShare * (performance.now() - started);
    return files;
  }

  #listRecent({ lookups }: RecallIndex): Source[] {
    const isFolderSame = this.#folder !== undefined && isUnchanged(this.#folder);
    if (!isFolderSame) this.#folder = takeStamp(this.#places.sessionsFolder);
    return listRecent(this.#places, lookups, isFolderSame);
  }

  /** With a second try on a new index when the old one is of no use. */
  async #withIndex<T>(work: (index: RecallIndex) => T | Promise<T>): Promise<T> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      return await work(await opening);
    } catch (error) {
      const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
      if (!damage.includes(code) && !unwritable.includes(code)) throw error;
      this.#warn("recall-index-lost", { path: this.#path, error: String(error) });
      if (this.#opening === opening) this.#opening = this.#replace(opening, unwritable.includes(code));
      return work(await this.#opening);
    }
  }

  async #replace(old: Promise<RecallIndex>, isUnwritable: boolean): Promise<RecallIndex> {
    await old.then((index) => index.close()).catch(() => {});
    if (isUnwritable) this.#path = ":memory:";
    else removeIndex(this.#path);
    const index = await this.#open();
    this.#listAllAt = 0;
    await this.#ingest(index);
    return index;
  }

  async #open(): Promise<RecallIndex> {
    const index = await openIndex(this.#path, this.#places.sessionsFolder);
    if (!index.isOutdated && !index.isMostlyHoles) return index;
    index.close();
    removeIndex(this.#path);
    return this.#open();
  }
}
