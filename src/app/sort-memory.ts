// Once for a workspace: what 0.1.0 archived into the memory of another person or group is carried to whose conversation
// it was, by the session that each entry names, and taken out of what was made of it. What cannot be told stays.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { toSessionKey } from "../bus/session-key.ts";
import type { Origin, OutboundPart } from "../bus/types.ts";
import { removeEmptyFolders } from "../guards/sandbox-places.ts";
import { phrase } from "../i18n/phrase.ts";
import { say, speakTo, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { toOneLine } from "../lib/text.ts";
import { HistoryLog } from "../storage/documents/history-log.ts";
import { Provenance } from "../storage/documents/provenance.ts";
import {
  carryOver,
  type FindHome,
  findMisplaced,
  type Moved,
  sortNotes,
} from "../storage/documents/sort-history.ts";
import { readTrackedText, writeTracked } from "../storage/documents/tracked-file.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { removeFile } from "../storage/files/change-files.ts";
import { readJsonFile } from "../storage/files/json-file.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import { fromScope } from "../storage/scope.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { SurveyedSession } from "../storage/sessions/session-survey.ts";
import { listRoots } from "./build-dream.ts";
import { personRoot } from "./person-folders.ts";

export interface SortParts {
  workspace: string;
  sessions: SessionManager;
  lock: HomeLock;
  clock: Clock;
  log: Log;
}

interface Whose {
  root: string;
  has(messageId: string): boolean;
  rewrite: SurveyedSession["rewrite"];
}

const memoryFiles = ["USER.md", "memory/MEMORY.md"];
/** Of a summary in a prompt. */
const shownLength = 300;

/** How many summaries were moved. What goes wrong, as a file that cannot be read, waits for the next start and stops nothing. */
export async function sortMemory(parts: SortParts): Promise<number> {
  const marker = markerOf(parts.workspace);
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
  const { workspace, clock, log } = parts;
  const roots = await listRoots(workspace);
  const whose = createAttribution(parts);
  const moved: Moved[] = [];
  for (const root of roots.length > 1 ? roots : [])
    moved.push(...(await findMisplaced(root, clock, whose.findHome)));
  if (moved.length > 0) await move(moved, roots, { ...parts, whose });
  // Folders inside of people's roots first: then these may be empty.
  for (const root of roots.toReversed()) await removeEmptyFolders(root, root === workspace);
  await writeFileAtomic(marker, JSON.stringify({ at: clock.now(), moved: moved.length }));
  if (moved.length > 0) log.warn("memory-sorted", { moved: moved.length });
  return moved.length;
}

/** For the owner, in the chat that was spoken in last. */
export function toSortedNotice(count: number, origin: Origin, words: Words): OutboundPart {
  const { channel, chatId } = origin;
  const id = "memory-sorted";
  const text = say(phrase("home.memory-sorted", { count }), speakTo(origin, words));
  const place = { channel, chatId, sessionKey: toSessionKey({ channel, chatId }), turnId: id };
  return { id, ...place, text, media: [], kind: "notice", wasStreamed: false };
}

type Attribution = ReturnType<typeof createAttribution>;

/** What is taken out of a history last is the sign that the rest of it is done. */
async function move(
  moved: readonly Moved[],
  roots: readonly string[],
  { clock, sessions, whose }: SortParts & { whose: Attribution },
): Promise<void> {
  for (const one of moved) await carryOver(one, clock);
  for (const root of roots)
    await sortNotes(root, async (line) => {
      const known = moved.find(({ from, note }) => from === root && note === line);
      return known?.to ?? whose.findHomeOfNote(line);
    });
  await removePrefixes(join(sessions.folder, "prefixes"), moved);
  for (const [root, own] of Map.groupBy(moved, ({ from }) => from)) {
    await removeDreamt(root, own);
    for (const { rewrite } of await whose.listOf(root)) await rewrite((text) => removeShown(text, own));
    await new HistoryLog(root, clock).remove(own.map(({ entry }) => entry.cursor));
  }
}

/** By the messages that an entry covers; else by the conversations of its key, where all of them are of one. */
function createAttribution({ workspace, sessions }: SortParts) {
  const opened = new Map<SurveyedSession, Promise<Whose | undefined>>();
  let listed: Promise<SurveyedSession[]> | undefined;
  const listAll = () => {
    listed ??= sessions.survey();
    return listed;
  };

  async function read({ open: openSession, rewrite }: SurveyedSession): Promise<Whose | undefined> {
    const session = await openSession();
    // Unknown for sessions imported from the Python original.
    if (session.scope === undefined) return undefined;
    return { root: personRoot(workspace, fromScope(session.scope)), has: (id) => session.has(id), rewrite };
  }

  async function open(isMeant: (session: SurveyedSession) => boolean): Promise<Whose[]> {
    const found: Array<Whose | undefined> = [];
    for (const summary of (await listAll()).filter(isMeant)) {
      const known = opened.get(summary) ?? read(summary);
      opened.set(summary, known);
      found.push(await known);
    }
    return found.filter((one) => one !== undefined);
  }

  const findHome: FindHome = async ({ session_key, through }) => {
    const all = await open(({ key }) => key === session_key);
    const covered = all.find(({ has }) => through !== undefined && has(through));
    const roots = new Set((covered === undefined ? all : [covered]).map(({ root }) => root));
    return roots.size === 1 ? [...roots][0] : undefined;
  };

  return {
    findHome,
    async findHomeOfNote(line: string): Promise<string | undefined> {
      const keys = new Set((await listAll()).map(({ key }) => key));
      const key = [...keys]
        .filter((each) => line.startsWith(`- ${each}: `))
        .sort((a, b) => b.length - a.length)[0];
      return key === undefined ? undefined : findHome({ session_key: key });
    },
    listOf: async (root: string) => (await open(() => true)).filter((one) => one.root === root),
  };
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
async function removeDreamt(root: string, moved: readonly Moved[]): Promise<void> {
  const gone = new Set(moved.map(({ entry }) => entry.cursor));
  const provenance = new Provenance(root);
  for (const file of memoryFiles) {
    const text = await readTrackedText(root, file);
    if (text === "") continue;
    const kept: string[] = [];
    for (const line of text.split("\n")) {
      const known = line.trim() === "" ? [] : await provenance.find(line);
      const own = known.filter((record) => record.file === file && record.line === line.trim());
      const isGone =
        own.length > 0 &&
        own.every(({ cursors = [] }) => cursors.length > 0 && cursors.every((cursor) => gone.has(cursor)));
      if (!isGone) kept.push(line);
    }
    if (kept.length < text.split("\n").length) await writeTracked(root, file, Buffer.from(kept.join("\n")));
  }
  await provenance.compact();
}
