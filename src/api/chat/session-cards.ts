// The list of conversations, fast with thousands of them: what a file says of itself is read from its two ends and
// remembered until the file changes.

import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSessionKey } from "../../bus/session-key.ts";
import { toOneLine } from "../../lib/text.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { readRange } from "../../storage/files/with-file.ts";
import { parseLine } from "../../storage/sessions/format/line.ts";
import type { SessionMetadata } from "../../storage/sessions/metadata.ts";
import { readHead } from "../../storage/sessions/session-list.ts";
import { fromStem, parseFileName, type SessionFileName } from "../../storage/sessions/session-name.ts";
import type { Viewer } from "../operation.ts";
import type { LiveConversations } from "./live.ts";
import { maySee, toAudience, toClosedKey, toNameOf } from "./session-access.ts";
import type { SessionCard } from "./wire.ts";

interface Facts {
  key: string;
  isClosed: boolean;
  preview: string;
  metadata: SessionMetadata;
  spokenAt: number;
}

interface Known extends Facts {
  size: number;
  mtimeMs: number;
}

const atOnce = 64;
const firstTail = 16 * 1024;
const longestTail = 4 * 1024 * 1024;
const longestTitle = 120;

export class SessionCards {
  readonly #folder: string;
  readonly #live: Pick<LiveConversations, "isRunning" | "isAsking" | "stateOf">;
  readonly #known = new Map<string, Known>();

  constructor(folder: string, live: Pick<LiveConversations, "isRunning" | "isAsking" | "stateOf">) {
    this.#folder = folder;
    this.#live = live;
  }

  /** Pinned ones first, then the most recent. */
  async list(viewer: Viewer, { archived = false } = {}): Promise<SessionCard[]> {
    const names = await readdir(this.#folder);
    const found: Facts[] = [];
    for (let start = 0; start < names.length; start += atOnce)
      found.push(
        ...(
          await Promise.all(names.slice(start, start + atOnce).map((name) => this.#look(name, archived)))
        ).flat(),
      );
    return found
      .filter(
        ({ key, metadata }) =>
          parseSessionKey(key).kind === "chat" && maySee(metadata.scope ?? "owner", viewer),
      )
      .map((facts) => this.#toCard(facts))
      .filter(({ isArchived }) => isArchived === archived)
      .sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt);
  }

  /** Also of one that has no file yet. */
  async of(sessionKey: string): Promise<SessionCard> {
    const [facts] = await this.#look(toNameOf(sessionKey).name, true);
    return this.#toCard(facts ?? this.#imagine(sessionKey));
  }

  async #look(name: string, archived: boolean): Promise<Facts[]> {
    const parsed = parseFileName(name);
    if (parsed === undefined || (parsed.isArchived && !archived)) return [];
    const path = join(this.#folder, name);
    const info = await stat(path).catch(ignoreMissing);
    if (info === undefined) this.#known.delete(path);
    if (info === undefined) return [];
    const { size, mtimeMs } = info;
    const known = this.#known.get(path);
    if (known?.size === size && known.mtimeMs === mtimeMs) return [known];
    // Another name since, which is listed for itself.
    const facts = await this.#read(path, parsed, info, known).catch(ignoreMissing);
    if (facts !== undefined) this.#known.set(path, { ...facts, size, mtimeMs });
    return facts === undefined ? [] : [facts];
  }

  async #read(path: string, name: SessionFileName, { size, mtimeMs }: Stats, known?: Known): Promise<Facts> {
    // A file that grew begins as it did.
    const hasGrown = known !== undefined && known.preview !== "" && size > known.size;
    const { key: storedKey, preview } = hasGrown ? known : await readHead(path);
    const stamp = basename(path).slice(name.stem.length + 1, -".jsonl".length);
    const own = fromStem(name.stem) ?? storedKey ?? name.stem;
    const key = name.isArchived ? toClosedKey(own, stamp) : own;
    const { metadata, at = mtimeMs } = await readEnd(path, size);
    return { key, isClosed: name.isArchived, preview, metadata, spokenAt: at };
  }

  #imagine(key: string): Facts {
    const [said] = this.#live.stateOf(key).said;
    return { key, isClosed: false, preview: said?.text ?? "", metadata: {}, spokenAt: said?.at ?? 0 };
  }

  #toCard({ key, isClosed, preview, metadata, spokenAt }: Facts): SessionCard {
    const { person: guest } = toAudience(metadata.scope ?? "owner");
    return {
      key,
      title: toOneLine(metadata.title || preview, longestTitle),
      updatedAt: spokenAt,
      isPinned: metadata.pinned === true,
      isArchived: isClosed || metadata.archived === true,
      isRunning: this.#live.isRunning(key),
      isAsking: this.#live.isAsking(key),
      isClosed,
      ...(guest !== undefined && { guest }),
    };
  }
}

/** The last metadata and the time of the last message: mostly a few lines before the end. */
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
