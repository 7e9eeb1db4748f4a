// Brings the index up to what the files say now, reading only what was added to them, in small steps between which
// searches can be answered.
import { type FileHandle, open } from "node:fs/promises";
import { parseEntry, parseForgotten } from "../documents/history-log.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { ownerScope } from "../scope.ts";
import { parseLine } from "../sessions/format/line.ts";
import { readOffset, toOrdinalId, toReference } from "../sessions/reference.ts";
import { flag } from "./candidates.ts";
import { findDates, saysWhen, toDateTokens } from "./dates.ts";
import { readPassage, splitPassage, toSpoken } from "./passage.ts";
import type { Entry, RecallIndex, Source } from "./recall-index.ts";
import { tokenise } from "./tokenise.ts";

type Passage = Pick<Entry, "key" | "start" | "bytes" | "at" | "role" | "speaker"> & { text: string };

/** What one step found in a file. */
interface Found {
  passages: Passage[];
  /** References of what must not be recalled any more. */
  forgotten: string[];
  /** Of a session: its lines without an id, by their place among the messages that were read now. */
  unnamed: Array<{ passage: Passage; place: number }>;
  messages: number;
}

/** A file that is read. What a line before `scopeFrom` says about whose it is, a later one has replaced. */
interface Reading extends Source {
  scopeFrom: number;
}

/** Some milliseconds of work: a search waits no longer than that. */
const bytesAtOnce = 32 * 1024;
const longestLine = 4 * 1024 * 1024;
const tailBytes = 32;
const longestEnd = 200;

/** Reads what was added to files; yields after each step. `isComplete`: what is not among them is gone. */
export async function* ingest(
  index: RecallIndex,
  files: readonly Source[],
  { isComplete }: { isComplete: boolean },
): AsyncGenerator<void> {
  const known = matchFiles(index, files, isComplete);
  for (const file of files) {
    const source = known.get(file.path);
    if (source === undefined || !isSame(source, file)) yield* ingestFile(index, file, source);
  }
}

/** By inode first: a session that was closed has another name, and its old name may be another session's. */
function matchFiles(index: RecallIndex, files: readonly Source[], isComplete: boolean): Map<string, Source> {
  const { byPath, byInode } = index.lookups;
  const known = new Map<string, Source>();
  const taken = new Set<number>();
  const take = ({ path }: Source, source: Source | undefined): void => {
    if (source === undefined || known.has(path) || taken.has(source.id)) return;
    known.set(path, source);
    taken.add(source.id);
  };
  const isOf = (file: Source, source?: Source) => source?.inode === file.inode && source.kind === file.kind;
  for (const file of files) {
    const same = byPath.get(file.path);
    const moved = byInode.get(file.inode);
    take(file, isOf(file, same) ? same : isOf(file, moved) ? moved : undefined);
  }
  for (const file of files) take(file, byPath.get(file.path));
  const gone = isComplete ? [...index.sources.keys()].filter((id) => !taken.has(id)) : [];
  for (const id of gone) index.write(() => index.removeSource(id));
  return known;
}

function isSame(a: Source, b: Source): boolean {
  return a.path === b.path && a.inode === b.inode && a.size === b.size && a.changedAt === b.changedAt;
}

async function* ingestFile(index: RecallIndex, file: Source, known?: Source): AsyncGenerator<void> {
  const handle = await open(file.path).catch(ignoreUnreadable);
  if (handle === undefined) return;
  try {
    const source: Reading = { ...file, scopeFrom: 0 };
    if (known !== undefined && (await continues(handle, file, known))) {
      const { id, scope, end, tail, at } = known;
      // A session says whose it is; for anything else its folder says it.
      Object.assign(source, { id, end, tail, at, ...(source.kind === "session" && { scope }) });
    } else if (known !== undefined) index.write(() => index.removeSource(known.id));
    for (;;) {
      const state = await step(index, handle, source);
      if (state === "end") return;
      if (state === "other-scope") {
        index.write(() => index.removeSource(source.id));
        Object.assign(source, { id: 0, end: 0, tail: "", at: file.at, scopeFrom: source.end });
      }
      yield;
    }
  } finally {
    await handle.close();
  }
}

/** What cannot be read is not recalled; everything else is. */
function ignoreUnreadable(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined) throw error;
}

/** Lines are only ever appended; anything else is read again when it has changed. */
async function continues(handle: FileHandle, { inode, size }: Source, known: Source): Promise<boolean> {
  if (!isOfLines(known) || known.inode !== inode || known.end > size) return false;
  return (await readTail(handle, known.end)) === known.tail;
}

function isOfLines({ kind }: Source): boolean {
  return kind === "session" || kind === "history";
}

async function readTail(handle: FileHandle, end: number): Promise<string> {
  const start = Math.max(0, end - tailBytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), { position: start });
  return buffer.toString("base64", 0, bytesRead);
}

/**
 * Reads on in a file and saves what it found. `other-scope`: what was saved before is another scope's than the file now says,
 * which holds for all of it, so that it has to be read again.
 */
