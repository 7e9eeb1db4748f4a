// The entries of the index as ranking sees them, by number, kept in memory so that a search asks the database only for
// words. In columns: an object for each entry would take four times as much.
import { tokenise } from "./tokenise.ts";

export interface CandidateRow {
  id: number;
  source: number;
  at: number;
  length: number;
  role: string;
  speaker: string;
}

/** A pause after which people speak of something else. */
const longestPause = 6 * 60 * 60 * 1000;
const leastRoom = 1_024;
const growth = 1.5;

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
  isTool = new Uint8Array(leastRoom);
  /** After the last number. */
  end = 0;
  readonly #lastOfSource = new Map<number, number>();
  /** Their numbers by name. */
  readonly #speakers = new Map<string, number>([["", 0]]);
  /** Those whose name has a token. */
  readonly #named = new Map<string, Set<number>>();
  #episodes = 0;

  /** In the order of their numbers; where one was removed, a hole stays. */
  add({ id, source, at, length, role, speaker }: CandidateRow): void {
    if (id >= this.source.length) this.#makeRoom(Math.ceil(growth * (id + 1)));
    const last = this.#lastOfSource.get(source) ?? 0;
    const goesOn = last > 0 && Math.abs(at - (this.at[last] ?? 0)) < longestPause;
    if (goesOn) this.next[last] = id;
    else this.#episodes += 1;
    this.source[id] = source;
    this.episode[id] = goesOn ? (this.episode[last] ?? 0) : this.#episodes;
    this.previous[id] = goesOn ? last : 0;
    this.at[id] = at;
    this.length[id] = length;
    this.speaker[id] = this.#speakers.get(speaker) ?? this.#addSpeaker(speaker);
    this.isTool[id] = role === "tool" ? 1 : 0;
    this.end = id + 1;
    this.#lastOfSource.set(source, id);
  }

  /** What it is kept in stays, for what is added next. */
  clear(): void {
    for (const column of Object.values(this)) if (ArrayBuffer.isView(column)) (column as Uint8Array).fill(0);
    this.end = 0;
    this.#episodes = 0;
    this.#lastOfSource.clear();
    this.#named.clear();
    this.#speakers.clear();
    this.#speakers.set("", 0);
  }

  /** Numbers of the speakers of whose name the token is a part. */
  speakersNamed(token: string): readonly number[] {
    return [...(this.#named.get(token) ?? [])];
  }

  #addSpeaker(name: string): number {
    const number = this.#speakers.size;
    this.#speakers.set(name, number);
    for (const token of tokenise(name).tokens)
      this.#named.set(token, (this.#named.get(token) ?? new Set()).add(number));
    return number;
  }

  #makeRoom(room: number): void {
    const larger = <T extends Uint8Array | Uint32Array | Float64Array>(column: T, wider: T): T => {
      wider.set(column);
      return wider;
    };
    this.source = larger(this.source, new Uint32Array(room));
    this.episode = larger(this.episode, new Uint32Array(room));
    this.previous = larger(this.previous, new Uint32Array(room));
    this.next = larger(this.next, new Uint32Array(room));
    this.at = larger(this.at, new Float64Array(room));
    this.length = larger(this.length, new Uint32Array(room));
    this.speaker = larger(this.speaker, new Uint32Array(room));
    this.isTool = larger(this.isTool, new Uint8Array(room));
  }
}
