// What a person has decided about skills, and which of them the assistant wrote itself. One small private file.
import { rename } from "node:fs/promises";
import * as z from "zod";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../lib/file-stamp.ts";
import { readJsonFile } from "../lib/json-file.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";

const names = z.array(z.string());

const trustSchema = z.looseObject({
  /** Hashes of flagged skills that may be used all the same. */
  allowed: names,
  /** Hashes and folders of skills that the assistant wrote. */
  written: z.object({ hashes: names, folders: names }),
});

type Trust = z.infer<typeof trustSchema>;

const nothing: Trust = { allowed: [], written: { hashes: [], folders: [] } };
const mostKept = 5000;

/** A snapshot: it does not change. */
export interface TrustView {
  isAllowed(hash: string): boolean;
  /** Also for a skill that was changed or copied since. When nobody knows any more, everything may be. */
  isWrittenByAssistant(skill: { hash: string; folder: string }): boolean;
}

export class SkillTrust {
  readonly #path: string;
  readonly #lock = new KeyedLock();
  #stamp: FileStamp | undefined;
  #view: TrustView | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The same object while the file is the same. */
  async view(): Promise<TrustView> {
    const isSame = this.#stamp === undefined ? takeStamp(this.#path) === undefined : isUnchanged(this.#stamp);
    if (this.#view !== undefined && isSame) return this.#view;
    this.#stamp = takeStamp(this.#path);
    this.#view = toView(await this.#load());
    return this.#view;
  }

  async allow(hash: string): Promise<void> {
    await this.#change((trust) => ({ ...trust, allowed: add(trust.allowed, hash) }));
  }

  async recordWritten(folder: string, hash: string): Promise<void> {
    await this.#change((trust) => {
      const { hashes, folders } = trust.written;
      return { ...trust, written: { hashes: add(hashes, hash), folders: add(folders, folder) } };
    });
  }

  /** Undefined when the file is damaged. */
  async #load(): Promise<Trust | undefined> {
    const file = await readJsonFile(this.#path);
    if (file.state === "absent") return nothing;
    return file.state === "read" ? trustSchema.safeParse(file.value).data : undefined;
  }

  #change(change: (trust: Trust) => Trust): Promise<void> {
    return this.#lock.run("", async () => {
      const trust = await this.#load();
      if (trust === undefined) await rename(this.#path, `${this.#path}.damaged`);
      const text = `${JSON.stringify(change(trust ?? nothing), null, 2)}\n`;
      await writeFileAtomic(this.#path, text, { mode: 0o600, forceMode: true });
    });
  }
}

function toView(trust: Trust | undefined): TrustView {
  const allowed = new Set(trust?.allowed);
  const hashes = new Set(trust?.written.hashes);
  const folders = new Set(trust?.written.folders);
  return {
    isAllowed: (hash) => allowed.has(hash),
    isWrittenByAssistant: ({ hash, folder }) =>
      trust === undefined || hashes.has(hash) || folders.has(folder),
  };
}

function add(list: string[], item: string): string[] {
  if (item === "") return list;
  return [...list.filter((other) => other !== item), item].slice(-mostKept);
}
