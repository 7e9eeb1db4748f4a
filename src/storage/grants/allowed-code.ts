// Code that a person puts into a folder of the home: which files there are, and the private list of those that are allowed,
// each by a hash. Runs nothing, and knows nothing of what the code is for.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile } from "../files/state-file.ts";

/** What is imported by others is in a folder of its own, or begins with an underscore. */
const entryName = /^[a-z0-9][\w.-]*\.m?[jt]s$/i;
const noEntry = /\.(?:d|test|spec)\.m?[jt]s$/i;
const folderName = /^[a-z0-9][\w-]*$/i;
const indexName = /^index\.m?[jt]s$/;
const mostNames = 1_000;
const mostEntries = 100;

/** `takesFolders`: a folder with an index file is listed like a file, by its own name. */
export async function listCode(
  folder: string,
  takesFolders: boolean,
): Promise<Array<{ name: string; path: string }>> {
  const names = (await listNames(folder)).sort().slice(0, mostNames);
  const entries = names
    .filter((name) => entryName.test(name) && !noEntry.test(name))
    .map((name) => ({ name, path: join(folder, name) }));
  for (const name of takesFolders ? names.filter((each) => folderName.test(each)) : []) {
    const index = (await listNames(join(folder, name))).find((file) => indexName.test(file));
    if (index !== undefined) entries.push({ name, path: join(folder, name, index) });
  }
  return entries.slice(0, mostEntries);
}

/** None of a folder that is not there, or cannot be listed. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

export class AllowedCode {
  readonly #list: StateFile;
  readonly #lock = new KeyedLock();

  constructor(path: string) {
    this.#list = new StateFile(path, { findFault });
  }

  /** Hashes by name. A damaged list without a good copy is empty: everything has to be allowed again. */
  async read(): Promise<ReadonlyMap<string, unknown>> {
    return (await this.#load()).allowed;
  }

  allow(name: string, hash: string): Promise<void> {
    return this.#change((allowed) => allowed.set(name, hash));
  }

  remove(name: string): Promise<void> {
    return this.#change((allowed) => allowed.delete(name));
  }

  async #load(): Promise<{ keys: JsonObject; allowed: Map<string, unknown> }> {
    const { allowed, ...keys } = (await this.#list.read()).value ?? {};
    return { keys, allowed: new Map(Object.entries(isRecord(allowed) ? allowed : {})) };
  }

  #change(change: (allowed: Map<string, unknown>) => void): Promise<void> {
    return this.#lock.run("", async () => {
      const { keys, allowed } = await this.#load();
      change(allowed);
      await this.#list.write({ ...keys, allowed: Object.fromEntries(allowed) });
    });
  }
}

function findFault({ allowed }: JsonObject): string | undefined {
  return isRecord(allowed) ? undefined : "must hold what is allowed by name, in { }";
}
