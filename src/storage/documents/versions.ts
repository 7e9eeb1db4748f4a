// The versions of a person's memory files: what changed when, and the way back. In Git, outside of the workspace, so that
// a repository of the person's own is never touched. The caller holds the home lock when it writes.
import { isUtf8 } from "node:buffer";
import { fail, type UserError } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { toOneLine, toPlainLine } from "../../lib/text.ts";
import { type FileHashes, GitHistory, isDamage, type Snapshot } from "./git-history.ts";
import { readTracked, type TrackedContent, writeTracked } from "./tracked-file.ts";

export type VersionKind = "start" | "dream" | "edit" | "restore" | "forget";

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
  /** Unified, without a header; "" if it is not text. */
  patch: string;
}

export interface VersionsOptions {
  gitFolder: string;
  workTree: string;
  clock: Clock;
  /** Called once for each kind. Memory itself works on without versions. */
  onProblem?(problem: VersionsProblem): void;
}

export type VersionsProblem =
  | { kind: "damaged"; folder: string; keptAs: string }
  | { kind: "unwritable"; folder: string; code: string };

interface ChangedFile {
  path: string;
  before: TrackedContent;
  after: TrackedContent;
}

/** Where Dream has read to: a version shows it, no restoring moves it back. */
export const cursorFile = "memory/.dream_cursor";
const idLength = 8;
const mostVersions = 10_000;
const mostLinesShown = 12;
const diffOptions = { context: 1, maxEditLength: 5_000 };
const lock = new KeyedLock();

export class Versions {
  readonly #options: VersionsOptions;
  readonly #history: GitHistory;
  readonly #reported = new Set<string>();

  constructor(options: VersionsOptions) {
    this.#options = options;
    this.#history = new GitHistory(options.gitFolder, options.clock);
  }

