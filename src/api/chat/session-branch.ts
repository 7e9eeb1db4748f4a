// The beginning of a conversation as a conversation of its own: for branches, and for taking back what was said. A session
// file is only ever appended to, so its lines before a message are exactly what it was before that message.
import { join } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import { writeFileAtomic } from "../../storage/files/atomic-file.ts";
import { type Line, scanLines } from "../../storage/files/scan-lines.ts";
import { withFile } from "../../storage/files/with-file.ts";
import { formatMetadata, type MetadataLine, parseLine } from "../../storage/sessions/format/line.ts";
import {
  type MetadataPatch,
  type SessionMetadata,
  toBranchMetadata,
  toRewoundMetadata,
} from "../../storage/sessions/metadata.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { toFileName, toStem } from "../../storage/sessions/session-name.ts";
import { toWholeText } from "./entry-view.ts";

const longestLine = 64 * 1024 * 1024;
/** Under another key; `before` is the id of the message that is not taken along, absent: all of it is. */
export async function branchSession(
  sessions: SessionManager,
  session: Session,
  { key, before }: { key: string; before?: string },
): Promise<string> {
  const cut = await findCut(session, before);
  await copyLines(session.path, join(sessions.folder, toFileName(toStem(key))), {
    key,
    from: session,
    most: cut.position,
    toMetadata: (old) => toBranchMetadata(old, session.metadata),
  });
  return cut.text;
}

/** The whole of it is kept under another name, as `/new` does. */
export async function rewindSession(
  sessions: SessionManager,
  session: Session,
  entryId: string,
): Promise<string> {
  const { key, metadata } = session;
  const cut = await findCut(session, entryId);
  const { path } = session;
  const closed = await sessions.close(key);
  if (closed !== undefined)
    await copyLines(closed, path, {
      key,
      from: session,
      most: cut.position,
      toMetadata: (old) => toRewoundMetadata(old, metadata),
    });
  return cut.text;
}

async function findCut(session: Session, before: string | undefined): Promise<Cut> {
  if (before === undefined) return { position: session.count, text: "" };
  const position = await session.locate(before);
  const [message] = position < 0 ? [] : await session.read(position, position + 1);
  // In the middle of a turn there is nothing that a model could go on from.
  if (message?.role !== "user" || message.turn !== message.id) throw fail("chat.not-a-beginning");
  return { position, text: toWholeText(message) };
}

interface Cut {
  /** Of the first message that is not taken along. */
  position: number;
  text: string;
}

interface Copy {
  key: string;
  from: Session;
  most: number;
  /** Of what it was at the end of what is copied. */
  toMetadata(old: SessionMetadata): MetadataPatch;
}

/** In one step, with its metadata first and last: from its first line on it says whose it is, and what counts is the end. */
async function copyLines(
  source: string,
  target: string,
  { key, from, most, toMetadata }: Copy,
): Promise<void> {
  const lines: string[] = [];
  const { forgotten } = from.metadata;
  let messages = 0;
  let last: MetadataLine | undefined;
  const take = ({ bytes, start }: Line): boolean => {
    const text = bytes?.toString("utf8") ?? "";
    const line = text === "" ? undefined : parseLine(text);
    if (line?.type === "message") messages += 1;
    if (messages > most) return false;
    // A message of the Python original has no id: it was forgotten by its position, which is another one in the copy.
    const reference = `${from.storedKey ?? from.key}@${start}`;
    const isForgotten = forgotten?.includes(reference) === true;
    if (line?.type === "metadata") last = line;
    else if (line?.type === "message" && isForgotten)
      lines.push(JSON.stringify({ ...line.fields, id: reference }));
    else if (line !== undefined) lines.push(text);
    return true;
  };
  await withFile(source, "r", (file) => scanLines(file, { limit: longestLine }, take));
  const {
    createdAt,
    updatedAt,
    lastConsolidated = 0,
    metadata: old = {},
  } = last ?? ({} as Partial<MetadataLine>);
  const fields = { key, createdAt, updatedAt, lastConsolidated, metadata: toMetadata(old) };
  const metadata = [...formatMetadata(fields).pieces()].join("");
  const whole: string[] = [metadata, ...lines, metadata];
  await writeFileAtomic(target, whole.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}
