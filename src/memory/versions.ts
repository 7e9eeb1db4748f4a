// The versions of a person's memory files: what changed when, and the way back. In Git, outside of the workspace, so that
// a repository of the person's own is never touched. Whoever writes holds the home lock.
import { isUtf8 } from "node:buffer";
import type { Clock } from "../lib/clock.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { toOneLine, toPlainLine } from "../lib/text.ts";
import { type FileHashes, GitHistory, type Snapshot } from "./git-history.ts";
import { mergeLines } from "./merge-lines.ts";
import { readTracked, type TrackedContent, writeTracked } from "./tracked-file.ts";
import { VersionError, type VersionsProblem } from "./version-error.ts";

export type VersionKind = "start" | "dream" | "restore" | "forget";

export interface Version {
  /** Eight characters, enough for every command. */
  id: string;
  hash: string;
  kind: string;
  at: number;
  /** Made of the change itself: files with the number of lines added and removed. */
  summary: string;
  /** The first of the changed lines. */
  details: string;
}

export interface FileDiff {
  path: string;
  added: number;
  removed: number;
  /** Unified, without a header; "" for what is no text. */
  patch: string;
}

export interface VersionsOptions {
  gitFolder: string;
  workTree: string;
  clock: Clock;
  /** Told of a history that was set aside, or that cannot be written. Memory itself goes on. */
  onProblem?(problem: VersionsProblem): void;
}

interface ChangedFile {
  path: string;
  before: Buffer | "absent";
  after: Buffer | "absent";
}

/** Where Dream has read to: a version shows it, no restoring moves it back. */
const cursorFile = "memory/.dream_cursor";
const idLength = 8;
const mostVersions = 10_000;
const mostLinesTold = 12;
const longestLineTold = 160;
const lock = new KeyedLock();

export class Versions {
  readonly #options: VersionsOptions;
  readonly #history: GitHistory;

  constructor(options: VersionsOptions) {
    this.#options = options;
    this.#history = new GitHistory(options.gitFolder, options.clock);
  }