async function step(
  index: RecallIndex,
  handle: FileHandle,
  source: Reading,
): Promise<"more" | "end" | "other-scope"> {
  const start = source.end;
  const found = await (isOfLines(source) ? readLines(handle, source) : readText(handle, source));
  const hasMore = source.end > start && source.end < source.size;
  source.tail = await readTail(handle, source.end);
  return index.write(() => {
    const stored = index.findStored(source);
    // Another process is at the same file: it is left to that one.
    if ((stored?.end ?? 0) !== start) return "end";
    if (stored !== undefined && start > 0 && stored.scope !== source.scope) {
      source.id = stored.id;
      return "other-scope";
    }
    // Without a size until all is read: a crash in between must not pass for the end.
    source.id = index.saveSource({ ...source, id: stored?.id ?? 0, ...(hasMore && { size: -1 }) });
    for (const { text, ...place } of found.passages) {
      for (const part of splitPassage(text)) {
        const { tokens, ...facts } = readFacts(text.slice(part.from, part.to), place);
        if (tokens.size > 0)
          index.addEntry(source.scope, { source: source.id, ...place, ...part, ...facts }, tokens);
      }
    }
    const keys = found.forgotten.map((reference) => toReference(source.name, reference));
    const starts = found.forgotten.flatMap((reference) => readOffset(reference, source.name) ?? []);
    index.removeEntries(source.id, keys, starts);
    return hasMore ? "more" : "end";
  });
}

/** What is indexed of a text: its words, the days that it speaks of, and what kind of sentence it is. */
function readFacts(
  text: string,
  { role, at }: Pick<Passage, "role" | "at">,
): { tokens: Set<string>; length: number; flags: number } {
  const { tokens, length } = tokenise(text);
  // The results of tools are full of dates that nobody speaks of.
  if (role === "tool") return { tokens, length, flags: flag.tool };
  const isTimed = saysWhen(text);
  if (isTimed) for (const token of toDateTokens(findDates(text, at))) tokens.add(token);
  const isQuestion = /[?？]["'”’)）\]*_]*\s*(?:\n|$)/u.test(text.slice(-longestEnd));
  return { tokens, length, flags: (isQuestion ? flag.question : 0) + (isTimed ? flag.time : 0) };
}

async function readLines(handle: FileHandle, source: Reading): Promise<Found> {
  const found: Found = { passages: [], forgotten: [], unnamed: [], messages: 0 };
  const { end: start } = source;
  const stretch = { from: source.end, to: source.size, limit: longestLine };
  await scanLines(handle, stretch, (line) => {
    // Half a line is still being written.
    if (!line.isTerminated) return false;
    source.end = line.end;
    if (source.kind === "session") takeLine(line, source, found);
    else takeHistory(line, source, found);
    return line.end - start < bytesAtOnce;
  });
  await nameByOrdinal(handle, { found, name: source.name, start });
  return found;
}

/** Only lines of the Python original need it: what was read before is counted when there is one, and not before. */
async function nameByOrdinal(
  handle: FileHandle,
  { found, name, start }: { found: Found; name: string; start: number },
): Promise<void> {
  if (found.unnamed.length === 0) return;
  let before = 0;
  const count = (line: Line): undefined => {
    if (isMessage(line)) before += 1;
  };
  if (start > 0) await scanLines(handle, { to: start, limit: longestLine }, count);
  for (const { passage, place } of found.unnamed)
    passage.key = toReference(name, toOrdinalId(before + place));
}

/** One that is too long to be read here is no metadata. */
function isMessage({ bytes }: Line): boolean {
  return bytes === undefined || parseLine(bytes.toString("utf8"))?.type === "message";
}

function takeLine({ bytes, start, end }: Line, source: Reading, found: Found): void {
  const line = parseLine(bytes?.toString("utf8") ?? "");
  if (line?.type === "metadata") {
    // The last one counts, for all of the file.
    const { scope = ownerScope, forgotten = [] } = line.metadata;
    if (start >= source.scopeFrom) source.scope = scope;
    found.forgotten = [...forgotten];
  }
  if (line?.type === "message" || bytes === undefined) found.messages += 1;
  if (line?.type !== "message" || line.fields._command === true) return;
  const { id } = line.fields;
  const isNamed = typeof id === "string" && id !== "";
  const spoken = toSpoken(line.fields, { name: source.name, id: isNamed ? id : "", at: source.at });
  source.at = spoken.at;
  const passage = { ...spoken, start, bytes: end - start };
  found.passages.push(passage);
  if (!isNamed) found.unnamed.push({ passage, place: found.messages - 1 });
}

function takeHistory({ bytes, start, end }: Line, source: Source, { passages, forgotten }: Found): void {
  const line = bytes?.toString("utf8") ?? "";
  forgotten.push(...parseForgotten(line).map(toHistoryKey));
  const entry = parseEntry(line);
  if (entry === undefined) return;
  const at = Date.parse(entry.timestamp.replace(" ", "T")) || source.at;
  const place = { key: toHistoryKey(entry.cursor), start, bytes: end - start };
  passages.push({ ...place, at, role: "history", speaker: "", text: entry.content });
}

export function toHistoryKey(cursor: number): string {
  return `history@${cursor}`;
}

async function readText(handle: FileHandle, source: Source): Promise<Found> {
  const content = await handle.readFile();
  const { kind, name } = source;
  const day = kind === "note" ? Date.parse(`${name.slice(-13, -3)}T12:00`) : Number.NaN;
  const place = { key: name, start: 0, bytes: content.length, role: kind, speaker: "" };
  source.end = content.length;
  const text = readPassage(kind, content);
  return {
    passages: [{ ...place, at: Number.isNaN(day) ? source.at : day, text }],
    forgotten: [],
    unnamed: [],
    messages: 0,
  };
}
