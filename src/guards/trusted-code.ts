// Code that a person puts into a folder of the home. Nothing of it is run before the person has allowed it, by the hash of
// the file and of all that it imports. Knows nothing of what the code is for.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../lib/is-record.ts";
import type { JsonObject } from "../lib/json-tree.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import { StateFile } from "../storage/files/state-file.ts";
import { type CodeClosure, type CodeProblem, findFault, readClosure } from "./code-closure.ts";
import { importTrusted } from "./import-trusted.ts";
import { isInside } from "./path-text.ts";
import { toRealRoot } from "./real-path.ts";

export interface TrustedCodeOptions {
  /** What the person writes; need not be there. */
  folder: string;
  /** A folder in it with an index file is offered like a file, by its own name. */
  takesFolders?: boolean;
  /** What the person has allowed: a private file of ours. */
  listPath: string;
  /** What a model can write; the folder must not lie in it. */
  workspace: string;
  /** The file that such code gets for `nanobot`. */
  kit: string;
}

export type CodeFile = { name: string; path: string } & (
  | { state: "allowed" | "changed" | "new"; closure: CodeClosure }
  | { state: "refused"; problem: CodeProblem }
);

/** What is imported by others lies in a folder of its own, or begins with an underscore. */
const entryName = /^[a-z0-9][\w.-]*\.m?[jt]s$/i;
const noEntry = /\.(?:d|test|spec)\.m?[jt]s$/i;
const folderName = /^[a-z0-9][\w-]*$/i;
const indexName = /^index\.m?[jt]s$/;
const mostNames = 1_000;
const mostEntries = 100;

export class TrustedCode {
  readonly #options: TrustedCodeOptions;
  readonly #list: StateFile;
  readonly #lock = new KeyedLock();

  constructor(options: TrustedCodeOptions) {
    this.#options = options;
    this.#list = new StateFile(options.listPath, { findFault: findListFault });
  }

  /** Every file that could be used, sorted by name. Runs nothing. */
  async survey(): Promise<CodeFile[]> {
    const folder = toRealRoot(this.#options.folder);
    const entries = await this.#listEntries(folder);
    if (entries.length === 0) return [];
    const problem = await this.#findFault();
    const { allowed } = await this.#load();
    return Promise.all(
      entries.map(async ({ name, path }): Promise<CodeFile> => {
        if (problem !== undefined) return { name, path, state: "refused", problem };
        const closure = await readClosure(folder, path);
        if ("kind" in closure) return { name, path, state: "refused", problem: closure };
        const known = allowed.get(name);
        const state = typeof known !== "string" ? "new" : known === closure.hash ? "allowed" : "changed";
        return { name, path, state, closure };
      }),
    );
  }

  allow(name: string, { hash }: CodeClosure): Promise<void> {
    return this.#change((allowed) => allowed.set(name, hash));
  }

  /** The file itself stays. */
  remove(name: string): Promise<void> {
    return this.#change((allowed) => allowed.delete(name));
  }

  /** What an allowed file exports; rejects with whatever it throws. */
  load(closure: CodeClosure): Promise<Record<string, unknown>> {
    const { folder, kit } = this.#options;
    return importTrusted(closure, { folder: toRealRoot(folder), kit });
  }

  async #listEntries(folder: string): Promise<Array<{ name: string; path: string }>> {
    const names = (await readdir(folder).catch(toNone)).sort().slice(0, mostNames);
    const entries = names
      .filter((name) => entryName.test(name) && !noEntry.test(name))
      .map((name) => ({ name, path: join(folder, name) }));
    for (const name of this.#options.takesFolders ? names.filter((each) => folderName.test(each)) : []) {
      const index = (await readdir(join(folder, name)).catch(toNone)).find((file) => indexName.test(file));
      if (index !== undefined) entries.push({ name, path: join(folder, name, index) });
    }
    return entries.slice(0, mostEntries);
  }

  /** Whoever can write the folder or the list could allow by himself. */
  async #findFault(): Promise<CodeProblem | undefined> {
    const { folder, listPath, workspace } = this.#options;
    if (isInside(toRealRoot(folder), toRealRoot(workspace))) return { kind: "in-workspace", subject: folder };
    for (const subject of [folder, listPath]) {
      const status = await stat(subject).catch(ignoreMissing);
      const kind = status && findFault(status);
      if (kind !== undefined) return { kind, subject };
    }
    return undefined;
  }

  async #load(): Promise<{ keys: JsonObject; allowed: Map<string, unknown> }> {
    const { allowed, ...keys } = (await this.#list.read()).value ?? {};
    return { keys, allowed: new Map(Object.entries(isRecord(allowed) ? allowed : {})) };
  }

  /** A damaged list without a good copy counts as an empty one: everything has to be allowed again. */
  #change(change: (allowed: Map<string, unknown>) => void): Promise<void> {
    return this.#lock.run("", async () => {
      const { keys, allowed } = await this.#load();
      change(allowed);
      await this.#list.write({ ...keys, allowed: Object.fromEntries(allowed) });
    });
  }
}

function findListFault({ allowed }: JsonObject): string | undefined {
  return isRecord(allowed) ? undefined : "must hold what is allowed by name, in { }";
}

function toNone(error: NodeJS.ErrnoException): string[] {
  if (error.code === undefined) throw error;
  return [];
}