  /** Keeps the files as they stand now. Undefined when nothing has changed since, or when it cannot be kept. */
  async commit({ kind, paths }: { kind: VersionKind; paths: string[] }): Promise<Version | undefined> {
    try {
      return await this.#run(() => this.#keep(kind, paths));
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!/^E[A-Z]+$/.test(code)) throw error;
      this.#options.onProblem?.({ kind: "unwritable", folder: this.#options.gitFolder, code });
      return undefined;
    }
  }

  /** Newest first. */
  async log({ most = 50, kind }: { most?: number; kind?: string } = {}): Promise<Version[]> {
    const versions = (await this.#run(() => this.#history.list(mostVersions))).map(toVersion);
    return versions.filter((version) => kind === undefined || version.kind === kind).slice(0, most);
  }

  async diff(id: string): Promise<FileDiff[]> {
    return this.#run(async () => Promise.all((await this.#readChange(await this.#find(id))).map(toFileDiff)));
  }

  /** Undoes one change, and only that one: what came later stays, or nothing is done. */
  async restore(id: string): Promise<Version> {
    return this.#run(async () => {
      const snapshot = await this.#find(id);
      if (snapshot.parent === undefined) throw new VersionError({ kind: "first", id: toId(snapshot) });
      const changes = (await this.#readChange(snapshot)).filter(({ path }) => path !== cursorFile);
      const planned = new Map<string, Uint8Array | "absent">();
      for (const change of changes) {
        const wanted = await this.#planRestore(change, snapshot);
        if (wanted !== undefined) planned.set(change.path, wanted);
      }
      if (planned.size === 0) throw new VersionError({ kind: "nothing", id: toId(snapshot) });
      await this.#keep("start", [...planned.keys()]);
      for (const [path, content] of planned) await writeTracked(this.#options.workTree, path, content);
      const kept = await this.#keep("restore", [...planned.keys()], `Undoes ${toId(snapshot)}.`);
      if (kept === undefined) throw new VersionError({ kind: "nothing", id: toId(snapshot) });
      return kept;
    });
  }

  /** One at a time. A damaged history is set aside under another name and a new one begun. */
  #run<T>(work: () => Promise<T>): Promise<T> {
    return lock.run(this.#options.gitFolder, async () => {
      try {
        return await work();
      } catch (error) {
        if (!isDamage(error)) throw error;
        const keptAs = await this.#history.setAside();
        this.#options.onProblem?.({ kind: "damaged", folder: this.#options.gitFolder, keptAs });
        return work();
      }
    });
  }

  async #keep(kind: VersionKind, paths: string[], note = ""): Promise<Version | undefined> {
    const [last] = await this.#history.list(1);
    const before = await this.#history.readFiles(last?.hash);
    const after: FileHashes = new Map(before);
    const contents = new Map<string, TrackedContent>();
    for (const path of new Set(paths)) {
      const content = await readTracked(this.#options.workTree, path);
      contents.set(path, content);
      if (content === "absent") after.delete(path);
      if (typeof content === "string") continue;
      await this.#history.begin();
      after.set(path, await this.#history.writeContent(content));
    }
    const changed = await this.#compare(before, after);
    if (changed.length === 0) return undefined;
    return toVersion(await this.#history.write(after, await describe(kind, changed, note)));
  }

  async #find(id: string): Promise<Snapshot> {
    const wanted = id.trim().toLowerCase();
    const all = await this.#history.list(mostVersions);
    const found = /^[0-9a-f]{4,40}$/.test(wanted) ? all.filter(({ hash }) => hash.startsWith(wanted)) : [];
    const [first] = found;
    if (first === undefined) throw new VersionError({ kind: "unknown", id: toPlainLine(id, 40) });
    if (found.length > 1)
      throw new VersionError({
        kind: "ambiguous",
        id: wanted,
        matches: found.map(({ hash }) => hash.slice(0, 12)),
      });
    return first;
  }

  async #readChange({ hash, parent }: Snapshot): Promise<ChangedFile[]> {
    return this.#compare(await this.#history.readFiles(parent), await this.#history.readFiles(hash));
  }

  async #compare(before: FileHashes, after: FileHashes): Promise<ChangedFile[]> {
    const read = async (hash: string | undefined) =>
      hash === undefined ? ("absent" as const) : Buffer.from(await this.#history.readContent(hash));
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const changed = paths.filter((path) => before.get(path) !== after.get(path));
    return Promise.all(
      changed.map(async (path) => ({
        path,
        before: await read(before.get(path)),
        after: await read(after.get(path)),
      })),
    );
  }

  /** What a file has to become; undefined when it is that already. */
  async #planRestore(
    { path, before, after }: ChangedFile,
    snapshot: Snapshot,
  ): Promise<Uint8Array | "absent" | undefined> {
    const now = await readTracked(this.#options.workTree, path);
    if (isEqual(now, before)) return undefined;
    if (isEqual(now, after)) return before;
    const texts = [after, now, before].map(toText);
    const [base, ours, theirs] = texts;
    const merged =
      base === undefined || ours === undefined || theirs === undefined
        ? undefined
        : await mergeLines(base, ours, theirs);
    if (merged === undefined) throw await this.#describeConflict(path, snapshot);
    const wanted = Buffer.from(merged);
    return isEqual(now, wanted) ? undefined : wanted;
  }

  /** The newest version that changed the file since, if one did. */
  async #describeConflict(path: string, snapshot: Snapshot): Promise<VersionError> {
    const all = await this.#history.list(mostVersions);
    for (const later of all.slice(
      0,
      all.findIndex(({ hash }) => hash === snapshot.hash),
    )) {
      if ((await this.#readChange(later)).some((change) => change.path === path))
        return new VersionError({ kind: "conflict", id: toId(snapshot), path, later: toId(later) });
    }
    return new VersionError({ kind: "conflict", id: toId(snapshot), path });
  }
}

function toVersion({ hash, message, at }: Snapshot): Version {
  const [subject = "", ...rest] = message.split("\n");
  const [, kind = "", summary = subject] = /^(\w+): (.*)$/.exec(subject) ?? [];
  return { id: hash.slice(0, idLength), hash, kind, at, summary, details: rest.join("\n").trim() };
}

function toId({ hash }: Snapshot): string {
  return hash.slice(0, idLength);
}

async function describe(kind: VersionKind, changed: ChangedFile[], note: string): Promise<string> {
  const diffs = await Promise.all(changed.map(toFileDiff));
  const files = diffs.map(({ path, added, removed }) => `${toPlainLine(path, 80)} +${added} -${removed}`);
  const lines = diffs.flatMap(({ path, patch }) => {
    const changes = patch.split("\n").filter((line) => /^[+-]./.test(line));
    return [toPlainLine(path, 80), ...changes.map((line) => `  ${toPlainLine(line, longestLineTold)}`)];
  });
  const told = lines.slice(0, mostLinesTold);
  if (lines.length > told.length) told.push(`  ... ${lines.length - told.length} more`);
  return [`${kind}: ${toOneLine(files.join(", "), 200)}`, note, told.join("\n")]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

async function toFileDiff({ path, before, after }: ChangedFile): Promise<FileDiff> {
  const { structuredPatch } = await import("diff");
  const [old, fresh] = [toText(before) ?? "", toText(after) ?? ""];
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, {
    context: 1,
    maxEditLength: 5_000,
  });
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { path, added: count("+"), removed: count("-"), patch: lines.join("\n") };
}

function toText(content: TrackedContent): string | undefined {
  if (content === "absent" || content === "foreign") return undefined;
  return isUtf8(content) ? content.toString("utf8") : undefined;
}

function isEqual(a: TrackedContent, b: TrackedContent): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : a.equals(b);
}

/** What isomorphic-git throws about objects that are gone, torn or not what they should be. */
function isDamage(error: unknown): boolean {
  if (error instanceof VersionError) return false;
  const { code = "" } = error as NodeJS.ErrnoException;
  return !/^E[A-Z]+$/.test(code);
}
