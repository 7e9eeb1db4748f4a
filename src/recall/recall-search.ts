// A question to the passages that answer it, with their words read from the files. Sees one scope and nothing else.
import { withLabels } from "../lib/labels.ts";
import { takeHead, toOneLine } from "../lib/text.ts";
import { type Candidates, flag } from "../storage/search/candidates.ts";
import { asksWhen, nearness, type TimeRange, takeDates, toDateTokens } from "../storage/search/dates.ts";
import { readBytes, readPassage, readPassageLabels } from "../storage/search/passage.ts";
import {
  type Entry,
  mark,
  type RecallIndex,
  type ScopeView,
  type SourceKind,
} from "../storage/search/recall-index.ts";
import { conversationOf } from "../storage/search/recall-sources.ts";
import { findTokens, type Term, tokenise, toTerms } from "../storage/search/tokenise.ts";
import type { UnembeddedEntry } from "./embeddings.ts";
import { type Ranked, type RankQuery, type RankTerm, rank } from "./rank.ts";

export interface SearchRequest {
  query: string;
  /** Whose memory: `owner`, `person:<id>` or `group:<id>`. */
  scope: string;
  /** Milliseconds since 1970; `to` is not included. */
  from?: number;
  to?: number;
  /** Key of a session. */
  session?: string;
  /** Only what was said, no summaries and no documents. */
  isSaid?: boolean;
  count?: number;
  /** What "yesterday" is counted from. */
  now: number;
  /** References that must not be found. */
  exclude?: readonly string[];
  /** Of the question, where it was embedded in time. */
  vector?: readonly number[];
  /** Nobody asked for it: only what was said or is in documents, and only what fits well. */
  isAutomatic?: boolean;
}

export interface ReadRequest {
  reference: string;
  scope: string;
  /** Number of entries before and after it. */
  around: number;
}

export interface MatchRequest {
  query: string;
  scope: string;
}

export interface UnembeddedRequest {
  model: string;
  most: number;
}

export interface RecalledEntry {
  /** What a search gives and `read` expands. */
  reference: string;
  kind: SourceKind;
  /** Key of the session, or name of the file. */
  name: string;
  /** `user`, `assistant`, `tool`, or the kind. */
  role: string;
  /** The name of who said it, where it is known. */
  speaker: string;
  at: number;
  text: string;
  /** Sources of untrusted content in what it was taken from, as the line itself says. */
  labels?: string[];
  /** Of the file, where labels belong to the whole of it. */
  path?: string;
}

/** Why an entry was found. */
export interface Why {
  /** Where the words that were asked for, other forms of them or related ones are in the text: from, and the end. */
  marks: Array<[from: number, to: number]>;
  /** What else speaks for it. */
  reasons: Reason[];
}

/**
 * `named`: it speaks of the time that was asked about; `said`: it was said then; `tells`: it says when, as was asked;
 * `speaker`: it was said by a person who was asked about; `near`: for the words of the messages around it; `similar`: it means
 * something like it, in other words.
 */
export type Reason = "named" | "said" | "tells" | "speaker" | "near" | "similar";

export interface FoundEntry extends RecalledEntry {
  why: Why;
}

export interface MatchedEntry extends RecalledEntry {
  /** What the file that it is in knows it by. */
  key: string;
  /** The key of its conversation, also of a closed one. */
  conversation: string;
}

export interface SearchResult {
  hits: FoundEntry[];
  /** Keys of the sessions that fit best as a whole. */
  sessions: string[];
}

const usualCount = 8;
const mostSessions = 10;
const mostTerms = 16;
const relatedWeight = 0.4;
/** Words that begin with one that was asked for: from this length on, and this many. */
const longerWeight = 0.8;
const leastPrefix = 5;
const mostLonger = 24;
/** Below this share of the question's words, what is found has little to do with it. */
const automaticFloor = 0.45;
/** Of the words of two passages together: above it they say the same. */
const sameShare = 0.8;
const longestExcerpt = 320;
const leastSimilarShown = 0.5;
/** Characters that are embedded of an entry. */
const longestEmbedded = 2_000;

