// What the assistant knows beyond a session, for a program: the owner's memory files, the log of summaries, the search.
import type { Client } from "../api/client.ts";
import type { App } from "../app/build-app.ts";
import type { RecalledEntry } from "../recall/recall.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import { ownerScope } from "../storage/scope.ts";

export type MemoryFile = "memory/MEMORY.md" | "USER.md" | "SOUL.md";

export interface MemorySearch {
  /** Most that are found. */
  count?: number;
  /** Milliseconds since 1970; `to` is not included. */
  from?: number;
  to?: number;
  /** Key of the only session that is searched. */
  session?: string;
}

export interface Memory {
  /** Default `memory/MEMORY.md`. "" where there is none. */
  read(file?: MemoryFile): Promise<string>;
  /** The whole new text of a file. The next message hears of it. */
  write(text: string, file?: MemoryFile): Promise<void>;
  /** In everything that was said and written, best first; without any model. */
  search(query: string, options?: MemorySearch): Promise<RecalledEntry[]>;
  /** Summaries of earlier conversations, oldest first. */
  history(options?: { after?: number; most?: number }): Promise<HistoryEntry[]>;
}

const usualFile: MemoryFile = "memory/MEMORY.md";
const files: readonly string[] = [usualFile, "USER.md", "SOUL.md"] satisfies MemoryFile[];

export interface MemoryParts {
  app: App;
  call: Client["call"];
}

export function createMemory({ app, call }: MemoryParts): Memory {
  const { documents, recall } = app;
  return {
    async read(file = usualFile) {
      return (await call("memory.read", { path: checkFile(file) })).text;
    },
    async write(given, file = usualFile) {
      const path = checkFile(file);
      const text = given.toWellFormed();
      let { hash } = await call("memory.read", { path });
      for (;;) {
        const saved = await call("memory.save", { path, text, hash });
        if (saved.isSaved) return;
        // Another writer was faster: the last write wins.
        hash = saved.theirs.hash;
      }
    },
    async search(query, options = {}) {
      return (await recall.search({ ...options, query, scope: ownerScope })).hits;
    },
    history: (options) => documents.of(ownerScope).history.read(options),
  };
}

/** Programs are not always type-checked. */
function checkFile(file: string): string {
  if (!files.includes(file))
    throw new TypeError(`${file} is no file of memory: use one of ${files.join(", ")}`);
  return file;
}