  /** Keeps the files as they are now. Undefined when nothing has changed since, or when it cannot be kept. */
  async commit({ kind, paths }: { kind: VersionKind; paths: string[] }): Promise<Version | undefined> {
    try {
      return await this.#run(async () => {
        await this.#finish();
        return await this.#keep(kind, paths);
      });
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!/^E[A-Z]+$/.test(code)) throw error;
      this.#tell({ kind: "unwritable", folder: this.#options.gitFolder, code });
      return undefined;
    }
  }

  /** Newest first. */
  async log({ most = 50, kind }: { most?: number; kind?: string } = {}): Promise<Version[]> {
    const depth = kind === undefined ? most : mostVersions;
    const versions = (await this.#run(() => this.#history.list(depth))).map(toVersion);
    return versions.filter((version) => kind === undefined || version.kind === kind).slice(0, most);
  }

  /** By the beginning of its id. */
  async find(id: string): Promise<Version> {
    return toVersion(await this.#run(() => this.#find(id)));
  }

  diff(id: string): Promise<FileDiff[]> {
    return this.#run(async () => Promise.all((await this.#readChange(await this.#find(id))).map(toDiff)));
  }

  /** Undoes one change, and only that one: what came later stays, or nothing is done. */
  restore(given: string): Promise<Version> {
    return this.#run(async () => {
      const finished = await this.#finish();
      const snapshot = await this.#find(given);
      const { id, kind } = toVersion(snapshot);
      if (finished !== undefined && undoes(finished, snapshot)) return toVersion(finished);
      if (snapshot.parent === undefined && kind === "start") throw fail("memory.version-first", { id });
      const planned = new Map<string, TrackedContent>();
      for (const change of await this.#readChange(snapshot)) {
        const wanted = await this.#planRestore(change, snapshot);
        if (wanted !== undefined) planned.set(change.path, wanted);
      }
      // What is not yet kept of these files is kept first, so that the restoring can be undone, too.
      await this.#keep("start", [...planned.keys()]);
      const staged = await this.#stage("restore", planned, toNote(snapshot));
      if (staged === undefined) throw fail("memory.nothing-to-undo", { id });
      await this.#finish();
      return toVersion(staged);
    });
  }

  /** Makes true what was staged, now or before a crash. What was changed in between stays as it is. */
  async #finish(): Promise<Snapshot | undefined> {
    const staged = await this.#history.readStaged();
    if (staged === undefined) return undefined;
    const { workTree } = this.#options;
    // Of other kinds the files themselves came first.
    const planned = toVersion(staged).kind === "restore" ? await this.#readChange(staged) : [];
    for (const { path, before, after } of planned) {
      if (isEqual(await readTracked(workTree, path), before)) await writeTracked(workTree, path, after);
    }
    await this.#history.publish(staged);
    return staged;
  }

  /** One at a time. A damaged history is set aside under another name and a new one begun. */
  #run<T>(work: () => Promise<T>): Promise<T> {
    const { gitFolder } = this.#options;
    return lock.run(gitFolder, async () => {
      try {
        return await work();
      } catch (error) {
        if (!isDamage(error)) throw error;
        const keptAs = await this.#history.setAside();
        this.#tell({ kind: "damaged", folder: gitFolder, keptAs });
        return work();
      }
    });
  }

  #tell(problem: VersionsProblem): void {
    if (!this.#reported.has(problem.kind)) this.#options.onProblem?.(problem);
    this.#reported.add(problem.kind);
  }

  async #keep(kind: VersionKind, paths: string[]): Promise<Version | undefined> {
    const contents = new Map<string, TrackedContent>();
    for (const path of paths) contents.set(path, await readTracked(this.#options.workTree, path));
    const staged = await this.#stage(kind, contents);
    if (staged !== undefined) await this.#history.publish(staged);
    return staged && toVersion(staged);
  }

  async #stage(kind: VersionKind, contents: Map<string, TrackedContent>, note = "") {
    const [last] = await this.#history.list(1);
    const before = await this.#history.readFiles(last?.hash);
    const after: FileHashes = new Map(before);
    for (const [path, content] of contents) {
      if (content === "absent") after.delete(path);
      if (typeof content === "string") continue;
      if (last === undefined) await this.#history.begin();
      after.set(path, await this.#history.writeContent(content));
    }
    const changed = await this.#compare(before, after);
    if (changed.length === 0) return undefined;
    return this.#history.stage(after, await describe(kind, changed, note));
  }

  async #find(id: string): Promise<Snapshot> {
    const wanted = id.trim().toLowerCase();
    const all = await this.#history.list(mostVersions);
    const matching = /^[0-9a-f]{1,40}$/.test(wanted) ? all.filter(({ hash }) => hash.startsWith(wanted)) : [];
    const [first] = matching;
    if (first === undefined) throw fail("memory.version-unknown", { id: toPlainLine(id, 40) });
    const matches = matching.map(({ hash }) => hash.slice(0, idLength + 4));
    if (matching.length > 1) throw fail("memory.version-ambiguous", { id: wanted, matches });
    return first;
  }

  async #readChange({ hash, parent }: Snapshot): Promise<ChangedFile[]> {
    return this.#compare(await this.#history.readFiles(parent), await this.#history.readFiles(hash));
  }

  #compare(before: FileHashes, after: FileHashes): Promise<ChangedFile[]> {
    const read = (hash: string | undefined) =>
      hash === undefined ? ("absent" as const) : this.#history.readContent(hash);
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const changed = paths.filter((path) => before.get(path) !== after.get(path));
    return Promise.all(
      changed.map(async (path) => {
        return { path, before: await read(before.get(path)), after: await read(after.get(path)) };
      }),
    );
  }

  /** What a file has to become; undefined when it stays as it is. */
  async #planRestore(change: ChangedFile, snapshot: Snapshot): Promise<TrackedContent | undefined> {
    const { path, before, after } = change;
    const now = await readTracked(this.#options.workTree, path);
    if (path === cursorFile || isEqual(now, before)) return undefined;
    if (isEqual(now, after)) return before;
    const [base, ours, theirs] = [toText(after), toText(now), toText(before)];
    const isText = base !== undefined && ours !== undefined && theirs !== undefined;
    const merged = isText ? await mergeLines(base, ours, theirs) : undefined;
    if (merged === undefined) throw await this.#toConflict(path, snapshot);
    return Buffer.from(merged);
  }

  /** Names the newest version that changed the file since, if one did. */
  async #toConflict(path: string, snapshot: Snapshot): Promise<UserError> {
    const { id } = toVersion(snapshot);
    for (const later of await this.#history.list(mostVersions)) {
      if (later.hash === snapshot.hash) break;
      if (undoes(later, snapshot)) return fail("memory.nothing-to-undo", { id });
      const isSameFile = (await this.#readChange(later)).some((change) => change.path === path);
      if (isSameFile) return fail("memory.version-conflict", { id, path, later: toVersion(later).id });
    }
    return fail("memory.version-edited", { id, path });
  }
}