export function search(index: RecallIndex, request: SearchRequest): SearchResult {
  const { query, now, count = usualCount, isAutomatic = false } = request;
  const { candidates, sources } = index;
  const view = index.view(request.scope);
  // A date is looked for as a time, not as words.
  const { dates, rest } = takeDates(query, now);
  const terms = toTerms(rest, { withSmallTalk: !isAutomatic });
  if (terms.length === 0 && dates.length === 0) return { hits: [], sessions: [] };
  const isOfScope = (id: number) => view.sources[candidates.source[id] ?? 0] === 1;
  // Of a long text the longest words: they are the rarest.
  const chosen = terms.toSorted((a, b) => b.token.length - a.token.length).slice(0, mostTerms);
  // A name is searched in the speakers: in a text it is usually a greeting by another person.
  const isName = ({ token }: Term) => view.speakersNamed(token).length > 0;
  const words = findForms(
    view,
    chosen.filter((term) => !isName(term)),
    isAutomatic,
  );
  const rankQuery: RankQuery = {
    terms: findEach(view, words),
    view,
    speakers: new Set(chosen.flatMap(({ token }) => view.speakersNamed(token))),
    isVisible: createFilter(index, view, request),
    dates,
    mentions: findMentions(view, dates),
    similar: request.vector ? index.vectors.nearest(request.vector, isOfScope) : new Map(),
    asksWhen: asksWhen(query),
    now,
    count: count * 4,
  };
  const ranked = rank(candidates, rankQuery);
  const relevant = ranked.entries.filter(({ relevance }) => !isAutomatic || relevance >= automaticFloor);
  const hits = readDifferent(index, relevant, request);
  const fitting = ranked.sources.flatMap((id) => sources.get(id) ?? []);
  const sessions = new Set(fitting.flatMap(({ kind, name }) => (kind === "session" ? [name] : [])));
  return {
    hits: hits.map(({ id, hit }) => {
      const text = toExcerpt(hit.text, terms);
      return { ...hit, text, why: explain(id, text, { candidates, words, query: rankQuery }) };
    }),
    sessions: [...sessions].slice(0, mostSessions),
  };
}

/** Entries without a vector, with their texts; "" for what the files no longer hold. */
export function listUnembedded(index: RecallIndex, { model, most }: UnembeddedRequest): UnembeddedEntry[] {
  return index
    .write(() => index.vectors.missing(model, most))
    .map((id) => ({
      id,
      text: toRecalled(index, index.readEntry(id))?.text.slice(0, longestEmbedded) ?? "",
    }));
}

/** Every message and summary that holds all of the words, oldest first: for what must be found completely. */
export function match(index: RecallIndex, { query, scope }: MatchRequest): MatchedEntry[] {
  const view = index.view(scope);
  const holding = toTerms(query).map(({ token }) => new Set<number>(view.find(token)));
  const ids = holding.reduce((found, one) => found.intersection(one), holding[0] ?? new Set<number>());
  const byKey = new Map<string, MatchedEntry>();
  for (const id of ids) {
    const entry = index.readEntry(id);
    const { path = "", name = "", kind, scope: owner } = index.sources.get(entry?.source ?? 0) ?? {};
    const hit = owner === scope && toRecalled(index, entry);
    if (!hit || entry === undefined || (kind !== "session" && kind !== "history")) continue;
    byKey.set(`${path} ${entry.key}`, { ...hit, key: entry.key, conversation: conversationOf(path, name) });
  }
  return [...byKey.values()].sort((a, b) => a.at - b.at);
}

