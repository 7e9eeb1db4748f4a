// Forgetting: finds every line of memory, every message and every summary that holds the words, and takes them out of
// what is remembered and recalled. Messages stay in their files, marked; what stood in memory stays in its versions.

import { keepParts } from "../memory/carried-summary.ts";
import { isLongMessage, type MemoryStore } from "../storage/documents/memory-store.ts";
import type { Version } from "../storage/documents/versions.ts";
import { tokenise, toTerms } from "../storage/search/tokenise.ts";
import { readOffset, toEntryId } from "../storage/sessions/reference.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { MatchedEntry, Recall } from "./recall.ts";

export interface MemoryLine {
  file: string;
  /** From 1. */
  number: number;
  line: string;
}

/** What would be forgotten. */
export interface Forgettable {
  lines: MemoryLine[];
  messages: MatchedEntry[];
  /** Entries of the history. */
  summaries: MatchedEntry[];
}

export interface ForgetPlaces {
  store: MemoryStore;
  sessions: Pick<SessionManager, "find">;
}

const files = ["SOUL.md", "USER.md", "memory/MEMORY.md"];

export async function findForgettable(
  words: string,
  { store, recall }: { store: MemoryStore; recall: Recall },
): Promise<Forgettable> {
  const lines: MemoryLine[] = [];
  for (const file of [...files, ...(await store.listNotes()), ...(await store.listLongMessages())]) {
    for (const [index, line] of (await store.readText(file)).split("\n").entries())
      if (holdsAll(line, words)) lines.push({ file, number: index + 1, line });
  }
  const found = await recall.match(words, store.scope);
  return {
    lines,
    messages: found.filter(({ kind }) => kind === "session"),
    summaries: found.filter(({ kind }) => kind === "history"),
  };
}

/** Exactly what was found, and nothing that came since. Can be repeated after a crash. */
export async function forget(
  found: Forgettable,
  words: string,
  { store, sessions }: ForgetPlaces,
): Promise<Version | undefined> {
  const { history, versions } = store;
  const byFile = Map.groupBy(found.lines, ({ file }) => file);
  const paths = [...byFile.keys()].filter((file) => !isLongMessage(file));
  await versions.commit({ kind: "start", paths });
  for (const [conversation, messages] of Map.groupBy(found.messages, (message) => message.conversation)) {
    const session = await sessions.find(conversation, store.scope);
    if (session !== undefined) await forgetMessages(session, messages, words);
  }
  await history.forget(found.summaries.map(({ key }) => Number(key.replace(/^.*@/, ""))));
  for (const [file, lines] of byFile) {
    const gone = new Set(lines.map(({ line }) => line));
    const text = await store.readText(file);
    const kept = text.split("\n").filter((line) => !gone.has(line));
    await store.write(file, kept.join("\n"));
  }
  const version = await versions.commit({ kind: "forget", paths });
  await store.provenance.compact();
  return version;
}

async function forgetMessages(session: Session, messages: MatchedEntry[], words: string): Promise<void> {
  const { forgotten: known = [], _last_summary: summary } = session.metadata;
  const isInSummary = summary !== undefined && holdsAll(summary.text, words);
  const rest = summary && keepParts(summary, (text) => !holdsAll(text, words));
  // Words that only several stretches hold together are in none of them: then nothing is kept.
  const kept = rest !== undefined && !holdsAll(rest.text, words) ? { ...summary, ...rest } : undefined;
  const all = [...new Set([...known, ...messages.map(({ key, name }) => toForgotten(key, name))])];
  await session.updateMetadata(
    { forgotten: all, ...(isInSummary && { _last_summary: kept }) },
    { sync: true },
  );
}

/** Entries by their ids; what an index of 0.1.0 knows by an offset stays so. */
function toForgotten(reference: string, sessionKey: string): string {
  return readOffset(reference, sessionKey) === undefined ? toEntryId(reference, sessionKey) : reference;
}

/** By the same words by which it would be found. */
function holdsAll(text: string, words: string): boolean {
  const { tokens } = tokenise(text);
  const terms = toTerms(words);
  return terms.length > 0 && terms.every(({ token }) => tokens.has(token));
}
