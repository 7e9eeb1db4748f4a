// What a person has decided about skills, and which of them the assistant wrote itself. One small private file.
import { dirname } from "node:path";
import * as z from "zod";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../files/file-stamp.ts";
import { StateFile } from "../files/state-file.ts";
import { mapPaths, toStored } from "../stored-path.ts";

/** An entry that is no text names nothing, and stays. */
const names = z.array(z.unknown());

const trustSchema = z.looseObject({
  /** Hashes of flagged skills that may be used all the same. */
  allowed: names,
  /** Hashes of skills that may use the commands and hosts that they name. */
  granted: names.optional(),
  /** Hashes and folders of skills that the assistant wrote. */
  written: z.looseObject({ hashes: names, folders: names }),
});

type Trust = z.infer<typeof trustSchema>;

const nothing: Trust = { allowed: [], written: { hashes: [], folders: [] } };
const mostKept = 5000;

/** A snapshot: it does not change. */
export interface TrustView {
  isAllowed(hash: string): boolean;
  isGranted(hash: string): boolean;
  /** Also for a skill that was changed or copied since. When nobody knows any more, everything may be. */
  isWrittenByAssistant(skill: { hash: string; folder: string }): boolean;
}

export class SkillTrust {
  readonly #path: string;
  readonly #file: StateFile;
  readonly #lock = new KeyedLock();
  #stamp: FileStamp | undefined;
  #view: TrustView | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = new StateFile(path, { findFault });
  }

  /** The same object while the file is the same. */
  async view(): Promise<TrustView> {
    const isSame = this.#stamp === undefined ? takeStamp(this.#path) === undefined : isUnchanged(this.#stamp);
    if (this.#view !== undefined && isSame) return this.#view;
    this.#stamp = takeStamp(this.#path);
    this.#view = this.#toView(await this.#load());
    return this.#view;
  }

  async allow(hash: string): Promise<void> {
    await this.#change((trust) => ({ ...trust, allowed: add(trust.allowed, hash) }));
  }

  async grant(hash: string, isGranted: boolean): Promise<void> {
    await this.#change((trust) => {
      const others = (trust.granted ?? []).filter((other) => other !== hash);
      return { ...trust, granted: isGranted ? add(others, hash) : others };
    });
  }

  async recordWritten(folder: string, hash: string): Promise<void> {
    await this.#change((trust) => {
      const { hashes, folders } = trust.written;
      return {
        ...trust,
        written: {
          ...trust.written,
          hashes: add(hashes, hash),
          folders: add(folders, this.#toStored(folder)),
        },
      };
    });
  }

  #toView(trust: Trust | undefined): TrustView {
    const allowed = new Set(trust?.allowed);
    const granted = new Set(trust?.granted);
    const hashes = new Set(trust?.written.hashes);
    const folders = new Set(mapPaths(trust?.written.folders, (folder) => this.#toStored(folder)));
    return {
      isAllowed: (hash) => allowed.has(hash),
      isGranted: (hash) => hash !== "" && granted.has(hash),
      isWrittenByAssistant: ({ hash, folder }) =>
        trust === undefined || hashes.has(hash) || folders.has(this.#toStored(folder)),
    };
  }

  #toStored(folder: string): string {
    return toStored(dirname(this.#path), folder);
  }

  /** Undefined when the file is damaged, and its copy too. */
  async #load(): Promise<Trust | undefined> {
    const { value, problem } = await this.#file.read();
    if (value === undefined) return problem === undefined ? nothing : undefined;
    return trustSchema.parse(value);
  }

  #change(change: (trust: Trust) => Trust): Promise<void> {
    return this.#lock.run("", async () => this.#file.write(change((await this.#load()) ?? nothing)));
  }
}

function findFault(value: JsonObject): string | undefined {
  return trustSchema.safeParse(value).success ? undefined : "does not hold the lists that belong there";
}

function add(list: unknown[], item: string): unknown[] {
  if (item === "") return list;
  return [...list.filter((other) => other !== item), item].slice(-mostKept);
}
