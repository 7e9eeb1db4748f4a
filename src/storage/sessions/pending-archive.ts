// Closed conversations that wait to be archived: a note for each, with its key and whose it is, under the name of its
// file. It is written before the file has that name, so that a crash in between loses nothing.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { isScope, ownerScope, type Scope } from "../scope.ts";
import type { Session } from "./session.ts";

export interface PendingConversation {
  session: Session;
  scope: Scope;
}

/** Longer than what was removed can be taken back. */
const keptMs = 31 * 86_400_000;

export class PendingArchive {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #readSession: (key: string, name: string) => Promise<Session | undefined>;

  /** `readSession` opens a closed file of the sessions' folder. */
  constructor(
    folder: string,
    clock: Clock,
    readSession: (key: string, name: string) => Promise<Session | undefined>,
  ) {
    this.#folder = folder;
    this.#clock = clock;
    this.#readSession = readSession;
  }

  async note(name: string, { key, scope = ownerScope }: Session): Promise<void> {
    await makeFolder(this.#folder);
    await writeFileAtomic(join(this.#folder, name), JSON.stringify({ key, scope }));
  }

  /** Without the notes that are just being written, whose names begin with a dot. */
  async list(): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(ignoreMissing)) ?? [];
    return names.filter((name) => !name.startsWith("."));
  }

  /** Undefined while it is removed, and perhaps about to be taken back; after that its note goes, too. */
  async open(name: string): Promise<PendingConversation | undefined> {
    const note = join(this.#folder, name);
    const { key, scope } = toNote(await readFile(note, "utf8"));
    const session = await this.#readSession(key || name, name);
    if (session !== undefined && (session.hasMetadata || session.count > 0))
      return { session, scope: session.scope ?? scope ?? ownerScope };
    if (this.#clock.now() - (await stat(note)).mtimeMs >= keptMs) await this.settle(name);
    return undefined;
  }

  /** It is archived. */
  settle(name: string): Promise<void> {
    return removeFile(join(this.#folder, name));
  }
}

/** A note of 0.1.0 is the key alone; the file says whose conversation it is. */
function toNote(text: string): { key: string; scope?: Scope } {
  const value = parseJson(text);
  if (!isRecord(value)) return { key: text };
  return { key: String(value.key), ...(isScope(value.scope) && { scope: value.scope }) };
}
