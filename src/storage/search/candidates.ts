// The entries of the index as ranking sees them, by number, kept in memory so that a search asks the database only for
// words. In columns: an object for each entry would take four times as much.
import type { TimeRange } from "./dates.ts";
import { tokenise } from "./tokenise.ts";

export interface CandidateRow {
  id: number;
  source: number;
  at: number;
  length: number;
  /** Sum of `flag`. */
  flags: number;
  speaker: string;
}

/** What ranking knows of an entry other than its words. */
export const flag = {
  /** A tool's result. */
  tool: 1,
  /** It ends with a question. */
  question: 2,
  /** It says when something is. */
  time: 4,
};

/** What a search counts words against. */
export interface Totals {
  entries: number;
  episodes: number;
  words: number;
}

/** A pause after which people speak of something else. */
const longestPause = 6 * 60 * 60 * 1000;
const leastRoom = 1_024;
const growth = 1.5;
const timeBits = 10;

type Column = Uint8Array | Uint32Array | Float64Array;

export class Candidates {
  source = new Uint32Array(leastRoom);
  /** A stretch of a source without a long pause; 0 where there is no entry of that number. */
  episode = new Uint32Array(leastRoom);
  /** Neighbours in the same episode, 0 for none. */
  previous = new Uint32Array(leastRoom);
  next = new Uint32Array(leastRoom);
  at = new Float64Array(leastRoom);
  /** Words. */
  length = new Uint32Array(leastRoom);
  /** By number; 0 where nobody is known by name. */
  speaker = new Uint32Array(leastRoom);
  flags = new Uint8Array(leastRoom);
  /** After the last number. */
  end = 0;
  /** Words of each episode. */
  episodeWords = new Uint32Array(leastRoom);
  episodes = 0;
  // By source: its last entry, and what it holds.
  #lastOf = new Uint32Array(leastRoom);
  #entriesOf = new Uint32Array(leastRoom);
  #episodesOf = new Uint32Array(leastRoom);
  #wordsOf = new Uint32Array(leastRoom);
  /** By speaker: how many entries are theirs. */
  #spoken: number[] = [];
  /** Of each block of numbers, the times between which its entries were said. */
  #times: TimeRange[] = [];
  /** Their numbers by name. */
  readonly #speakers = new Map<string, number>();
  /** Those of a scope whose name has a token. */
  readonly #named = new Map<string, Set<number>>();

  /** In the order of their numbers; where one was removed, a hole stays. */
  add(scope: string, { id, speaker, ...row }: CandidateRow): void {
    this.makeRoom(id + 1);
    this.place(id, { ...row, speaker: this.numberOf(scope, speaker) });
  }

