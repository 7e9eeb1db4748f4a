// What is made of files, kept while they stay the same: read again only when they changed. Knows no content.
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../lib/package-root.ts";
import { removeFile } from "../files/change-files.ts";

export interface CachedFilesOptions {
  onProblem?(path: string, reason: string): void;
  /** Whether the real place of a file may be read under this name: a command can put a link there. Default: always. */
  mayRead?(real: string, path: string): boolean;
}

/** Absent, unreadable and non-regular files are undefined; `onProblem` is given the reason where there is one. */
export class CachedFiles {
  readonly #cache = new Map<string, { stamp: string; content: unknown }>();
  readonly #onProblem: (path: string, reason: string) => void;
  readonly #mayRead: (real: string, path: string) => boolean;

  constructor({ onProblem = () => {}, mayRead = () => true }: CachedFilesOptions = {}) {
    this.#onProblem = onProblem;
    this.#mayRead = mayRead;
  }

  /** `name` is relative to the root. Of one file always by the same function. */
  async load<T>(root: string, name: string, make: (path: string) => Promise<T>): Promise<T | undefined> {
    const path = join(root, name);
    const cached = this.#cache.get(path);
    // What came with the program stays as it is while it runs.
    if (cached !== undefined && root === packageRoot) return cached.content as T | undefined;
    try {
      // Asked for a dozen files before each turn: at once it takes a fifth of the time that promises take.
      const status = statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return undefined;
      const stamp = `${status.ino} ${status.mtimeMs} ${status.ctimeMs} ${status.size}`;
      if (cached?.stamp === stamp) return cached.content as T | undefined;
      const real = realpathSync.native(path);
      const problem = status.isFile() ? undefined : "is not a regular file";
      const refusal = this.#mayRead(real, path) ? problem : "leads to what may not be read";
      if (refusal !== undefined) this.#onProblem(path, refusal);
      const content = refusal === undefined ? await make(real) : undefined;
      this.#cache.set(path, { stamp, content });
      return content;
    } catch (error) {
      return this.#explain(path, error);
    }
  }

  remove(root: string, name: string): Promise<void> {
    return removeFile(join(root, name));
  }

  #explain(path: string, error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") this.#onProblem(path, code);
    return undefined;
  }
}
