// Once for a workspace: what 0.1.0 archived into the memory of another person or group is moved to the scope of its
// conversation, by the session that each entry names, and taken out of what was made of it. What is unknown stays.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { toOneLine } from "../../lib/text.ts";
import { removeFile, writeFileAtomic } from "../files/change-files.ts";
import { readJsonFile } from "../files/json-file.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import type { HomeLock } from "../home-lock.ts";
import { ownerScope, type Scope } from "../scope.ts";
import type { SessionManager } from "../sessions/session-manager.ts";
import type { SurveyedSession } from "../sessions/session-survey.ts";
import type { HistoryEntry } from "./history-log.ts";
import { type Documents, type MemoryStore, mainMemoryFile, toNoteLine } from "./memory-store.ts";

export interface SortParts {
  documents: Documents;
  sessions: SessionManager;
  lock: HomeLock;
  clock: Clock;
  log: Log;
  /** Of those that 0.1.0 made for its commands in a root. */
  removeEmptyFolders(root: string, isOwner: boolean): Promise<void>;
}

/** A conversation whose scope is known. */
interface Conversation {
  scope: Scope;
  has(messageId: string): boolean;
  rewrite: SurveyedSession["rewrite"];
}

interface Moved {
  entry: HistoryEntry;
  from: Scope;
  to: Scope;
  /** As it stood in a daily note. */
  note: string;
}

const memoryFiles = ["USER.md", mainMemoryFile];
/** Of a summary in a prompt. */
const shownLength = 300;

/** How many summaries were moved. What goes wrong, as a file that cannot be read, waits for the next start and stops nothing. */
export async function sortMemory(parts: SortParts): Promise<number> {
  const marker = markerOf(parts.documents.options.workspace);
  try {
    if ((await readFile(marker).catch(ignoreMissing)) !== undefined) return 0;
    const release = await parts.lock.acquire("sort memory");
    return await sort(parts, marker).finally(release);
  } catch (error) {
    parts.log.error("memory-not-sorted", { error });
    return 0;
  }
}

/** When it was done, and how many were moved; undefined before. */
export async function readSorted(workspace: string): Promise<{ at: number; moved: number } | undefined> {
  const file = await readJsonFile(markerOf(workspace));
  if (file.state !== "read") return undefined;
  const { at, moved } = file.value;
  return { at: Number(at) || 0, moved: Number(moved) || 0 };
}

function markerOf(workspace: string): string {
  return join(workspace, ".nanobot", "memory-sorted");
}

async function sort(parts: SortParts, marker: string): Promise<number> {
  const { documents, clock, log, removeEmptyFolders } = parts;
  const scopes = await documents.scopes();
  const attribution = createAttribution(parts.sessions);
  const moved: Moved[] = [];
  for (const scope of scopes.length > 1 ? scopes : [])
    moved.push(...(await findMisplaced(documents.of(scope), attribution)));
  if (moved.length > 0) await move(moved, scopes, { ...parts, attribution });
  // Folders inside of people's roots first: then these may be empty.
  for (const scope of scopes.toReversed())
    await removeEmptyFolders(documents.of(scope).locate(""), scope === ownerScope);
  await writeFileAtomic(marker, JSON.stringify({ at: clock.now(), moved: moved.length }));
  if (moved.length > 0) log.warn("memory-sorted", { moved: moved.length });
  return moved.length;
}

type Attribution = ReturnType<typeof createAttribution>;

/** What is taken out of a history last is the sign that the rest of it is done. */
async function move(
  moved: readonly Moved[],
  scopes: readonly Scope[],
  { documents, sessions, attribution }: SortParts & { attribution: Attribution },
): Promise<void> {
  for (const one of moved) await carryOver(one, documents);
  for (const scope of scopes)
    await sortNotes(scope, documents, async (line) => {
      const known = moved.find(({ from, note }) => from === scope && note === line);
      return known?.to ?? attribution.findScopeOfNote(line);
    });
  await removePrefixes(join(sessions.folder, "prefixes"), moved);
  for (const [scope, own] of Map.groupBy(moved, ({ from }) => from)) {
    const store = documents.of(scope);
    await removeDreamt(store, own);
    for (const { rewrite } of await attribution.listOf(scope))
      await rewrite((text) => removeShown(text, own));
    await store.history.remove(own.map(({ entry }) => entry.cursor));
  }
}

