// The memory of a workspace, and of each person or group in it: files, their versions, the source of a line, and what
// would be forgotten. Callers hold the home lock when they restore, forget or save.
import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { toDay } from "../../context/runtime-context.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { compareLines, diffLines } from "../../lib/formats/line-diff.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import type { Embeddings } from "../../recall/embeddings.ts";
import type { Explanation } from "../../recall/explain-fact.ts";
import type { Forgettable } from "../../recall/forget.ts";
import { Recall, type SearchResult } from "../../recall/recall.ts";
import {
  Documents,
  type DocumentsOptions,
  isNote,
  type MemoryStore,
  mainMemoryFile,
} from "../../storage/documents/memory-store.ts";
import type { FileDiff, Version } from "../../storage/documents/versions.ts";
import { expandTilde, type HomePaths } from "../../storage/home.ts";
import type { HomeLock } from "../../storage/home-lock.ts";
import { ownerScope, scopeOf } from "../../storage/scope.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { Whose } from "../services.ts";
import { openSkillRevisions, type SkillRevisions } from "../skills/skill-revisions.ts";

export interface MemoryOptions {
  paths: HomePaths;
  workspace: string;
  env: NodeJS.ProcessEnv;
  /** Further folders of documents to search. */
  knowledge: readonly string[];
  sessions: SessionManager;
  timeZone: string;
  lock: HomeLock;
  clock: Clock;
  log: Log;
  /** Finds by meaning, too. */
  embeddings?: Embeddings;
  isOnce?: boolean;
  /** Default: a line in the log. */
  onVersionsProblem?: DocumentsOptions["onVersionsProblem"];
}

export interface Memory {
  recall: Recall;
  documents: Documents;
  memoryOf(whose: Whose): PersonMemory;
}

/** The memory of a workspace: the search index, and the documents of each person and group. Needs no model. */
export function openMemory(options: MemoryOptions): Memory {
  const { paths, workspace, env, sessions, clock, log, timeZone } = options;
  const recall = new Recall({
    home: paths.home,
    sessionsFolder: sessions.folder,
    workspace,
    knowledge: options.knowledge.map((folder) => resolve(workspace, expandTilde(folder, env))),
    clock,
    log,
    ...(options.embeddings && { embeddings: options.embeddings }),
    isOnce: options.isOnce ?? false,
  });
  const documents = new Documents({
    onVersionsProblem: (problem) => log.warn("versions-problem", { ...problem }),
    ...options,
    // The name of the sessions' folder identifies the workspace, also after it was moved.
    name: basename(sessions.folder),
    toDay: (ms) => toDay(ms, timeZone),
  });
  return {
    recall,
    documents,
    memoryOf: (whose) => openPersonMemory({ ...options, recall }, documents.of(scopeOf(whose))),
  };
}

interface PersonMemoryParts {
  sessions: SessionManager;
  recall: Recall;
  lock: HomeLock;
  clock: Clock;
}

export interface PersonMemory {
  files: MemoryFiles;
  /** Of the owner's skills. */
  revisions: SkillRevisions;
  search(query: string, signal?: AbortSignal): Promise<SearchResult>;
  explain(text: string): Promise<Explanation>;
  log(options: { most: number; kind?: string }): Promise<Version[]>;
  /** The version that an id means, with what it changed. */
  show(id: string): Promise<{ version: Version; files: FileDiff[] }>;
  restore(id: string): Promise<Version>;
  findForgettable(words: string): Promise<Forgettable>;
  forget(found: Forgettable, words: string): Promise<Version | undefined>;
}

export function openPersonMemory(parts: PersonMemoryParts, store: MemoryStore): PersonMemory {
  const { sessions, recall, lock, clock } = parts;
  const { scope, versions } = store;
  const files = openMemoryFiles(store, clock);
  const search = (query: string, signal?: AbortSignal) => recall.search({ query, scope }, signal);

  return {
    files: {
      ...files,
      async keep() {
        const release = await lock.acquire("keep memory");
        await files.keep().finally(release);
      },
    },
    revisions: openSkillRevisions(store),
    search,
    async explain(text) {
      const { explainFact } = await import("../../recall/explain-fact.ts");
      return explainFact(text, { store, sessions, search });
    },
    log: (options) => versions.log(options),
    async show(id) {
      const version = await versions.find(id);
      return { version, files: await versions.diff(version.hash) };
    },
    restore: (id) => versions.restore(id),
    async findForgettable(words) {
      const { findForgettable } = await import("../../recall/forget.ts");
      return findForgettable(words, { store, recall });
    },
    async forget(found, words) {
      const { forget } = await import("../../recall/forget.ts");
      const version = await forget(found, words, { store, sessions });
      // A search in the same second must not find it.
      await recall.refresh();
      return version;
    },
  };
}

