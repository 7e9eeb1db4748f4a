// Forgetting: finds every line of memory, every message and every summary that holds the words, and takes them out of
// what is remembered and recalled. Messages stay in their files, marked; what stood in memory stays in its versions.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HistoryLog } from "../storage/documents/history-log.ts";
import { Provenance } from "../storage/documents/provenance.ts";
import { readTrackedText, writeTracked } from "../storage/documents/tracked-file.ts";
import type { Version, Versions } from "../storage/documents/versions.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { Scope } from "../storage/scope.ts";
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
  /** The person's folder. */
  root: string;
  history: HistoryLog;
  versions: Versions;
  sessions: Pick<SessionManager, "find">;
  scope: Scope;
}

const attachments = "attachments";
const files = ["SOUL.md", "USER.md", "memory/MEMORY.md"];

export async function findForgettable(
  words: string,
  { root, scope, recall }: { root: string; scope: string; recall: Recall },
): Promise<Forgettable> {
  const lines: MemoryLine[] = [];
  for (const file of [...files, ...(await listNotes(root)), ...(await listLongMessages(root))]) {
    for (const [index, line] of (await readTrackedText(root, file)).split("\n").entries())
      if (holdsAll(line, words)) lines.push({ file, number: index + 1, line });
  }
  const found = await recall.match(words, scope);
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
  places: ForgetPlaces,
): Promise<Version | undefined> {
  const { root, history, versions } = places;
  const byFile = Map.groupBy(found.lines, ({ file }) => file);
  // What somebody said is not memory: no version of it is kept beside the conversation.
  const paths = [...byFile.keys()].filter((file) => !file.startsWith(attachments));
  await versions.commit({ kind: "start", paths });
  for (const [conversation, messages] of Map.groupBy(found.messages, (message) => message.conversation)) {
    const session = await places.sessions.find(conversation, places.scope);
    if (session !== undefined) await forgetMessages(session, messages, words);
  }
  await history.forget(found.summaries.map(({ key }) => Number(key.replace(/^.*@/, ""))));
  for (const [file, lines] of byFile) {
    const gone = new Set(lines.map(({ line }) => line));
    const text = await readTrackedText(root, file);
    const kept = text.split("\n").filter((line) => !gone.has(line));
    await writeTracked(root, file, Buffer.from(kept.join("\n")));
  }
  const version = await versions.commit({ kind: "forget", paths });
  await new Provenance(root).compact();
  return version;
}

async function forgetMessages(session: Session, messages: MatchedEntry[], words: string): Promise<void> {
  const { forgotten: known = [], _last_summary: summary } = session.metadata;
  const isInSummary = summary !== undefined && holdsAll(summary.text, words);
  const all = [...new Set([...known, ...messages.map(({ key, name }) => toForgotten(key, name))])];
  await session.updateMetadata(
    { forgotten: all, ...(isInSummary && { _last_summary: undefined }) },
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

/** Messages that were too long for a conversation. */
async function listLongMessages(root: string): Promise<string[]> {
  const names = (await readdir(join(root, attachments)).catch(ignoreMissing)) ?? [];
  return names.sort().map((name) => `${attachments}/${name}`);
}

async function listNotes(root: string): Promise<string[]> {
  const names = (await readdir(join(root, "memory")).catch(ignoreMissing)) ?? [];
  return names
    .filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name))
    .sort()
    .map((name) => `memory/${name}`);
}