/** The entry with those around it; empty when this scope has none of that name. */
export function read(index: RecallIndex, { reference, scope, around }: ReadRequest): RecalledEntry[] {
  const [, key = "", from] = /^(.*)@(\d+)$/s.exec(reference) ?? [];
  const parts = index.findByKeys([key]).filter((part) => part.from === Number(from));
  const isVisible = ({ source }: Entry) => index.sources.get(source)?.scope === scope;
  const byOffset = from === undefined ? [] : index.findByStart(key, Number(from));
  const entry = [...index.findByKeys([reference]), ...parts, ...byOffset].find(isVisible);
  const entries = entry === undefined ? [] : index.readAround(entry, around);
  return entries.flatMap((one) => toRecalled(index, one) ?? []);
}

function findMentions(view: ScopeView, dates: readonly TimeRange[]): Set<number> {
  const named = [...toDateTokens(dates)];
  // Of a day, what names that day; what names only its month is not about it.
  const days = named.filter((token) => token.length > "@2026-05".length);
  return new Set((days.length > 0 ? days : named).flatMap((token) => [...view.find(token)]));
}

interface Found {
  id: number;
  hit: RecalledEntry;
}

function explain(
  id: number,
  text: string,
  { candidates, words, query }: { candidates: Candidates; words: readonly Word[]; query: RankQuery },
): Why {
  const { speaker, at, flags } = candidates;
  const marks = findTokens(text, new Set(words.flatMap(({ forms }) => forms.map(({ token }) => token))));
  const holds: Record<Reason, boolean> = {
    named: query.mentions.has(id),
    said: nearness(at[id] ?? 0, query.dates) >= 0.5,
    tells: query.asksWhen && ((flags[id] ?? 0) & flag.time) !== 0,
    speaker: query.speakers.has(speaker[id] ?? 0),
    near: false,
    similar: (query.similar.get(id) ?? 0) >= leastSimilarShown,
  };
  holds.near = marks.length === 0 && words.length > 0 && !holds.named && !holds.said && !holds.similar;
  return { marks, reasons: (Object.keys(holds) as Reason[]).filter((reason) => holds[reason]) };
}

/** A word of the question, with the tokens that it is looked for by. */
interface Word extends Pick<Term, "token" | "weight"> {
  forms: Array<{ token: string; weight: number }>;
}

function findForms(view: ScopeView, terms: readonly Term[], isAutomatic: boolean): Word[] {
  const long = terms.filter(({ token }) => token.length >= leastPrefix).map(({ token }) => token);
  const longer = view.findLonger(long, mostLonger);
  return terms.map(({ token, related, weight }) => {
    const others = (longer.get(token) ?? []).map((other) => ({ token: other, weight: longerWeight }));
    const alike = isAutomatic ? [] : related.map((other) => ({ token: other, weight: relatedWeight }));
    return { token, weight, forms: [{ token, weight: 1 }, ...others, ...alike] };
  });
}

/** The rarest first, and one after the other: a common word has as many entries as there are. */
function* findEach(view: ScopeView, words: readonly Word[]): Generator<RankTerm> {
  const counts = view.count([...new Set(words.flatMap(({ forms }) => forms.map(({ token }) => token)))]);
  const { mostCommon } = view;
  const asked = words
    .filter(({ token }) => (counts.get(token) ?? 0) <= mostCommon)
    .map((word) => ({
      ...word,
      total: word.forms.reduce((sum, { token }) => sum + (counts.get(token) ?? 0), 0),
    }));
  for (const { weight, forms } of asked.toSorted((a, b) => a.total - b.total))
    yield {
      weight,
      forms: forms
        .filter(({ token }) => {
          const count = counts.get(token) ?? 0;
          return count > 0 && count <= mostCommon;
        })
        .map((form) => ({ weight: form.weight, entries: view.find(form.token) })),
    };
}