/** In the message of a version that restores. */
function toNote(undone: Snapshot): string {
  return `Undoes ${toVersion(undone).id}.`;
}

function undoes({ message }: Snapshot, undone: Snapshot): boolean {
  return message.split("\n").includes(toNote(undone));
}

function toVersion({ hash, message, at }: Snapshot): Version {
  const [subject = "", ...rest] = message.split("\n");
  const [, kind = "", summary = subject] = /^(\w+): (.*)$/.exec(subject) ?? [];
  return { id: hash.slice(0, idLength), hash, kind, at, summary, details: rest.join("\n").trim() };
}

async function describe(kind: VersionKind, changed: ChangedFile[], note: string): Promise<string> {
  const diffs = await Promise.all(changed.map(toDiff));
  const files = diffs.map(({ path, added, removed }) => `${toPlainLine(path, 80)} +${added} -${removed}`);
  const lines = diffs.flatMap(({ path, patch }) => {
    const changes = patch.split("\n").filter((line) => /^[+-]./.test(line));
    return [toPlainLine(path, 80), ...changes.map((line) => `  ${toPlainLine(line, 160)}`)];
  });
  const more = lines.length > mostLinesShown ? [`  ... ${lines.length - mostLinesShown} more`] : [];
  const shown = [...lines.slice(0, mostLinesShown), ...more].join("\n");
  return [`${kind}: ${toOneLine(files.join(", "), 200)}`, note, shown].filter(Boolean).join("\n\n");
}

async function toDiff({ path, before, after }: ChangedFile): Promise<FileDiff> {
  const { structuredPatch } = await import("diff");
  const [old, fresh] = [toText(before) ?? "", toText(after) ?? ""];
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, diffOptions);
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { path, added: count("+"), removed: count("-"), patch: lines.join("\n") };
}

function toText(content: TrackedContent): string | undefined {
  return typeof content !== "string" && isUtf8(content) ? content.toString("utf8") : undefined;
}

function isEqual(a: TrackedContent, b: TrackedContent): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : a.equals(b);
}

interface Change {
  /** Lines of the base that it replaces: from `from`, up to but without `to`. */
  from: number;
  to: number;
  lines: string[];
}

/** Merges two changes of one text by lines. Undefined when the changes contradict one another, or are too many to compare. */
async function mergeLines(base: string, one: string, other: string): Promise<string | undefined> {
  const [ours, theirs] = [await findChanges(base, one), await findChanges(base, other)];
  if (ours === undefined || theirs === undefined) return undefined;
  const further = theirs.filter((change) => !ours.some((known) => isSame(known, change)));
  if (ours.some((a) => further.some((b) => contradict(a, b)))) return undefined;
  const lines = base.split("\n");
  // From the end, so that the places of the others stay true; what was put in somewhere is before what replaced it.
  for (const { from, to, lines: put } of [...ours, ...further].sort((a, b) => b.from - a.from || b.to - a.to))
    lines.splice(from, to - from, ...put);
  return lines.join("\n");
}

async function findChanges(base: string, text: string): Promise<Change[] | undefined> {
  const { diffArrays } = await import("diff");
  const parts = diffArrays(base.split("\n"), text.split("\n"), { maxEditLength: 5_000 });
  if (parts === undefined) return undefined;
  const changes: Change[] = [];
  let at = 0;
  let isOpen = false;
  for (const { added, removed, value } of parts) {
    const isChange = added || removed;
    if (isChange && !isOpen) changes.push({ from: at, to: at, lines: [] });
    isOpen = isChange;
    if (!added) at += value.length;
    const last = changes.at(-1);
    if (!isChange || last === undefined) continue;
    last.to = at;
    if (added) last.lines.push(...value);
  }
  return changes;
}

function isSame(a: Change, b: Change): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join("\n") === b.lines.join("\n");
}

/** Side by side is no contradiction, but two insertions at one place have no order. */
function contradict(a: Change, b: Change): boolean {
  if (a.from === a.to && b.from === b.to) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
}
