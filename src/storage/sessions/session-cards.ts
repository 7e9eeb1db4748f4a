// What lists show of conversations, fast with thousands of them: what a file says of itself is read from its two ends
// and remembered until the file changes.
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { toOneLine } from "../../lib/text.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { readRange, withFile } from "../files/with-file.ts";
import { ownerScope, type Scope } from "../scope.ts";
import { readEntry } from "./format/entry-facts.ts";
import { parseLine } from "./format/line.ts";
import type { StoredMessage } from "./format/message.ts";
import type { SessionMetadata } from "./metadata.ts";
import { fromConversationKey, fromStem, parseFileName, toConversationKey } from "./session-name.ts";
import { placeOf } from "./transcript.ts";
import { withoutVersions } from "./versions.ts";

export interface StoredCard {
  /** Names the conversation: its session key, with the time of its end where it is closed. */
  key: string;
  sessionKey: string;
  /** Whose it is; one that nobody has claimed is the owner's. */
  scope: Scope;
  /** By `/new`: its session key may belong to a newer conversation. */
  isClosed: boolean;
  /** What the user said first, in one short line. */
  preview: string;
  metadata: SessionMetadata;
  /** When something was said last. */
  spokenAt: number;
  /** When its file was changed last. */
  changedAt: number;
  bytes: number;
  path: string;
}

export interface ListOptions {
  archived?: boolean;
  versions?: boolean;
}

const atOnce = 64;
const firstTail = 16 * 1024;
const longestTail = 4 * 1024 * 1024;

export class SessionCards {
  readonly #folder: string;
  readonly #known = new Map<string, StoredCard>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The most recent first. `archived`: also those that were closed; `versions`: and versions of those that were not. */
  async list({ archived = false, versions = false }: ListOptions = {}): Promise<StoredCard[]> {
    const names = (await readdir(this.#folder)).filter((name) => {
      const parsed = parseFileName(name);
      return parsed !== undefined && (archived || !parsed.isArchived);
    });
    const cards: Array<StoredCard | undefined> = [];
    for (let start = 0; start < names.length; start += atOnce) {
      const some = names.slice(start, start + atOnce);
      cards.push(...(await Promise.all(some.map((name) => this.#look(join(this.#folder, name))))));
    }
    const known = cards.filter((card) => card !== undefined);
    return (versions ? known : withoutVersions(known)).sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Undefined while it has no file. */
  of(conversation: string): Promise<StoredCard | undefined> {
    return this.#look(join(this.#folder, fromConversationKey(conversation).name));
  }

  async #look(path: string): Promise<StoredCard | undefined> {
    const info = await stat(path).catch(ignoreMissing);
    if (info === undefined || !info.isFile()) {
      this.#known.delete(path);
      return undefined;
    }
    const known = this.#known.get(path);
    if (known?.bytes === info.size && known.changedAt === info.mtimeMs) return known;
    const card = await readCard(path, info, known).catch(toCode);
    if (typeof card === "object") this.#known.set(path, card);
    if (typeof card === "object") return card;
    // It has another name since, and is listed by that. One that cannot be read is listed; opening it says why.
    return card === "ENOENT" ? undefined : toCard(path, info);
  }
}

function toCard(path: string, { size, mtimeMs }: Stats, storedKey?: string): StoredCard {
  const name = basename(path);
  const { stem = "", isArchived = false } = parseFileName(name) ?? {};
  return {
    key: toConversationKey(name, storedKey),
    sessionKey: fromStem(stem) ?? storedKey ?? stem,
    scope: ownerScope,
    isClosed: isArchived,
    preview: "",
    metadata: {},
    spokenAt: mtimeMs,
    changedAt: mtimeMs,
    bytes: size,
    path,
  };
}

function toCode(error: NodeJS.ErrnoException): string {
  if (error.code === undefined) throw error;
  return error.code;
}

async function readCard(path: string, info: Stats, known?: StoredCard): Promise<StoredCard> {
  // A file that grew begins as it did.
  const hasGrown = known !== undefined && known.preview !== "" && info.size > known.bytes;
  const head = hasGrown ? { ...known, key: known.sessionKey } : await readHead(path);
  const { metadata, at = info.mtimeMs } = await readEnd(path, info.size);
  const { scope = head.scope ?? ownerScope } = metadata;
  return { ...toCard(path, info, head.key), preview: head.preview, metadata, scope, spokenAt: at };
}

/** The last metadata and the time of the last message: usually a few lines before the end. */
async function readEnd(path: string, size: number): Promise<{ metadata: SessionMetadata; at?: number }> {
  let metadata: SessionMetadata | undefined;
  let at: number | undefined;
  for (let length = firstTail; ; length *= 8) {
    const start = Math.max(0, size - length);
    const lines = (await readRange(path, start, size - start)).toString("utf8").split("\n");
    // The first one may be half a line.
    for (const text of lines.slice(start === 0 ? 0 : 1).reverse()) {
      const line = text === "" ? undefined : parseLine(text);
      if (line?.type === "metadata") metadata ??= line.metadata;
      if (line?.type === "message" && typeof line.fields.at === "number") at ??= line.fields.at;
      if (metadata !== undefined && at !== undefined) return { metadata, at };
    }
    if (start === 0 || length >= longestTail) return { metadata: metadata ?? {}, ...(at && { at }) };
  }
}

/** The beginning of a session file. */
export interface SessionHead {
  /** Whether anything in it looks like a session at all. */
  isSession: boolean;
  key: string | undefined;
  scope?: Scope | undefined;
  preview: string;
}

const mostRecords = 200;
const mostBytes = 1_000_000;
const longestPreview = 120;

export async function readHead(path: string): Promise<SessionHead> {
  const head: SessionHead = { isSession: false, key: undefined, preview: "" };
  let records = 0;
  const take = ({ bytes }: Line): boolean => {
    const line = bytes === undefined ? undefined : parseLine(bytes.toString("utf8"));
    if (line?.type === "metadata") {
      head.key ??= line.key;
      head.scope ??= line.metadata.scope;
    }
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
