// Conversations that were removed: kept aside for a while, so that it can be undone.
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { makeFolder } from "../../storage/files/change-files.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { ownerScope, type Scope } from "../../storage/scope.ts";
import { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { fromStem, parseFileName, toFileName } from "../../storage/sessions/session-name.ts";
import { missing, toClosedKey } from "./session-access.ts";

const keptMs = 30 * 86_400_000;

export interface SessionTrashOptions {
  sessions: SessionManager;
  clock: Clock;
  log: Log;
}

export class SessionTrash {
  readonly #options: SessionTrashOptions;
  readonly #folder: string;

  constructor(options: SessionTrashOptions) {
    this.#options = options;
    this.#folder = join(options.sessions.folder, ".trash");
  }

  /** The name that `recover` wants; undefined when there is no file. */
  async remove(key: string): Promise<string | undefined> {
    const closed = await this.#options.sessions.close(key);
    return closed === undefined ? undefined : this.removeClosed(closed);
  }

  /** One that was closed already. */
  async removeClosed(path: string): Promise<string> {
    await this.prune();
    await makeFolder(this.#folder, 0o700);
    await rename(path, join(this.#folder, basename(path)));
    return basename(path);
  }

  async scopeOf(name: string): Promise<Scope> {
    const { clock, log } = this.#options;
    const session = new Session({ key: name, path: this.#pathOf(name), clock, log });
    await session.refresh();
    return session.scope ?? ownerScope;
  }

  /** Under its key again; if another conversation has that by now, as a closed one. Gives the key. */
  async recover(name: string): Promise<string> {
    const { folder } = this.#options.sessions;
    const path = this.#pathOf(name);
    const stem = parseFileName(name)?.stem ?? "";
    const key = fromStem(stem) ?? stem;
    if ((await stat(path).catch(ignoreMissing)) === undefined) throw missing();
    const place = join(folder, toFileName(stem));
    const isFree = (await stat(place).catch(ignoreMissing)) === undefined;
    await rename(path, isFree ? place : join(folder, name));
    if (isFree) return key;
    return toClosedKey(key, name.slice(stem.length + 1, -toFileName("").length));
  }

  async prune(): Promise<void> {
    const names = await readdir(this.#folder).catch(ignoreMissing);
    for (const name of names ?? []) {
      const path = join(this.#folder, name);
      // When it was moved here.
      const { ctimeMs } = await stat(path);
      if (ctimeMs < this.#options.clock.now() - keptMs) await rm(path, { force: true });
    }
  }

  #pathOf(name: string): string {
    if (parseFileName(name)?.isArchived !== true) throw missing();
    return join(this.#folder, name);
  }
}
