// What file tools and commands change is kept as it was before, turn by turn, so that a turn can be undone. What else a
// command did is only written down. Bounded in size, number and age; what is beyond is named. Knows no tool.
import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import { makeFolder, removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { ownerScope, type Scope } from "../scope.ts";
import { announceChange } from "../served-homes.ts";
import type { Changes, FileChange } from "./command-changes.ts";
import { createPause, identityOf, lookAtFile } from "./tree-scan.ts";
import { type Change, type JobChange, readRecord, type TurnRecord, writeRecord } from "./undo-record.ts";

export interface UndoLogOptions {
  folder: string;
  clock: Clock;
  log: Log;
}

/** A turn of a conversation, and whose. */
export interface TurnPlace {
  scope: Scope;
  sessionKey: string;
  turnId: string;
}

/** A file before a change. */
export interface Taken {
  /** Undefined when there is none. */
  content: Buffer | "too-large" | undefined;
  /** Those on the way to it that are not there. */
  missingFolders: string[];
}

export interface Undone {
  turnId: string;
  /** It changed the schedule, which is taken back by `undoJobs`. */
  hasJobs: boolean;
  /** In the order of the turn. */
  restored: string[];
  /** Changed since, too large to have been kept, or kept too long ago. */
  left: string[];
  /** Changed by commands, and too large or too many to have been kept: the first of them. */
  lost: string[];
  lostCount: number;
  /** Commands ran where there are more files than are looked at. */
  isPartial: boolean;
  /** What commands did elsewhere is not undone. */
  commands: string[];
}

/** How a file is put back. */
export interface Restore {
  write(path: string, bytes: Buffer, mode?: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Unless something is in it. */
  removeFolder(path: string): Promise<void>;
  /** Where nothing is. */
  move(path: string, to: string): Promise<void>;
}

const largestFile = 8 * 1024 * 1024;
const mostBytes = 200 * 1024 * 1024;
const mostCommands = 50;
const mostChanges = 4_000;
const mostNamed = 20;
/** Of what one command made or changed: so much is read to know it again. */
const mostRead = 64 * 1024 * 1024;
const keptMs = 14 * 24 * 60 * 60 * 1000;
const pruneEveryMs = 60 * 60 * 1000;

export class UndoLog {
  readonly #options: UndoLogOptions;
  readonly #lock = new KeyedLock();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: UndoLogOptions) {
    this.#options = options;
  }

  async take(path: string): Promise<Taken> {
    return { content: await readContent(path), missingFolders: findMissingFolders(path) };
  }

  async recordChange(place: TurnPlace, path: string, { content, missingFolders }: Taken): Promise<void> {
    const current = await readContent(path);
    const after = current instanceof Buffer ? hashOf(current) : current === undefined ? null : "";
    const before =
      content instanceof Buffer ? await this.#keep(content) : content === undefined ? null : undefined;
    if (before === after) return;
    await this.#update(place, (record) => addChanges(record, [{ path, before, after }], missingFolders));
  }

  /** What a command did. */
  async recordChanges(
    place: TurnPlace,
    { root, list, newFolders, isPartial, isShared }: Changes,
  ): Promise<void> {
    if (list.length === 0 && newFolders.length === 0) return;
    const pause = createPause();
    const known: Change[] = [];
    const lost: string[] = [];
    let readable = mostRead;
    for (const change of list) {
      const path = join(root, change.path);
      const entry =
        known.length < mostChanges && !isShared ? await this.#toEntry(change, root, readable) : undefined;
      if (entry === undefined) lost.push(path);
      else known.push(entry.change);
      readable -= entry?.read ?? 0;
      await pause();
    }
    await this.#update(place, (record) => {
      const folders = isShared ? [] : newFolders.map((folder) => join(root, folder));
      addChanges(record, known, folders);
      lost.push(...record.changes.splice(mostChanges).map(({ path }) => path));
      if (isPartial) record.isPartial = true;
      if (lost.length === 0) return;
      const { paths = [], count = 0 } = record.lost ?? {};
      record.lost = { paths: [...paths, ...lost].slice(0, mostNamed), count: count + lost.length };
    });
  }

  /** Undefined for what cannot be put back. */
  async #toEntry(
    { kind, path: name, from, mode, isFile, readBefore }: FileChange,
    root: string,
    readable: number,
  ): Promise<{ change: Change; read: number } | undefined> {
    if (!isFile) return undefined;
    const path = join(root, name);
    const { id: after, read } = kind === "removed" ? { id: null, read: 0 } : await identify(path, readable);
    if (kind === "created") return { change: { path, before: null, after }, read };
    if (kind === "renamed")
      return { change: { path, before: null, after, from: join(root, from ?? "") }, read };
    const bytes = await readBefore?.();
    if (bytes === undefined) return undefined;
    return { change: { path, before: await this.#keep(bytes), after, mode }, read };
  }

  async recordCommand(place: TurnPlace, command: string): Promise<void> {
    await this.#update(place, ({ commands }) => {
      if (commands.length < mostCommands) commands.push(command);
    });
  }

  async recordJob(place: TurnPlace, change: JobChange): Promise<void> {
    await this.#update(place, (record) => {
      const { jobs = [] } = record;
      const earlier = jobs.find(({ id }) => id === change.id);
      const others = jobs.filter((job) => job !== earlier);
      const merged = { ...change, before: earlier === undefined ? change.before : earlier.before };
      // Made and removed again within the turn is nothing.
      const isNothing = merged.before === null && merged.after === null;
      record.jobs = isNothing ? others : [...others, merged].slice(0, mostCommands);
    });
  }

  /** Backwards; those that `restore` says no to stay as they are. Undefined: nothing is left to take back. */
  async undoJobs(
    place: TurnPlace,
    restore: (change: JobChange) => Promise<boolean>,
  ): Promise<JobChange[] | undefined> {
    const { jobs = [], areJobsUndone } = (await this.find(place)) ?? {};
    if (jobs.length === 0 || areJobsUndone === true) return undefined;
    const restored: JobChange[] = [];
    for (const change of jobs.toReversed()) if (await restore(change)) restored.push(change);
    await this.#update(place, (record) => {
      record.areJobsUndone = true;
    });
    return restored;
  }

  /** What a turn did, as far as that is kept. */
  find({ turnId, ...conversation }: TurnPlace): Promise<TurnRecord | undefined> {
    return readRecord(join(this.#bucketOf(conversation), `${toName(turnId)}.json`), this.#home);
  }

  /** A file as it was before a turn; empty when there was none, undefined when that is not known. */
  async readBefore(place: TurnPlace, path: string): Promise<Buffer | undefined> {
    const change = (await this.find(place))?.changes.find((each) => each.path === path);
    if (change?.before === null) return Buffer.alloc(0);
    return change?.before === undefined
      ? undefined
      : readFile(this.#blobOf(change.before)).catch(ignoreMissing);
  }

  /** That turn, or the newest of the session that changed something and was not undone; undefined when there is none. */
  async undo(
    { turnId, ...conversation }: Omit<TurnPlace, "turnId"> & { turnId?: string },
    restore: Restore,
  ): Promise<Undone | undefined> {
    const bucket = this.#bucketOf(conversation);
    const records = await Promise.all(
      (await listNames(bucket)).map((name) => readRecord(join(bucket, name), this.#home)),
    );
    const [newest] = records
      .filter((record) => record !== undefined && record.isUndone !== true && hasChanges(record))
      .filter((record) => turnId === undefined || record?.turnId === turnId)
      .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0));
    if (newest === undefined) return undefined;
    const { changes, folders = [], commands, lost, isPartial = false } = newest;
    const restored = await this.#restoreAll(changes, folders, restore);
    const undone: Undone = {
      turnId: newest.turnId,
      hasJobs: (newest.jobs?.length ?? 0) > 0,
      restored: changes.filter((change) => restored.has(change)).map(({ path }) => path),
      left: changes.filter((change) => !restored.has(change)).map(({ path }) => path),
      lost: lost?.paths ?? [],
      lostCount: lost?.count ?? 0,
      isPartial,
      commands,
    };
    await this.#update({ ...conversation, turnId: newest.turnId }, (record) => {
      record.isUndone = true;
    });
    return undone;
  }

  /** Backwards, and what took the place of a file or folder goes before that comes back. */
  async #restoreAll(
    changes: readonly Change[],
    folders: readonly string[],
    restore: Restore,
  ): Promise<Set<Change>> {
    const restored = new Set<Change>();
    const restoreThose = async (isMeant: (change: Change) => boolean) => {
      for (const change of changes.filter(isMeant).toReversed())
        if (await this.#restore(change, restore)) restored.add(change);
    };
    await restoreThose(({ before, from }) => before === null && from === undefined);
    await restoreThose(({ from }) => from !== undefined);
    // The deepest first.
    for (const folder of folders.toSorted().reverse()) await restore.removeFolder(folder);
    await restoreThose(({ before, from }) => before !== null && from === undefined);
    return restored;
  }

  async #restore({ path, before, after, from, mode }: Change, restore: Restore): Promise<boolean> {
    const isSame = after?.startsWith("look:")
      ? toLookId(path) === after
      : (await identifyWhole(path)) === after;
    if (before === undefined || !isSame) return false;
    // Made and removed again within the turn, say.
    if (before === after && from === undefined) return true;
    if (from !== undefined) {
      if (lookAtFile(from) !== undefined) return false;
      await restore.move(path, from);
    } else if (before === null) await restore.remove(path);
    else {
      const bytes = await readFile(this.#blobOf(before)).catch(ignoreMissing);
      if (bytes === undefined || hashOf(bytes) !== before) return false;
      await restore.write(path, bytes, mode);
    }
    return true;
  }

  /** Not synced: after a power cut a copy may be torn, which its hash tells. */
  async #keep(bytes: Buffer): Promise<string> {
    const hash = hashOf(bytes);
    const path = this.#blobOf(hash);
    const kept = await readFile(path).catch(ignoreMissing);
    if (kept !== undefined && hashOf(kept) === hash) return hash;
    await makeFolder(join(this.#options.folder, "blobs"));
    await writeFile(path, bytes, { mode: 0o600 });
    announceChange(path);
    return hash;
  }

  #update({ turnId, ...conversation }: TurnPlace, change: (record: TurnRecord) => void): Promise<void> {
    const bucket = this.#bucketOf(conversation);
    const path = join(bucket, `${toName(turnId)}.json`);
    return this.#lock.run(path, async () => {
      const fresh = { turnId, at: this.#options.clock.now(), changes: [], commands: [] };
      const record = (await readRecord(path, this.#home)) ?? fresh;
      change(record);
      await writeRecord(path, record, this.#home);
      await this.#pruneSoon();
    });
  }

  async #pruneSoon(): Promise<void> {
    const { clock, log, folder } = this.#options;
    if (clock.elapsed() - this.#prunedAt < pruneEveryMs) return;
    this.#prunedAt = clock.elapsed();
    await prune(folder, clock.now() - keptMs).catch((error) => log.warn("undo-not-pruned", { error }));
  }

  get #home(): string {
    return dirname(this.#options.folder);
  }

  /** Of one scope: another person may use the same session key later. */
  #bucketOf({ scope, sessionKey }: Omit<TurnPlace, "turnId">): string {
    const key = scope === ownerScope ? sessionKey : `${sessionKey}:${scope}`;
    return join(this.#options.folder, "turns", toName(key));
  }

  #blobOf(hash: string): string {
    return join(this.#options.folder, "blobs", hash);
  }
}

/** Several changes of one file in a turn are one: back to what it was when the turn began. */
function addChanges(record: TurnRecord, changes: readonly Change[], folders: readonly string[]): void {
  if (folders.length > 0)
    record.folders = [...new Set([...(record.folders ?? []), ...folders])].slice(0, mostChanges);
  const known = new Map(record.changes.map((change) => [change.path, change]));
  for (const change of changes) {
    const earlier = known.get(change.path);
    const source = change.from === undefined ? undefined : known.get(change.from);
    if (source !== undefined) {
      // What was changed before it was renamed comes back under its old name.
      if (source.before === null && source.from === undefined) known.delete(source.path);
      else source.after = null;
      known.set(change.path, { path: change.path, before: null, after: change.after });
    } else if (earlier === undefined) known.set(change.path, change);
    // Another file was moved to where one was: put back, the one would replace the other.
    else if (change.from !== undefined) earlier.after = "";
    else if (earlier.from === undefined) earlier.after = change.after;
    else {
      // What was renamed before it was changed, too.
      known.set(earlier.from, { ...change, path: earlier.from, after: null });
      known.set(earlier.path, { path: earlier.path, before: null, after: change.after });
    }
  }
  record.changes = [...known.values()];
}

async function readContent(path: string): Promise<Taken["content"]> {
  const size = (await stat(path).catch(ignoreMissing))?.size;
  if (size === undefined) return undefined;
  return size > largestFile ? "too-large" : readFile(path).catch(ignoreMissing);
}

function findMissingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); lookAtFile(folder) === undefined; folder = dirname(folder))
    missing.push(folder);
  return missing;
}

function hasChanges({ changes, lost, jobs = [] }: TurnRecord): boolean {
  return changes.length + jobs.length > 0 || lost !== undefined;
}

/** A large file is known by its look, others by what is in them. */
async function identify(path: string, readable: number): Promise<{ id: string | null; read: number }> {
  const look = lookAtFile(path);
  if (look === undefined) return { id: null, read: 0 };
  if (look.size > Math.min(largestFile, readable)) return { id: toLookId(path), read: 0 };
  return { id: (await identifyWhole(path)) ?? toLookId(path), read: look.size };
}

/** Undefined for what is too large, or no plain file. */
async function identifyWhole(path: string): Promise<string | null | undefined> {
  const look = lookAtFile(path);
  if (look === undefined) return null;
  if (!look.isFile || look.size > largestFile) return undefined;
  return hashOf(await readFile(path));
}

function toLookId(path: string): string | null {
  const look = lookAtFile(path);
  return look === undefined ? null : `look:${identityOf(look)}`;
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
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