export interface MemoryFiles {
  list(): Promise<MemoryFile[]>;
  read(path: string): Promise<MemoryText>;
  /** Changes made by hand or in a conversation become a version. Under the home lock, like the next one. */
  keep(): Promise<void>;
  /** `hash` is of the text that was read before. */
  save(text: MemoryText): Promise<MemorySaved>;
}

export interface MemoryFile {
  /** Relative to the person's folder. */
  path: string;
  kind: "memory" | "character" | "note";
  bytes: number;
  /** Absent where there is no such file yet. */
  changedAt?: number;
}

export interface MemoryText {
  path: string;
  text: string;
  /** What saving it takes; "" where there is no file yet. */
  hash: string;
}

/** Not saved: it has changed in the meantime. `diff` leads from that text to the one that was to be saved. */
export type MemorySaved =
  | { isSaved: true; hash: string; version?: string }
  | { isSaved: false; theirs: MemoryText; diff?: string };

const ownFiles = [mainMemoryFile, "USER.md"];
/** Of the assistant itself; those behind the first only where they are there. */
const characterFiles = ["SOUL.md", "AGENTS.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md"];
const mostNotes = 1_000;
const longestDiff = 40_000;
const lock = new KeyedLock();

function openMemoryFiles(store: MemoryStore, clock: Clock): MemoryFiles {
  const { scope, versions } = store;
  const names = scope === ownerScope ? [...ownFiles, ...characterFiles] : ownFiles;

  async function read(path: string): Promise<MemoryText> {
    const isNamed = names.includes(path) || isNote(path);
    const content = isNamed ? await store.read(path) : "foreign";
    if (content === "foreign") throw fail("memory.not-editable", { path });
    return content === "absent"
      ? { path, text: "", hash: "" }
      : { path, text: content.toString("utf8"), hash: toHash(content) };
  }

  async function look(path: string): Promise<MemoryFile> {
    const kind = isNote(path) ? "note" : characterFiles.includes(path) ? "character" : "memory";
    const { size: bytes = 0, changedAt } = (await store.look(path)) ?? {};
    return { path, kind, bytes, ...(changedAt !== undefined && { changedAt }) };
  }

  async function write({ path, text }: MemoryText, before: string): Promise<Version | undefined> {
    await store.write(path, text);
    const { added } = compareLines(before, await store.readText(path));
    const lines = added.filter((line) => !line.startsWith("#"));
    await store.provenance.record(lines.map((line) => ({ file: path, line, at: clock.now() })));
    return versions.commit({ kind: "edit", paths: [path] });
  }

  async function keep(...paths: string[]): Promise<void> {
    await versions.commit({ kind: "start", paths: [...new Set([...names, ...paths])] });
  }

  return {
    read,
    keep: () => keep(),
    async list() {
      const notes = (await store.listNotes()).reverse().slice(0, mostNotes);
      const all = await Promise.all([...names, ...notes].map(look));
      const isShown = ({ path, changedAt }: MemoryFile) =>
        changedAt !== undefined || ownFiles.includes(path) || path === characterFiles[0];
      return all.filter(isShown);
    },
    save({ path, text: given, hash }) {
      return lock.run(store.locate(""), async () => {
        await read(path);
        await keep(path);
        const theirs = await read(path);
        const text = withEndsOf(theirs.text, given.toWellFormed());
        const saved = { isSaved: true as const, hash: toHash(text) };
        // Also when it is asked a second time, because the answer was lost.
        if (theirs.text === text) return saved;
        if (theirs.hash !== hash)
          return { isSaved: false, theirs, diff: await diffLines(theirs.text, text, longestDiff) };
        const version = await write({ path, text, hash }, theirs.text);
        return { ...saved, ...(version && { version: version.id }) };
      });
    },
  };
}

/** A browser gives every line the same end. */
function withEndsOf(before: string, text: string): string {
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function toHash(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}
