// The entries of the index as ranking sees them, by number, kept in memory so that a search asks the database only for
// words.
import type { Candidate } from "./rank.ts";
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

export class Candidates {
  readonly list: Array<Candidate | undefined> = [];
  readonly #lastOfSource = new Map<number, number>();
  readonly #speakers = new Map<string, Set<string>>();
  #episodes = 0;

  /** In the order of their numbers; where one was removed, a hole stays. */
  add({ id, source, at, length, role, speaker }: CandidateRow): void {
    while (this.list.length < id) this.list.push(undefined);
    const place = this.#lastOfSource.get(source) ?? 0;
    const last = this.list[place];
    const goesOn = last !== undefined && Math.abs(at - last.at) < longestPause;
    if (goesOn) last.next = id;
    else this.#episodes += 1;
    const episode = goesOn ? last.episode : this.#episodes;
    // Results of tools are long, and mostly not what was talked about.
    const weight = role === "tool" ? 0.5 : 1;
    this.list.push({ source, episode, previous: goesOn ? place : 0, next: 0, at, length, speaker, weight });
    this.#lastOfSource.set(source, id);
    for (const token of speaker === "" ? [] : tokenise(speaker).tokens) {
      this.#speakers.set(token, (this.#speakers.get(token) ?? new Set()).add(speaker));
    }
  }

  /** Speakers of whose name the token is a part. */
  speakersNamed(token: string): readonly string[] {
    return [...(this.#speakers.get(token) ?? [])];
  }
}
