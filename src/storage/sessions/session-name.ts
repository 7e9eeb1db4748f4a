// How a session's key becomes the name of its file and back. Reversible, because names in which characters are merely
// replaced let two keys share a file.
import { createHash } from "node:crypto";
import { toLocalIso } from "../../lib/clock.ts";

/** Room is left for the suffixes of kept files, and for the temporary names that other writers put around it. */
const longestStem = 200;
const extension = ".jsonl";

/** The name without its ending. A key that is too long for a file system is hashed; the metadata holds it. */
export function toStem(key: string): string {
  const encoded = Buffer.from(key, "utf8").toString("base64url");
  return encoded.length <= longestStem ? encoded : toHashedStem(key);
}

/** A name that no encoded key can have, and that does not depend on case. */
export function toHashedStem(key: string): string {
  return `sha256.${createHash("sha256").update(key).digest("hex")}`;
}

/** Undefined for a hashed name and for whatever is no encoded key. */
export function fromStem(stem: string): string | undefined {
  const key = Buffer.from(stem, "base64url").toString("utf8");
  return key !== "" && Buffer.from(key, "utf8").toString("base64url") === stem ? key : undefined;
}

export function toFileName(stem: string): string {
  return stem + extension;
}

/** The name of a file that was closed: `<stem>.20260801T100000000.jsonl`, numbered when that is taken. */
export function toArchiveName(stem: string, at: number, number: number): string {
  const time = toLocalIso(at).replaceAll(/[-:.]/g, "");
  return toFileName(`${stem}.${time}${number > 1 ? `-${number}` : ""}`);
}

const pattern = /^(sha256\.[0-9a-f]{64}|[A-Za-z0-9_-]+)(\.\d{8}T\d{9}(?:-\d+)?)?\.jsonl$/;

export interface SessionFileName {
  stem: string;
  isArchived: boolean;
}

/** Undefined for files that are no session of ours. */
export function parseFileName(name: string): SessionFileName | undefined {
  const match = pattern.exec(name);
  const stem = match?.[1];
  if (stem === undefined) return undefined;
  if (!stem.startsWith("sha256.") && fromStem(stem) === undefined) return undefined;
  return { stem, isArchived: match?.[2] !== undefined };
}

/** Names a conversation: its session key, and where `/new` closed it the time of that, as its key may be another's now. */
function toClosedKey(key: string, stamp: string): string {
  return `${key}@${stamp}`;
}

/** The file that such a name means. */
export function fromConversationKey(conversation: string): { key: string; name: string; isClosed: boolean } {
  const [, key = conversation, stamp] = /^(.+)@(\d{8}T\d{9}(?:-\d+)?)$/s.exec(conversation) ?? [];
  const isClosed = stamp !== undefined;
  return { key, name: toFileName(isClosed ? `${toStem(key)}.${stamp}` : toStem(key)), isClosed };
}

/** The way back. `storedKey` is for a hashed name. */
export function toConversationKey(name: string, storedKey?: string): string {
  const { stem = "", isArchived = false } = parseFileName(name) ?? {};
  const key = fromStem(stem) ?? storedKey ?? stem;
  return isArchived ? toClosedKey(key, name.slice(stem.length + 1, -extension.length)) : key;
}
