// What file tools change is kept as it was before, turn by turn, so that a turn can be undone. What a command did is
// only written down: nobody can undo that. Bounded in size and age. Knows no tool.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { makeFolder, removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";

export interface SnapshotsOptions {
  folder: string;
  clock: Clock;
  log: Log;
}

interface Change {
  path: string;
  /** By its hash; null for a file that was not there; undefined for one that was too large to be kept. */
  before: string | null | undefined;
  after: string | null;
}

interface TurnRecord {
  turnId: string;
  at: number;
  changes: Change[];
  commands: string[];
  isUndone?: boolean;
}

export interface Undone {
  restored: string[];
  /** Changed by somebody since, too large to have been kept, or kept too long ago. */
  left: string[];
  /** What commands did is not undone. */
  commands: string[];
}

/** How a file is put back: undefined removes it. */
export type Restore = (path: string, bytes: Buffer | undefined) => Promise<void>;

const largestFile = 8 * 1024 * 1024;
const mostBytes = 200 * 1024 * 1024;
const mostCommands = 50;
const keptMs = 14 * 24 * 60 * 60 * 1000;
const pruneEveryMs = 60 * 60 * 1000;

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #lock = new KeyedLock();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** The bytes of a file before a change; undefined when there is none. */
  async take(path: string): Promise<Buffer | "too-large" | undefined> {
    const size = (await stat(path).catch(ignoreMissing))?.size;
    if (size === undefined) return undefined;
    return size > largestFile ? "too-large" : readFile(path).catch(ignoreMissing);
  }

  async recordChange(
    place: { sessionKey: string; turnId: string },
    path: string,
    taken: Buffer | "too-large" | undefined,
  ): Promise<void> {
    const current = await this.take(path);
    const after = current instanceof Buffer ? hashOf(current) : current === undefined ? null : "";
    const before = taken instanceof Buffer ? await this.#keep(taken) : taken === undefined ? null : undefined;
    if (before === after) return;
    await this.#update(place, (record) => {
      const known = record.changes.find((change) => change.path === path);
      // Several changes of one file in a turn are one: back to what it was when the turn began.
      if (known === undefined) record.changes.push({ path, before, after });
      else known.after = after;
    });
  }

  async recordCommand(place: { sessionKey: string; turnId: string }, command: string): Promise<void> {
    await this.#update(place, ({ commands }) => {
      if (commands.length < mostCommands) commands.push(command);
    });
  }

  /** The newest turn of a session that changed something and was not undone; undefined when there is none. */
  async undo(sessionKey: string, restore: Restore): Promise<Undone | undefined> {
    const bucket = this.#bucketOf(sessionKey);
    const records = await Promise.all(
      (await listNames(bucket)).map((name) => readRecord(join(bucket, name))),
    );
    const [newest] = records
      .filter((record) => record !== undefined && record.isUndone !== true && record.changes.length > 0)
      .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0));
    if (newest === undefined) return undefined;
    const undone: Undone = { restored: [], left: [], commands: newest.commands };
    for (const change of newest.changes) {
      const isRestored = await this.#restore(change, restore);
      (isRestored ? undone.restored : undone.left).push(change.path);
    }
    await this.#update({ sessionKey, turnId: newest.turnId }, (record) => {
      record.isUndone = true;
    });
    return undone;
  }

  async #restore({ path, before, after }: Change, restore: Restore): Promise<boolean> {
    const current = await this.take(path);
    const now = current instanceof Buffer ? hashOf(current) : current === undefined ? null : undefined;
    if (before === undefined || now !== after) return false;
    // Made and removed again within the turn, say.
    if (before === after) return true;
    const bytes = before === null ? undefined : await readFile(this.#blobOf(before)).catch(ignoreMissing);
    if (before !== null && bytes === undefined) return false;
    await restore(path, bytes);
    return true;
  }

  async #keep(bytes: Buffer): Promise<string> {
    const hash = hashOf(bytes);
    const path = this.#blobOf(hash);
    if ((await stat(path).catch(ignoreMissing)) === undefined) {
      await makeFolder(join(this.#options.folder, "blobs"), 0o700);
      await writeFileAtomic(path, bytes, { mode: 0o600, commits: false });
    }
    return hash;
  }

  #update(
    { sessionKey, turnId }: { sessionKey: string; turnId: string },
    change: (record: TurnRecord) => void,
  ): Promise<void> {
    const bucket = this.#bucketOf(sessionKey);
    const path = join(bucket, `${toName(turnId)}.json`);
    return this.#lock.run(path, async () => {
      const fresh = { turnId, at: this.#options.clock.now(), changes: [], commands: [] };
      const record = (await readRecord(path)) ?? fresh;
      change(record);
      await makeFolder(bucket, 0o700);
      await writeFileAtomic(path, JSON.stringify(record), { mode: 0o600, commits: false });
      await this.#pruneSoon();
    });
  }

  async #pruneSoon(): Promise<void> {
    const { clock, log, folder } = this.#options;
    if (clock.elapsed() - this.#prunedAt < pruneEveryMs) return;
    this.#prunedAt = clock.elapsed();
    await prune(folder, clock.now() - keptMs).catch((error) => log.warn("snapshots-not-pruned", { error }));
  }

  #bucketOf(sessionKey: string): string {
    return join(this.#options.folder, "turns", toName(sessionKey));
  }

  #blobOf(hash: string): string {
    return join(this.#options.folder, "blobs", hash);
  }
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function isTurnRecord(value: unknown): value is TurnRecord {
  if (!isRecord(value) || typeof value.turnId !== "string" || typeof value.at !== "number") return false;
  const { changes, commands } = value;
  const isChange = (change: unknown) => isRecord(change) && typeof change.path === "string";
  return Array.isArray(changes) && changes.every(isChange) && Array.isArray(commands);
}

async function readRecord(path: string): Promise<TurnRecord | undefined> {
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  // A damaged one counts as none: what it remembered cannot be undone any more.
  const value = parseJson(text ?? "null");
  return isTurnRecord(value) ? value : undefined;
}

/** What is too old goes first, then the oldest until the rest is small enough. */
async function prune(folder: string, before: number): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  const files: Array<{ path: string; size: number; at: number }> = [];
  for (const path of names) {
    const info = await stat(path).catch(ignoreMissing);
    if (info?.isFile()) files.push({ path, size: info.size, at: info.mtimeMs });
  }
  files.sort((a, b) => b.at - a.at);
  let total = 0;
  for (const { path, size, at } of files) {
    total += size;
    if (total > mostBytes || at < before) await removeFile(path);
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Short, and safe as a name whatever the key holds. */
function toName(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