  /** The same for which there is room, and whose speaker has a number. */
  place(
    id: number,
    row: { source: number; at: number; length: number; flags: number; speaker: number },
  ): void {
    const { source, at, length } = row;
    if (source >= this.#lastOf.length) this.#makeRoomForSource(source);
    const last = this.#lastOf[source] ?? 0;
    const goesOn = last > 0 && Math.abs(at - (this.at[last] ?? 0)) < longestPause;
    if (goesOn) this.next[last] = id;
    else {
      this.episodes += 1;
      this.#episodesOf[source] = (this.#episodesOf[source] ?? 0) + 1;
      if (this.episodes >= this.episodeWords.length) this.episodeWords = widen(this.episodeWords);
    }
    const episode = goesOn ? (this.episode[last] ?? 0) : this.episodes;
    this.source[id] = source;
    this.episode[id] = episode;
    this.previous[id] = goesOn ? last : 0;
    this.next[id] = 0;
    this.at[id] = at;
    this.length[id] = length;
    this.speaker[id] = row.speaker;
    this.flags[id] = row.flags;
    this.end = id + 1;
    this.#spoken[row.speaker] = (this.#spoken[row.speaker] ?? 0) + 1;
    const times = this.#times[id >> timeBits];
    if (times === undefined) this.#times[id >> timeBits] = { from: at, to: at };
    else if (at < times.from) times.from = at;
    else if (at > times.to) times.to = at;
    this.#lastOf[source] = id;
    // Each counts one word more than it has: a text without any is not nothing.
    this.episodeWords[episode] = (this.episodeWords[episode] ?? 0) + length + 1;
    this.#entriesOf[source] = (this.#entriesOf[source] ?? 0) + 1;
    this.#wordsOf[source] = (this.#wordsOf[source] ?? 0) + length + 1;
  }

  /** Of all sources that are marked. */
  sum(sources: Uint8Array): Totals {
    const totals = { entries: 0, episodes: 0, words: 0 };
    for (let source = 0; source < sources.length; source++) {
      if (sources[source] === 0) continue;
      totals.entries += this.#entriesOf[source] ?? 0;
      totals.episodes += this.#episodesOf[source] ?? 0;
      totals.words += this.#wordsOf[source] ?? 0;
    }
    return totals;
  }

  /** How many entries are of a speaker. */
  spokenBy(speaker: number): number {
    return this.#spoken[speaker] ?? 0;
  }

  /** Stretches of numbers outside of which nothing was said at these times: from, and the end. */
  *within(ranges: readonly TimeRange[]): Generator<[from: number, end: number]> {
    for (const [block, times] of this.#times.entries()) {
      if (times === undefined || !ranges.some(({ from, to }) => times.to >= from && times.from <= to))
        continue;
      yield [block << timeBits, Math.min((block + 1) << timeBits, this.end)];
    }
  }

  /** What it is kept in stays, for what is added next. */
  clear(): void {
    for (const column of Object.values(this)) if (ArrayBuffer.isView(column)) (column as Uint8Array).fill(0);
    for (const column of [this.#lastOf, this.#entriesOf, this.#episodesOf, this.#wordsOf]) column.fill(0);
    this.end = 0;
    this.episodes = 0;
    this.#spoken = [];
    this.#times = [];
    this.#named.clear();
    this.#speakers.clear();
  }

  /** Numbers of the speakers in a scope of whose name the token is a part. */
  speakersNamed(scope: string, token: string): readonly number[] {
    return [...(this.#named.get(toKey(scope, token)) ?? [])];
  }

  /** The same person is another speaker in another scope; 0 where nobody is known by name. */
  numberOf(scope: string, speaker: string): number {
    if (speaker === "") return 0;
    const key = toKey(scope, speaker);
    const known = this.#speakers.get(key);
    if (known !== undefined) return known;
    const number = this.#speakers.size + 1;
    this.#speakers.set(key, number);
    for (const token of tokenise(speaker).tokens) {
      const name = toKey(scope, token);
      this.#named.set(name, (this.#named.get(name) ?? new Set()).add(number));
    }
    return number;
  }

  makeRoom(end: number): void {
    if (end <= this.source.length) return;
    const room = Math.ceil(growth * end);
    this.source = widen(this.source, room);
    this.episode = widen(this.episode, room);
    this.previous = widen(this.previous, room);
    this.next = widen(this.next, room);
    this.at = widen(this.at, room);
    this.length = widen(this.length, room);
    this.speaker = widen(this.speaker, room);
    this.flags = widen(this.flags, room);
  }

  #makeRoomForSource(source: number): void {
    const room = Math.ceil(growth * (source + 1));
    this.#lastOf = widen(this.#lastOf, room);
    this.#entriesOf = widen(this.#entriesOf, room);
    this.#episodesOf = widen(this.#episodesOf, room);
    this.#wordsOf = widen(this.#wordsOf, room);
  }
}

function toKey(scope: string, name: string): string {
  return `${scope}\u0001${name}`;
}

function widen<T extends Column>(column: T, room = Math.ceil(growth * column.length)): T {
  const wider = new (column.constructor as new (length: number) => T)(room);
  wider.set(column);
  return wider;
}