function createFilter(index: RecallIndex, view: ScopeView, request: SearchRequest): RankQuery["isVisible"] {
  const { from = -Infinity, to = Infinity, exclude = [], session, isSaid } = request;
  const { source, at } = index.candidates;
  const excluded = new Set(exclude.length === 0 ? [] : index.findByKeys(exclude).map(({ id }) => id));
  const isWhole = session === undefined && !isSaid && !request.isAutomatic;
  // Nothing outside of the scope is ever asked about.
  if (isWhole && from === -Infinity && to === Infinity && excluded.size === 0) return () => true;
  const isUsual = request.isAutomatic === true && session === undefined && !isSaid;
  const known = isWhole ? view.sources : isUsual ? automatic.get(view) : undefined;
  const searched = known ?? markSearched(index, request);
  if (isUsual) automatic.set(view, searched);
  return (id) => {
    const moment = at[id] ?? 0;
    return searched[source[id] ?? 0] === 1 && moment >= from && moment < to && !excluded.has(id);
  };
}

/** What turns look into without being asked, while a scope is the same. */
const automatic = new WeakMap<ScopeView, Uint8Array>();

/** The sources that a request looks into. */
function markSearched(
  index: RecallIndex,
  { scope, session, isSaid, isAutomatic }: SearchRequest,
): Uint8Array {
  return mark(index.sources, ({ scope: owner, kind, name }) => {
    const isWanted =
      kind === "session" ? [undefined, name].includes(session) : !isSaid && session === undefined;
    return owner === scope && isWanted && (!isAutomatic || kind === "session" || kind === "document");
  });
}

/** Without those that say what a better one has said. */
function readDifferent(index: RecallIndex, ranked: Ranked["entries"], request: SearchRequest): Found[] {
  const { count = usualCount, isAutomatic } = request;
  const taken: Array<Found & { tokens: Set<string> }> = [];
  for (const { id } of ranked) {
    if (taken.length >= count) break;
    const hit = toRecalled(index, index.readEntry(id));
    if (hit === undefined || (isAutomatic && hit.role === "tool")) continue;
    const { tokens } = tokenise(hit.text);
    if (!taken.some((other) => isAlike(tokens, other.tokens))) taken.push({ id, hit, tokens });
  }
  return taken;
}

function isAlike(a: Set<string>, b: Set<string>): boolean {
  return a.intersection(b).size >= sameShare * a.union(b).size;
}

/** Undefined when the file no longer holds it. */
function toRecalled({ sources }: RecallIndex, entry: Entry | undefined): RecalledEntry | undefined {
  const source = sources.get(entry?.source ?? 0);
  if (entry === undefined || source === undefined) return undefined;
  const { key, from, to, role, speaker, at } = entry;
  const { kind, name, path } = source;
  const bytes = readBytes(path, entry);
  const text = readPassage(kind, bytes).slice(from, to).trim();
  const reference = from === 0 ? key : `${key}@${from}`;
  if (text === "") return undefined;
  const found = { reference, kind, name, role, speaker, at, text };
  const isLine = kind === "session" || kind === "history";
  return isLine ? { ...found, ...withLabels(readPassageLabels(kind, bytes)) } : { ...found, path };
}

/** In one line, the stretch that holds most of the words that were asked for. */
export function toExcerpt(text: string, terms: readonly Term[]): string {
  const line = toOneLine(text, text.length);
  const wanted = new Set(terms.flatMap(({ token, related }) => [token, ...related]));
  const stretch = (from: number) => tokenise(line.slice(from, from + longestExcerpt)).tokens;
  const matches = (from: number) => stretch(from).intersection(wanted).size;
  const steps = Math.max(0, Math.ceil((line.length - longestExcerpt) / 80));
  let [best, most] = [0, steps === 0 ? 0 : matches(0)];
  for (let at = 80; at <= steps * 80; at += 80) {
    const count = matches(at);
    if (count > most) [best, most] = [at, count];
  }
  const start = best === 0 ? 0 : line.lastIndexOf(" ", best) + 1;
  const excerpt = takeHead(line.slice(start), longestExcerpt);
  return `${start > 0 ? "…" : ""}${excerpt}${start + excerpt.length < line.length ? "…" : ""}`;
}
