// Conversations that were removed: kept aside for a while, so that it can be undone. Knows no scopes.
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { makeFolder, moveFile, removeFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { parseFileName, toConversationKey, toFileName } from "./session-name.ts";

const keptMs = 30 * 86_400_000;

export class SessionTrash {
  readonly #sessions: string;
  readonly folder: string;
  readonly #clock: Clock;

  constructor(sessions: string, clock: Clock) {
    this.#sessions = sessions;
    this.folder = join(sessions, ".trash");
    this.#clock = clock;
  }

  /** A closed file; returns the name that `restore` takes. */
  async take(path: string): Promise<string> {
    await this.prune();
    await makeFolder(this.folder);
    await moveFile(path, join(this.folder, basename(path)));
    return basename(path);
  }

  /** Undefined when nothing of that name is here. */
  async find(name: string): Promise<string | undefined> {
    if (parseFileName(name)?.isArchived !== true) return undefined;
    const path = join(this.folder, name);
    return (await stat(path).catch(ignoreMissing)) === undefined ? undefined : path;
  }

  /** Under its key again; if another conversation has that by now, as a closed one. Returns the key of the conversation. */
  async restore(path: string): Promise<string> {
    const name = basename(path);
    const usual = toFileName(parseFileName(name)?.stem ?? "");
    const isFree = (await stat(join(this.#sessions, usual)).catch(ignoreMissing)) === undefined;
    await moveFile(path, join(this.#sessions, isFree ? usual : name));
    return toConversationKey(isFree ? usual : name);
  }

  async list(): Promise<string[]> {
    const names = (await readdir(this.folder).catch(ignoreMissing)) ?? [];
    return names.map((name) => join(this.folder, name));
  }

  async prune(): Promise<void> {
    for (const path of await this.list()) {
      // When it was moved here.
      const { ctimeMs } = await stat(path);
      if (ctimeMs < this.#clock.now() - keptMs) await removeFile(path);
    }
  }
}
