// Which entries answer a question best: BM25 over entries, fused with their neighbours, with the episode they stand in,
// with who is asked about and when, and with a little weight for what is recent. Knows numbers, not texts or files.
import type { Candidates } from "../storage/search/candidates.ts";
import { nearness, type TimeRange } from "./dates.ts";

export interface TermEntries {
  weight: number;
  entries: readonly number[];
}

export interface RankQuery {
  /** For each word of the question the entries that hold it, or a related one: looked for when its turn comes. */
  terms: Iterable<readonly TermEntries[]>;
  isVisible(id: number): boolean;
  /** By number. */
  speakers: ReadonlySet<number>;
  dates: readonly TimeRange[];
  now: number;
  count: number;
}

export interface Ranked {
  /** Best first. `relevance` is the share of the question's words that an entry and its neighbours hold. */
  entries: Array<{ id: number; score: number; relevance: number }>;
  sources: number[];
}

// Chosen with `npm run bench -- recall`. All of them lie on wide plateaus: half or double changes little.
const entryNorm = { saturation: 1, length: 0.3 };
const episodeNorm = { saturation: 1.5, length: 0.7 };
/** What an entry gets of the scores of those one and two steps away. */
const neighbourShares = [0.5, 0.25];
/** Results of tools are long, and mostly not what was talked about. */
const toolWeight = 0.5;
const speakerWeight = 3;
const dateWeight = 0.8;
const recencyWeight = 0.02;
const recencyMs = 180 * 86_400_000;
const mostSources = 50;

/** `all` by number; what is not there was removed. */
export function rank(all: Candidates, query: RankQuery): Ranked {
  const scores = new Scores(all, query);
  for (const term of query.terms) scores.addTerm(term);
  return scores.fuse(query);
}

/** By the number of an entry, or of an episode. */
class Columns {
  readonly visible: Uint8Array;
  readonly score: Float32Array;
  readonly near: Float32Array;
  readonly best: Float32Array;
  readonly episodeScore: Float32Array;
  readonly episodeLength: Float32Array;

  constructor(length: number) {
    this.visible = new Uint8Array(length);
    this.score = new Float32Array(length);
    this.near = new Float32Array(length);
    this.best = new Float32Array(length);
    this.episodeScore = new Float32Array(length);
    this.episodeLength = new Float32Array(length);
  }
}

/** One for all searches, which never overlap: they are as long as everything that was ever said. */
let columns = new Columns(0);

function takeColumns(length: number): Columns {
  if (columns.score.length < length) columns = new Columns(Math.ceil(1.5 * length));
  else for (const column of Object.values(columns)) column.fill(0);
  return columns;
}

class Scores {
  readonly #all: Candidates;
  readonly #visible: Uint8Array;
  readonly #score: Float32Array;
  readonly #near: Float32Array;
  readonly #best: Float32Array;
  readonly #episodeScore: Float32Array;
  readonly #episodeLength: Float32Array;
  #count = 0;
  #episodes = 0;
  #words = 0;
  /** What an entry that holds every word of the question would score: those that are found, and all of them. */
  #most = 0;
  #asked = 0;

