// Which entries answer a question best: BM25 over entries, fused with their neighbours, with the episode they are in,
// with who is asked about and when, and with a little weight for what is recent. Knows numbers, not texts or files.
import { type Candidates, flag } from "../storage/search/candidates.ts";
import { nearness, type TimeRange, widen } from "../storage/search/dates.ts";
import type { ScopeView } from "../storage/search/recall-index.ts";

export interface TermEntries {
  weight: number;
  entries: ArrayLike<number>;
}

export interface RankTerm {
  weight: number;
  /** The word, longer ones and related ones. */
  forms: readonly TermEntries[];
}

export interface RankQuery {
  /** For each word of the question, the rarest first, the entries that hold it or a related one: looked for when its turn comes. */
  terms: Iterable<RankTerm>;
  /** What is counted: nothing outside it has an influence. */
  view: Pick<ScopeView, "sources" | "totals">;
  /** What of it may be found. */
  isVisible(id: number): boolean;
  /** By number. */
  speakers: ReadonlySet<number>;
  dates: readonly TimeRange[];
  /** What speaks of such a date, whenever it was said. */
  mentions: ReadonlySet<number>;
  /** How like an entry's meaning is to the question's, from 0 to 1, where that is known. */
  similar: ReadonlyMap<number, number>;
  /** The question asks for a time. */
  asksWhen: boolean;
  now: number;
  count: number;
}

export interface Ranked {
  /** Best first. `relevance` is the share of the question's words that an entry and its neighbours hold. */
  entries: Array<{ id: number; score: number; relevance: number }>;
  sources: number[];
}

// Chosen with `npm run bench -- recall`. All of them are on wide plateaus: half or double changes little.
const entryNorm = { saturation: 1, length: 0.3 };
const episodeNorm = { saturation: 1.5, length: 0.7 };
/** What an entry gets of the scores of those one and two steps away. */
const neighbourShares = [0.4, 0.2];
/** A question says what its answer is about: it counts less itself and for what was before it, and more for the reply. */
const questionShares = { itself: -0.1, before: -0.25, after: 0.25 };
/** Results of tools are long, and usually not what was talked about. */
const toolWeight = 0.5;
const speakerWeight = 3;
const dateWeight = 0.8;
/** What speaks of the time that was asked about: as near as what was said soon after it, and a bonus. */
const mentionNearness = 0.6;
const mentionWeight = 0.3;
const whenWeight = 0.2;
/** What is said in other words: the best one counts a quarter of an entry that holds every word of the question. */
const similarWeight = 0.25;
const leastSimilar = 0.5;
const recencyWeight = 0.02;
const recencyMs = 180 * 86_400_000;
const mostSources = 50;
/** Of all that is held, only what can be among the best is looked at closely, where that is very much. */
const muchHeld = 2_000;
const mostConsidered = 200;
const scoreClasses = 512;
/** What neighbours add hardly ever exceeds this multiple of the best of them; and what an entry keeps at least of its own. */
const usualGain = 1.6;
const leastGain = 1 + questionShares.itself;

/** Entries that hold a rare word are enough: the more common words of the question only tell these apart. */
const enough = 5_000;

/** `all` by number; what is not there was removed. */
export function rank(all: Candidates, query: RankQuery): Ranked {
  const scores = new Scores(all, query);
  try {
    for (const term of query.terms) scores.addTerm(term);
    return scores.fuse();
  } finally {
    scores.clear();
  }
}

/** Numbers by which something was counted, and the counts, which are 0 everywhere else. */
class Tally {
  value = new Float32Array(0);
  held = new Uint32Array(0);
  size = 0;

  add(id: number, value: number): void {
    const before = this.value[id] ?? 0;
    if (before === 0) this.held[this.size++] = id;
    this.value[id] = before + value;
  }

  clear(): void {
    for (let at = 0; at < this.size; at++) this.value[this.held[at] ?? 0] = 0;
    this.size = 0;
  }

  makeRoom(length: number): void {
    if (this.value.length >= length) return;
    this.value = new Float32Array(Math.ceil(1.5 * length));
    this.held = new Uint32Array(this.value.length);
  }
}

