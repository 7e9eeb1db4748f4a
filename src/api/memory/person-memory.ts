// The memory of one person or group: its files, their versions, where a line came from, and what would be forgotten. Who
// restores, forgets or saves holds the home lock.

import type { Clock } from "../../lib/clock.ts";
import { type Explanation, explainFact } from "../../recall/explain-fact.ts";
import { type Forgettable, findForgettable, forget } from "../../recall/forget.ts";
import type { Recall, SearchResult } from "../../recall/recall.ts";
import { HistoryLog } from "../../storage/documents/history-log.ts";
import type { FileDiff, Version, Versions } from "../../storage/documents/versions.ts";
import type { HomeLock } from "../../storage/home-lock.ts";
import type { Scope } from "../../storage/scope.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { type MemoryFiles, openMemoryFiles } from "./memory-files.ts";

export interface PersonMemoryParts {
  sessions: SessionManager;
  recall: Recall;
  lock: HomeLock;
  clock: Clock;
  versionsFor(root: string): Versions;
}

export interface PersonMemory {
  /** The person's folder. */
  root: string;
  files: MemoryFiles;
  search(query: string, signal?: AbortSignal): Promise<SearchResult>;
  explain(text: string): Promise<Explanation>;
  log(options: { most: number; kind?: string }): Promise<Version[]>;
  /** The version that an id means, with what it changed. */
  show(id: string): Promise<{ version: Version; files: FileDiff[] }>;
  restore(id: string): Promise<Version>;
  findForgettable(words: string): Promise<Forgettable>;
  forget(found: Forgettable, words: string): Promise<Version | undefined>;
}

/** `root` is the person's folder, `scope` whose conversations may be told of. */
export function openPersonMemory(
  parts: PersonMemoryParts,
  { root, scope }: { root: string; scope: Scope },
): PersonMemory {
  const { sessions, recall, lock, clock } = parts;
  const versions = parts.versionsFor(root);
  const history = new HistoryLog(root, clock);
  const files = openMemoryFiles({ root, isOwner: scope === "owner", versions, clock });
  const search = (query: string, signal?: AbortSignal) => recall.search({ query, scope }, signal);

  return {
    root,
    files: {
      ...files,
      async keep() {
        const release = await lock.acquire("keep memory");
        await files.keep().finally(release);
      },
    },
    search,
    explain: (text) => explainFact(text, { root, scope, history, sessions, search }),
    log: (options) => versions.log(options),
    async show(id) {
      const version = await versions.find(id);
      return { version, files: await versions.diff(version.hash) };
    },
    restore: (id) => versions.restore(id),
    findForgettable: (words) => findForgettable(words, { root, scope, recall }),
    async forget(found, words) {
      const places = { root, scope, history, versions, sessions };
      const version = await forget(found, words, places);
      // A search in the same second must not find it.
      await recall.refresh();
      return version;
    },
  };
}