  constructor(all: Candidates, { isVisible }: RankQuery) {
    const { visible, score, near, best, episodeScore, episodeLength } = takeColumns(all.end + 1);
    this.#all = all;
    this.#visible = visible;
    this.#score = score;
    this.#near = near;
    this.#best = best;
    this.#episodeScore = episodeScore;
    this.#episodeLength = episodeLength;
    for (let id = 0; id < all.end; id++) {
      const episode = all.episode[id] ?? 0;
      if (episode === 0 || !isVisible(id)) continue;
      this.#visible[id] = 1;
      if (this.#episodeLength[episode] === 0) this.#episodes += 1;
      const words = (all.length[id] ?? 0) + 1;
      add(this.#episodeLength, episode, words);
      this.#words += words;
      this.#count += 1;
    }
  }

  /** Of a word and those related to it, each entry gets the one that says most. */
  addTerm(term: readonly TermEntries[]): void {
    const touched: number[] = [];
    const inEpisode = new Map<number, number>();
    let most = 0;
    for (const { entries, weight } of term) {
      const seen = entries.reduce((sum, id) => sum + (this.#visible[id] ?? 0), 0);
      const value = weight * rarity(seen, this.#count);
      most = Math.max(most, value);
      for (const id of entries) {
        const best = this.#best[id] ?? value;
        if (this.#visible[id] !== 1 || best >= value) continue;
        this.#best[id] = value;
        if (best > 0) continue;
        touched.push(id);
        const episode = this.#all.episode[id] ?? 0;
        inEpisode.set(episode, (inEpisode.get(episode) ?? 0) + weight);
      }
    }
    this.#most += most;
    this.#asked += most || rarity(1, this.#count);
    for (const id of touched) {
      const length = this.#all.length[id] ?? 0;
      const weight = this.#all.isTool[id] === 1 ? toolWeight : 1;
      const gain = gainOf(1, ((length + 1) * this.#count) / this.#words, entryNorm);
      add(this.#score, id, (this.#best[id] ?? 0) * gain * weight);
      this.#best[id] = 0;
    }
    const value = rarity(inEpisode.size, this.#episodes);
    for (const [episode, count] of inEpisode) {
      const length = ((this.#episodeLength[episode] ?? 0) * this.#episodes) / this.#words;
      add(this.#episodeScore, episode, value * gainOf(count, length, episodeNorm));
    }
  }

  fuse({ speakers, dates, now, count }: RankQuery): Ranked {
    const [most, near, spoken] = [this.#most || 1, this.#withNeighbours(), this.#speakerGain(speakers)];
    const best: Ranked["entries"] = [];
    const bestOf: number[] = [];
    const { end, episode, at, speaker, source } = this.#all;
    for (let id = 0; id < end; id++) {
      const own = near[id] ?? 0;
      // Not for its company alone.
      if (own === 0 && this.#most > 0 && dates.length === 0) continue;
      if (this.#visible[id] === 0) continue;
      const moment = at[id] ?? 0;
      const inEpisode = this.#episodeScore[episode[id] ?? 0] ?? 0;
      const dated = dates.length > 0 ? nearness(moment, dates) : 0;
      const said = spoken > 0 && speakers.has(speaker[id] ?? 0) ? spoken : 0;
      if (own === 0 && dated < 0.5 && (this.#most > 0 || said === 0)) continue;
      let score = own + inEpisode + dateWeight * most * dated + said;
      const file = source[id] ?? 0;
      if (score + inEpisode > (bestOf[file] ?? 0)) bestOf[file] = score + inEpisode;
      if (best.length >= count && score + recencyWeight * most <= (best.at(-1)?.score ?? 0)) continue;
      score += recencyWeight * most * 2 ** (Math.min(0, moment - now) / recencyMs);
      const place = best.findIndex((other) => other.score < score);
      best.splice(place === -1 ? best.length : place, 0, { id, score, relevance: own / this.#asked || 0 });
      if (best.length > count) best.pop();
    }
    const sources = bestOf.map((score, source) => ({ score, source })).sort((a, b) => b.score - a.score);
    return { entries: best, sources: sources.slice(0, mostSources).map(({ source }) => source) };
  }

  #withNeighbours(): Float32Array {
    const near = this.#near;
    near.set(this.#score);
    for (let id = 0; id < this.#all.end; id++) {
      const score = this.#score[id] ?? 0;
      for (const step of score > 0 ? (["previous", "next"] as const) : []) {
        let other = this.#all[step][id] ?? 0;
        for (const share of neighbourShares) {
          if (this.#visible[other] === 1) add(near, other, share * score);
          other = this.#all[step][other] ?? 0;
        }
      }
    }
    return near;
  }

  /** A speaker is the rarer, the less of everything was said by them. */
  #speakerGain(speakers: ReadonlySet<number>): number {
    if (speakers.size === 0) return 0;
    let spoken = 0;
    for (let id = 0; id < this.#all.end; id++)
      if (this.#visible[id] === 1 && speakers.has(this.#all.speaker[id] ?? 0)) spoken += 1;
    return speakerWeight * rarity(spoken, this.#count);
  }
}

/** BM25's weight of a word that stands in `count` of `all`. */
function rarity(count: number, all: number): number {
  return count === 0 ? 0 : Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

/** BM25's worth of `count` matches in a text whose length is given as a multiple of the average. */
function gainOf(count: number, length: number, { saturation, length: share }: typeof entryNorm): number {
  return (count * (saturation + 1)) / (count + saturation * (1 - share + share * length));
}

function add(column: Float32Array, at: number, value: number): void {
  column[at] = (column[at] ?? 0) + value;
}
