// The beginning of a conversation as a conversation of its own: for branches, and for taking back what was said. A session
// file is only ever appended to, so its lines before a message are exactly what it was before that message.
import { fail } from "../../i18n/user-error.ts";
import { writeFileAtomic } from "../files/change-files.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";
import { readEntry } from "./format/entry-facts.ts";
import { formatMetadata, type MetadataLine, parseLine } from "./format/line.ts";
import type { MetadataPatch, SessionMetadata } from "./metadata.ts";
import { toOrdinalId } from "./reference.ts";
import type { Session } from "./session.ts";

const longestLine = 64 * 1024 * 1024;

/** Before this message, the beginning of a turn; all of it where none is named. */
export async function findCut(session: Session, before: string | undefined): Promise<Cut> {
  if (before === undefined) return { position: session.count, text: "" };
  const position = await session.locate(before);
  const [message] = position < 0 ? [] : await session.read(position, position + 1);
  // In the middle of a turn there is nothing that a model could go on from.
  if (message?.role !== "user" || message.turn !== message.id) throw fail("chat.not-a-beginning");
  return { position, text: readEntry(message).text };
}

export interface Cut {
  /** Of the first message that is not taken along. */
  position: number;
  text: string;
}

interface Copy {
  key: string;
  from: Session;
  most: number;
  /** Messages that the person wanted to be forgotten, here or in what it is a version of. */
  forgotten: readonly string[];
  /** Of what it was at the end of what is copied. */
  toMetadata(old: SessionMetadata): MetadataPatch;
}

/** In one step, with its metadata first and last: from its first line on it says whose it is, and what counts is the end. */
export async function copyBeginning(
  source: string,
  target: string,
  { key, from, most, forgotten: known, toMetadata }: Copy,
): Promise<void> {
  const lines: string[] = [];
  const forgotten = [...known];
  let messages = 0;
  let last: MetadataLine | undefined;
  const take = ({ bytes, start }: Line): boolean => {
    const text = bytes?.toString("utf8") ?? "";
    const line = text === "" ? undefined : parseLine(text);
    if (line?.type === "message") messages += 1;
    if (messages > most) return false;
    // The offset by which 0.1.0 forgot it is another one in the copy; its ordinal is the same.
    const old = forgotten.indexOf(`${from.storedKey ?? from.key}@${start}`);
    if (line?.type === "message" && old >= 0) forgotten[old] = toOrdinalId(messages - 1);
    if (line?.type === "metadata") last = line;
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
  if (forgotten.length > 0) fields.metadata.forgotten = forgotten;
  const metadata = [...formatMetadata(fields).pieces()].join("");
  const whole: string[] = [metadata, ...lines, metadata];
  await writeFileAtomic(target, whole.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}
