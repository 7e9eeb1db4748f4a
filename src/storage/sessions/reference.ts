// How an entry is referred to: by its session and its id. An id of ours is unique in the home and needs no session; a line
// of the Python original has none and is known by its ordinal. 0.1.0 wrote such a line's byte offset, which is still read.
import { scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";
import { parseLine } from "./format/line.ts";
import type { Session } from "./session.ts";
import { longestLine } from "./session-file.ts";

const ordinal = /^message-\d+$/;

/** The id of a line that has none. */
export function toOrdinalId(position: number): string {
  return `message-${position}`;
}

/** One text for both. */
export function toReference(sessionKey: string, entryId: string): string {
  return ordinal.test(entryId) ? `${sessionKey}@${entryId}` : entryId;
}

/** The id of the entry; `part` of a long one is left away. */
export function toEntryId(reference: string, sessionKey: string): string {
  const whole = reference.replace(/@\d+$/, "");
  return whole.startsWith(`${sessionKey}@`) ? whole.slice(sessionKey.length + 1) : whole;
}

/** The offset that 0.1.0 referred to a line by; undefined for anything else. */
export function readOffset(reference: string, sessionKey: string): number | undefined {
  const rest = reference.startsWith(`${sessionKey}@`) ? reference.slice(sessionKey.length + 1) : "";
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

/** Ids of the entries of a session that were forgotten. */
export async function readForgotten(session: Session): Promise<Set<string>> {
  const { forgotten = [] } = session.metadata;
  const name = session.storedKey ?? session.key;
  const offsets = new Set(forgotten.flatMap((reference) => readOffset(reference, name) ?? []));
  const ids = new Set(forgotten.map((reference) => toEntryId(reference, name)));
  if (offsets.size === 0 || !session.isKept) return ids;
  let position = 0;
  await withFile(session.path, "r", (file) =>
    scanLines(file, { limit: longestLine }, ({ bytes, start }) => {
      if (parseLine(bytes?.toString("utf8") ?? "")?.type !== "message") return;
      if (offsets.has(start)) ids.add(toOrdinalId(position));
      position += 1;
    }),
  );
  return ids;
}
