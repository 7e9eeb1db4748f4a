// A copy of documents of a scope in a folder of its own, to be edited: nothing in it counts until it is landed.
import { isUtf8 } from "node:buffer";
import { mkdtemp, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { isBlank } from "../../lib/text.ts";
import { makeFolder, removeFile } from "../files/change-files.ts";
import type { MemoryStore } from "./memory-store.ts";
import { readTrackedText, writeTracked } from "./tracked-file.ts";

export interface StagedChange {
  path: string;
  /** Undefined where there was no file. */
  before: string | undefined;
  after: string;
  /** When the file was last written, as far as the disk knows. */
  changedAt: number;
}

export interface StageOptions {
  /** Where the copy is made, under a name that begins with the time. */
  parent: string;
  now: number;
  paths: readonly string[];
}

const abandonedMs = 24 * 60 * 60 * 1000;

type Originals = ReadonlyMap<string, Pick<StagedChange, "before" | "changedAt">>;

export class StagedCopy {
  readonly folder: string;
  /** The files that were copied, or that may be begun. */
  readonly originals: Originals;

  private constructor(folder: string, originals: Originals) {
    this.folder = folder;
    this.originals = originals;
  }

  /** What is a link or no text is left out. */
  static async create(store: MemoryStore, { parent, now, paths }: StageOptions): Promise<StagedCopy> {
    await makeFolder(parent);
    await removeAbandoned(parent, now);
    const folder = await mkdtemp(join(parent, `${now}-`));
    const originals = new Map<string, { before: string | undefined; changedAt: number }>();
    for (const path of paths) {
      const content = await store.read(path);
      if (content === "absent") originals.set(path, { before: undefined, changedAt: now });
      if (typeof content === "string" || !isUtf8(content)) continue;
      await writeTracked(folder, path, content);
      const { changedAt = now } = (await store.look(path)) ?? {};
      originals.set(path, { before: content.toString("utf8"), changedAt });
    }
    return new StagedCopy(folder, originals);
  }

  /** Unique, and later ones come after earlier ones. */
  get name(): string {
    return basename(this.folder);
  }

  read(path: string): Promise<string> {
    return readTrackedText(this.folder, path);
  }

  write(path: string, text: string): Promise<void> {
    return writeTracked(this.folder, path, Buffer.from(text));
  }

  async changes(): Promise<StagedChange[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const paths = files.map(({ parentPath, name }) => relative(this.folder, join(parentPath, name)));
    const begun = { before: undefined, changedAt: 0 };
    const all = paths
      .map((path) => path.replaceAll(sep, "/"))
      .sort()
      .map(async (path) => ({ path, ...(this.originals.get(path) ?? begun), after: await this.read(path) }));
    // A new file that was emptied again is none.
    return (await Promise.all(all)).filter(
      ({ before, after }) => before !== after && (before !== undefined || !isBlank(after)),
    );
  }

  async remove(): Promise<void> {
    await removeFile(this.folder);
  }
}

/** Copies of programs that died, after a day. */
async function removeAbandoned(parent: string, now: number): Promise<void> {
  const copies = (await readdir(parent)).filter((name) => /^\d+-\w+$/.test(name));
  for (const name of copies.filter((one) => now - Number.parseInt(one, 10) > abandonedMs))
    await removeFile(join(parent, name));
}
