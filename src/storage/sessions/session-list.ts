// What a list of sessions shows, found by reading only the beginning of each file.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { toLocalIso } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";
import { readEntry } from "./format/entry-facts.ts";
import { parseLine } from "./format/line.ts";
import type { StoredMessage } from "./format/message.ts";
import { fromStem, parseFileName } from "./session-name.ts";
import { placeOf } from "./transcript.ts";

export interface SessionSummary {
  key: string;
  path: string;
  /** Local time without a zone, like every time of a session. */
  updatedAt: string;
  bytes: number;
  /** What the user said first, in one short line. */
  preview: string;
  /** Closed by `/new`; its key may belong to a newer conversation. */
  isArchived: boolean;
}

/** The beginning of a session file. */
export interface SessionHead {
  /** Whether anything in it looks like a session at all. */
  isSession: boolean;
  key: string | undefined;
  preview: string;
}

const mostRecords = 200;
const mostBytes = 1_000_000;
const longestPreview = 120;

/** Most recent first. */
export async function listSessions(
  folder: string,
  { archived = false }: { archived?: boolean },
): Promise<SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = entry.isFile() ? parseFileName(entry.name) : undefined;
    if (name === undefined || (name.isArchived && !archived)) continue;
    const path = join(folder, entry.name);
    const found = await stat(path).catch(ignoreMissing);
    if (found === undefined) continue;
    const head = await readHead(path).catch(ignoreUnreadable);
    const key = fromStem(name.stem) ?? head?.key ?? name.stem;
    const { isArchived } = name;
    const facts = { updatedAt: toLocalIso(found.mtimeMs), bytes: found.size, preview: head?.preview ?? "" };
    summaries.push({ key, path, ...facts, isArchived });
  }
  return summaries.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** It is listed all the same; opening it says what is wrong. */
function ignoreUnreadable(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined) throw error;
}

export async function readHead(path: string): Promise<SessionHead> {
  const head: SessionHead = { isSession: false, key: undefined, preview: "" };
  let records = 0;
  const take = ({ bytes }: Line): boolean => {
    const line = bytes === undefined ? undefined : parseLine(bytes.toString("utf8"));
    if (line?.type === "metadata") head.key ??= line.key;
    head.isSession ||=
      line?.type === "metadata" || (line?.type === "message" && typeof line.fields.role === "string");
    if (line?.type === "message" && line.fields.role === "user" && line.fields._command !== true) {
      const { text } = readEntry({ ...line.fields, ...placeOf(line.fields, 0, undefined) } as StoredMessage);
      head.preview ||= toOneLine(text, longestPreview);
    }
    records += 1;
    return records < mostRecords && (head.key === undefined || head.preview === "");
  };
  await withFile(path, "r", (file) => scanLines(file, { to: mostBytes, limit: mostBytes }, take));
  return head;
}
