// Where a line of memory came from: by its provenance back to the messages in which it was said, also of conversations
// that are closed. Tells only what this scope may see, and nothing that was forgotten.
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import type { MemoryStore } from "../storage/documents/memory-store.ts";
import type { ProvenanceRecord } from "../storage/documents/provenance.ts";
import { toHistoryKey } from "../storage/search/ingest.ts";
import { toSpoken } from "../storage/search/passage.ts";
import { tokenise, toTerms } from "../storage/search/tokenise.ts";
import { readForgotten } from "../storage/sessions/reference.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { RecalledEntry, SearchResult } from "./recall.ts";
import { toExcerpt } from "./recall-search.ts";

export interface ExplainedFact {
  record: ProvenanceRecord;
  /** The messages that it was drawn from; of a summary whose messages are gone, the summary. */
  sources: RecalledEntry[];
}

export interface Explanation {
  /** Best match first. */
  facts: ExplainedFact[];
  /** Where nothing is recorded: what a search finds. */
  similar: RecalledEntry[];
}

export interface ExplainPlaces {
  store: MemoryStore;
  sessions: Pick<SessionManager, "findAll">;
  search(query: string): Promise<SearchResult>;
}

interface Said extends RecalledEntry {
  id: string;
  turn: string;
}

const mostFacts = 3;
const mostSources = 5;

export async function explainFact(text: string, places: ExplainPlaces): Promise<Explanation> {
  const facts: ExplainedFact[] = [];
  for (const record of (await places.store.provenance.find(text)).slice(0, mostFacts))
    facts.push({ record, sources: await findSources(record, places) });
  const isKnown = facts.some(({ sources }) => sources.length > 0);
  const { hits } = isKnown ? { hits: [] } : await places.search(text);
  const said = hits.filter(({ kind }) => kind !== "memory");
  return { facts, similar: said.slice(0, mostSources) };
}

async function findSources(record: ProvenanceRecord, places: ExplainPlaces): Promise<RecalledEntry[]> {
  const { cursors = [], sessionKey = "", turn, line } = record;
  if (turn !== undefined) {
    const said = await readSession(sessionKey, turn, places);
    return toEntries(
      said.filter((message) => message.turn === turn && message.role === "user"),
      line,
    );
  }
  const entries = await places.store.history.read();
  const covered = entries.filter(({ cursor }) => cursors.includes(cursor));
  const stretches = [];
  for (const entry of covered) stretches.push(...(await readStretch(entry, entries, places)));
  const said = chooseLike(line, stretches);
  return toEntries(said.length > 0 ? said : covered.slice(-mostSources).map(toSummary), line);
}

/** What an entry of the history covers: from the one before it of the same conversation up to its own end. */
async function readStretch(
  { session_key: key = "", through = "", cursor }: HistoryEntry,
  entries: readonly HistoryEntry[],
  places: ExplainPlaces,
): Promise<Said[]> {
  const earlier = entries.findLast((entry) => entry.session_key === key && entry.cursor < cursor);
  const said = await readSession(key, through, places);
  const end = said.findLastIndex(({ id }) => id === through) + 1;
  const start = said.findLastIndex(({ id }, index) => index < end && id === earlier?.through) + 1;
  return said.slice(start, end);
}

/** The conversation with this key that holds this message; empty when there is none that may be seen. */
async function readSession(
  key: string,
  holding: string,
  { sessions, store }: ExplainPlaces,
): Promise<Said[]> {
  if (key === "") return [];
  for await (const { session } of sessions.findAll(key, store.scope))
    if (session.has(holding)) return readSaid(session, key);
  return [];
}

async function readSaid(session: Session, name: string): Promise<Said[]> {
  const forgotten = await readForgotten(session);
  return (await session.read()).map((message) => {
    const { id, turn } = message;
    const { key: reference, text, ...spoken } = toSpoken(message, { name, id, at: message.at });
    const entry = { ...spoken, reference, kind: "session" as const, name, id, turn };
    return { ...entry, text: forgotten.has(id) ? "" : text };
  });
}

/** Those that share the most words with the line. */
function chooseLike(line: string, said: readonly Said[]): Said[] {
  const wanted = new Set(toTerms(line).map(({ token }) => token));
  const scored = said.map((message) => ({
    message,
    score: tokenise(message.text).tokens.intersection(wanted).size,
  }));
  const best = Math.max(1, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score * 2 >= best && score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostSources)
    .map(({ message }) => message)
    .sort((a, b) => a.at - b.at);
}

function toSummary({ cursor, timestamp, content }: HistoryEntry): RecalledEntry {
  const at = Date.parse(timestamp.replace(" ", "T")) || 0;
  const reference = toHistoryKey(cursor);
  const name = "memory/history.jsonl";
  return { reference, kind: "history", name, role: "history", speaker: "", at, text: content };
}

function toEntries(found: readonly RecalledEntry[], line: string): RecalledEntry[] {
  const terms = toTerms(line);
  return found
    .filter(({ text }) => text !== "")
    .map(({ reference, kind, name, role, speaker, at, text }) => {
      return { reference, kind, name, role, speaker, at, text: toExcerpt(text, terms) };
    });
}