/** One set for all searches, which never overlap: they are as long as everything that was ever said. */
const tallies = {
  /** Of entries: the sum over the words, with the neighbours, and the best one of a word and those related to it. */
  score: new Tally(),
  near: new Tally(),
  best: new Tally(),
  /** Of episodes: the sum over the words, and how often one is in it. */
  episode: new Tally(),
  inEpisode: new Tally(),
  /** Of sources: the score of the best entry. */
  source: new Tally(),
};

class Scores {
  readonly #all: Candidates;
  readonly #query: RankQuery;
  readonly #of = tallies;
  /** What an entry that holds every word of the question would score: those that are found, and all of them. */
  #most = 0;
  #asked = 0;
  #mostEpisode = 0;
  readonly #around = [0, 0, 0, 0, 0];

  constructor(all: Candidates, query: RankQuery) {
    this.#all = all;
    this.#query = query;
    for (const one of [this.#of.score, this.#of.near, this.#of.best]) one.makeRoom(all.end + 1);
    for (const one of [this.#of.episode, this.#of.inEpisode]) one.makeRoom(all.episodes + 1);
    this.#of.source.makeRoom(query.view.sources.length);
  }

  clear(): void {
    for (const tally of Object.values(this.#of)) tally.clear();
  }

  /** Of a word and those related to it, each entry gets the one that says most. */
  addTerm({ weight, forms }: RankTerm): void {
    const { entries: count, episodes, words } = this.#query.view.totals;
    const { best, inEpisode, episode } = this.#of;
    const isClosed = this.#of.score.size >= enough;
    let most = 0;
    for (const one of forms) {
      const value = weight * one.weight * rarity(this.#countSeen(one.entries), count);
      most = Math.max(most, value);
      this.#take(one, value, isClosed);
    }
    this.#most += most;
    this.#asked += most || weight * rarity(1, count);
    this.#addBest(isClosed);
    const value = weight * rarity(inEpisode.size, episodes);
    this.#mostEpisode += value * (episodeNorm.saturation + 1);
    for (let at = 0; at < inEpisode.size; at++) {
      const id = inEpisode.held[at] ?? 0;
      const length = ((this.#all.episodeWords[id] ?? 0) * episodes) / words;
      episode.add(id, value * gainOf(inEpisode.value[id] ?? 0, length, episodeNorm));
    }
    best.clear();
    inEpisode.clear();
  }

  /** The lists hold nothing of another scope, but numbers of what was removed, which is in no episode. */
  #countSeen(entries: ArrayLike<number>): number {
    const { episode } = this.#all;
    let seen = 0;
    for (let at = 0; at < entries.length; at++) if (episode[entries[at] ?? 0] !== 0) seen += 1;
    return seen;
  }

  /** Once enough is held, what is not held only counts for its episode. */
  #take({ entries, weight }: TermEntries, value: number, isClosed: boolean): void {
    const { episode } = this.#all;
    const { best, inEpisode } = this.#of;
    const [values, held] = [best.value, this.#of.score.value];
    for (let at = 0; at < entries.length; at++) {
      const id = entries[at] ?? 0;
      const place = episode[id] ?? 0;
      const known = values[id] ?? value;
      if (place === 0 || known >= value) continue;
      if (!isClosed || held[id] !== 0) best.add(id, value - known);
      if (known === 0) inEpisode.add(place, weight);
    }
  }

  #addBest(isClosed: boolean): void {
    const { length, flags } = this.#all;
    const { entries: count, words } = this.#query.view.totals;
    const { best, score } = this.#of;
    const { isVisible } = this.#query;
    for (let at = 0; at < best.size; at++) {
      const id = best.held[at] ?? 0;
      if (!isClosed && score.value[id] === 0 && !isVisible(id)) continue;
      const gain = gainOf(1, (((length[id] ?? 0) + 1) * count) / words, entryNorm);
      score.add(id, (best.value[id] ?? 0) * gain * (flags[id] === flag.tool ? toolWeight : 1));
    }
  }

  fuse(): Ranked {
    const { speakers, dates, mentions, similar, asksWhen, now, count, isVisible } = this.#query;
    const { near, episode: episodes, source: sources } = this.#of;
    const [most, spoken] = [this.#most || 1, this.#speakerGain(speakers)];
    const { episode, at, speaker, source, flags } = this.#all;
    const best = new Best(count);
    const isPlain = dates.length + mentions.size + similar.size === 0;
    const consider = (id: number, own: number): void => {
      const inEpisode = episodes.value[episode[id] ?? 0] ?? 0;
      const said = spoken > 0 && speakers.has(speaker[id] ?? 0) ? spoken : 0;
      const timed = asksWhen && ((flags[id] ?? 0) & flag.time) !== 0 ? whenWeight : 0;
      let [dated, alike, isMentioned] = [0, 0, false];
      if (!isPlain) {
        isMentioned = mentions.has(id);
        const saidNear = dates.length > 0 ? nearness(at[id] ?? 0, dates) : 0;
        dated = isMentioned ? Math.max(mentionNearness, saidNear) : saidNear;
        alike = similar.get(id) ?? 0;
      }
      if (own === 0 && dated < 0.5 && alike < leastSimilar && (this.#most > 0 || said === 0)) return;
      const timely = dateWeight * dated + (isMentioned ? mentionWeight : 0) + timed;
      const score = own + inEpisode + most * (timely + similarWeight * alike) + said;
      const file = source[id] ?? 0;
      const known = sources.value[file] ?? 0;
      const isBetter = score + inEpisode > known;
      const hasChance = score + recencyWeight * most > best.least;
      if ((!isBetter && !hasChance) || !isVisible(id)) return;
      if (isBetter) sources.add(file, score + inEpisode - known);
      if (hasChance)
        best.add(id, score + recencyWeight * most * 2 ** (Math.min(0, (at[id] ?? 0) - now) / recencyMs));
    };
    const { score: scores } = this.#of;
    const bonus = (isPlain ? 0 : dateWeight + mentionWeight + similarWeight) + (asksWhen ? whenWeight : 0);
    const least = this.#findLeast(count) - most * (bonus + recencyWeight) - spoken;
    for (let index = 0; index < scores.size; index++) {
      const id = scores.held[index] ?? 0;
      const bound = usualGain * (scores.value[id] ?? 0) + (episodes.value[episode[id] ?? 0] ?? 0);
      if (bound < least) continue;
      for (const one of this.#listAround(id)) {
        if (near.value[one] !== 0) continue;
        near.add(one, this.#nearOf(one));
        consider(one, near.value[one] ?? 0);
      }
    }
    for (const id of this.#withoutWords()) consider(id, 0);
    for (const id of similar.keys()) if (near.value[id] === 0) consider(id, 0);
    const relevance = (id: number): number => {
      if (this.#asked > 0) return (near.value[id] ?? 0) / this.#asked;
      return mentions.has(id) ? 1 : nearness(at[id] ?? 0, dates);
    };
    const files = new Best(mostSources);
    for (let index = 0; index < sources.size; index++) {
      const file = sources.held[index] ?? 0;
      files.add(file, sources.value[file] ?? 0);
    }
    return {
      entries: best.list.map(({ id, score }) => ({ id, score, relevance: relevance(id) })),
      sources: files.list.map(({ id }) => id),
    };
  }

  /** Not for its company alone: what holds no word is found by its time, or by its speaker if no word is known at all. */
  *#withoutWords(): Generator<number> {
    const { view, dates, mentions, similar } = this.#query;
    if (this.#most > 0 && dates.length === 0) return;
    const { source, at } = this.#all;
    const { near, score } = this.#of;
    const stretches = this.#most > 0 ? dates.map(widen) : [{ from: -Infinity, to: Infinity }];
    const isNew = (id: number) =>
      view.sources[source[id] ?? 0] === 1 &&
      near.value[id] === 0 &&
      score.value[id] === 0 &&
      !similar.has(id);
    const isWithin = (moment: number) => stretches.some(({ from, to }) => moment >= from && moment <= to);
    for (const id of mentions) if (isNew(id) && !isWithin(at[id] ?? 0)) yield id;
    for (const [first, end] of this.#all.within(stretches))
      for (let id = first; id < end; id++) if (isWithin(at[id] ?? 0) && isNew(id)) yield id;
  }

  /** Where very much is held: what an entry has to be able to score. Counted in classes: nothing is sorted. */
  #findLeast(count: number): number {
    const { score, episode: episodes } = this.#of;
    if (score.size < muchHeld) return 0;
    const { episode, flags } = this.#all;
    const timed = this.#query.asksWhen ? whenWeight * this.#most : 0;
    const classes = new Uint32Array(scoreClasses + 1);
    const most = this.#most + this.#mostEpisode + timed;
    for (let index = 0; index < score.size; index++) {
      const id = score.held[index] ?? 0;
      const isTimed = ((flags[id] ?? 0) & flag.time) !== 0;
      const own = leastGain * (score.value[id] ?? 0) + (isTimed ? timed : 0);
      const value = own + (episodes.value[episode[id] ?? 0] ?? 0);
      const number = Math.min(scoreClasses, Math.floor((scoreClasses * value) / most));
      classes[number] = (classes[number] ?? 0) + 1;
    }
    let [number, seen] = [scoreClasses, 0];
    const enoughSeen = Math.max(count, mostConsidered);
    for (; number > 0; number--) {
      seen += classes[number] ?? 0;
      if (seen >= enoughSeen) break;
    }
    return (number * most) / scoreClasses;
  }

  /** An entry and those that it gives something to. */
  #listAround(id: number): readonly number[] {
    const { previous, next } = this.#all;
    const around = this.#around;
    const [before, after] = [previous[id] ?? 0, next[id] ?? 0];
    around[0] = id;
    around[1] = before || id;
    around[2] = after || id;
    around[3] = previous[before] || id;
    around[4] = next[after] || id;
    return around;
  }

  /** The score of an entry, with what it gets of those one and two steps away. */
  #nearOf(id: number): number {
    const { previous, next, flags } = this.#all;
    const { value } = this.#of.score;
    const [before, after] = [previous[id] ?? 0, next[id] ?? 0];
    const asks = (one: number) => (((flags[one] ?? 0) & flag.question) === 0 ? 0 : 1);
    const [first = 0, second = 0] = neighbourShares;
    let sum = (1 + asks(id) * questionShares.itself) * (value[id] ?? 0);
    if (before !== 0) {
      sum += (first + asks(before) * questionShares.after) * (value[before] ?? 0);
      if (previous[before] !== 0) sum += second * (value[previous[before] ?? 0] ?? 0);
    }
    if (after !== 0) {
      sum += (first + asks(after) * questionShares.before) * (value[after] ?? 0);
      if (next[after] !== 0) sum += second * (value[next[after] ?? 0] ?? 0);
    }
    return sum;
  }

  /** A speaker is the rarer, the less of everything was said by them. */
  #speakerGain(speakers: ReadonlySet<number>): number {
    if (speakers.size === 0) return 0;
    const { totals } = this.#query.view;
    let spoken = 0;
    for (const speaker of speakers) spoken += this.#all.spokenBy(speaker);
    return speakerWeight * rarity(spoken, totals.entries);
  }
}

/** The best few, best first. */
class Best {
  readonly list: Array<{ id: number; score: number }> = [];
  readonly #count: number;
  /** What is not above it has no chance. */
  least = 0;

  constructor(count: number) {
    this.#count = count;
  }

  add(id: number, score: number): void {
    if (score <= this.least) return;
    const place = this.list.findIndex((other) => other.score < score);
    this.list.splice(place === -1 ? this.list.length : place, 0, { id, score });
    if (this.list.length > this.#count) this.list.pop();
    if (this.list.length === this.#count) this.least = this.list.at(-1)?.score ?? 0;
  }
}

/** BM25's weight of a word that occurs in `count` of `all`. */
function rarity(count: number, all: number): number {
  return count === 0 ? 0 : Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

/** BM25's worth of `count` matches in a text whose length is given as a multiple of the average. */
function gainOf(count: number, length: number, { saturation, length: share }: typeof entryNorm): number {
  return (count * (saturation + 1)) / (count + saturation * (1 - share + share * length));
}