/** By the messages that an entry covers; else by the conversations of its key, where all of them are of one scope. */
function createAttribution(sessions: SessionManager) {
  const opened = new Map<SurveyedSession, Promise<Conversation | undefined>>();
  let listed: Promise<SurveyedSession[]> | undefined;
  const listAll = () => {
    listed ??= sessions.survey();
    return listed;
  };

  async function read({ open: openSession, rewrite }: SurveyedSession): Promise<Conversation | undefined> {
    const session = await openSession();
    // Unknown for sessions imported from the Python original.
    if (session.scope === undefined) return undefined;
    return { scope: session.scope, has: (id) => session.has(id), rewrite };
  }

  async function open(isMeant: (session: SurveyedSession) => boolean): Promise<Conversation[]> {
    const conversations: Array<Conversation | undefined> = [];
    for (const summary of (await listAll()).filter(isMeant)) {
      const known = opened.get(summary) ?? read(summary);
      opened.set(summary, known);
      conversations.push(await known);
    }
    return conversations.filter((one) => one !== undefined);
  }

  async function findScope(sessionKey: string, through?: string): Promise<Scope | undefined> {
    const all = await open(({ key }) => key === sessionKey);
    const covered = all.find(({ has }) => through !== undefined && has(through));
    const scopes = new Set((covered === undefined ? all : [covered]).map(({ scope }) => scope));
    return scopes.size === 1 ? [...scopes][0] : undefined;
  }

  return {
    findScope,
    async findScopeOfNote(line: string): Promise<Scope | undefined> {
      const keys = new Set((await listAll()).map(({ key }) => key));
      const key = [...keys]
        .filter((each) => line.startsWith(`- ${each}: `))
        .sort((a, b) => b.length - a.length)[0];
      return key === undefined ? undefined : findScope(key);
    },
    listOf: async (scope: Scope) => (await open(() => true)).filter((one) => one.scope === scope),
  };
}

/** What is misplaced in the history of a scope, oldest first. */
async function findMisplaced({ scope, history }: MemoryStore, attribution: Attribution): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const entry of await history.read()) {
    const { session_key, through } = entry;
    if (typeof session_key !== "string" || typeof through !== "string") continue;
    const to = await attribution.findScope(session_key, through);
    if (to !== undefined && to !== scope)
      moved.push({ entry, from: scope, to, note: toNoteLine({ ...entry, session_key }) });
  }
  return moved;
}

/** Into the history where it belongs, with its own time; once, however often it is begun. */
async function carryOver({ entry: { cursor: _, ...entry }, to }: Moved, documents: Documents): Promise<void> {
  const { history } = documents.of(to);
  const isThere = (await history.read()).some(
    ({ session_key, through, content }) =>
      session_key === entry.session_key && through === entry.through && content === entry.content,
  );
  if (!isThere) await history.append(entry);
}

/** Moves the lines of the daily notes of a scope that belong to another one. */
async function sortNotes(
  scope: Scope,
  documents: Documents,
  findScopeOf: (line: string) => Promise<Scope | undefined>,
): Promise<void> {
  const store = documents.of(scope);
  for (const path of await store.listNotes()) {
    const kept: string[] = [];
    const lines = (await store.readText(path)).split("\n");
    for (const line of lines) {
      const to = (await findScopeOf(line)) ?? scope;
      if (to === scope) kept.push(line);
      else await addLine(documents.of(to), path, line);
    }
    if (kept.length < lines.length) await store.write(path, kept.join("\n"));
  }
}

async function addLine(store: MemoryStore, path: string, line: string): Promise<void> {
  const text = await store.readText(path);
  if (text.split("\n").includes(line)) return;
  await store.write(path, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** Prompts that were frozen with it: without them, the next turn makes a new one. */
async function removePrefixes(folder: string, moved: readonly Moved[]): Promise<void> {
  const texts = moved.flatMap(({ entry, note }) =>
    [toOneLine(entry.content, shownLength), note].map(toJsonText),
  );
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    const prefix = await readFile(join(folder, name), "utf8");
    if (texts.some((text) => prefix.includes(text))) await removeFile(join(folder, name));
  }
}

/** Daily notes that were shown with a message, and are sent again with it. */
function removeShown(text: string, moved: readonly Moved[]): string {
  const notes = moved.map(({ note }) => toJsonText(note));
  return notes.reduce((left, note) => left.replaceAll(`${note}\\n`, "").replaceAll(note, ""), text);
}

function toJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Lines of memory that Dream drew from these entries alone: it draws them again where they belong. */
async function removeDreamt(store: MemoryStore, moved: readonly Moved[]): Promise<void> {
  const gone = new Set(moved.map(({ entry }) => entry.cursor));
  for (const file of memoryFiles) {
    const text = await store.readText(file);
    if (text === "") continue;
    const kept: string[] = [];
    for (const line of text.split("\n")) {
      const known = line.trim() === "" ? [] : await store.provenance.find(line);
      const matching = known.filter((record) => record.file === file && record.line === line.trim());
      const isGone =
        matching.length > 0 &&
        matching.every(
          ({ cursors = [] }) => cursors.length > 0 && cursors.every((cursor) => gone.has(cursor)),
        );
      if (!isGone) kept.push(line);
    }
    if (kept.length < text.split("\n").length) await store.write(file, kept.join("\n"));
  }
  await store.provenance.compact();
}
