// Code that a person puts into a folder of the home. Nothing of it is run before the person has allowed it, by the hash of
// the file and of all that it imports. Knows nothing of what the code is for.

import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { untilAborted } from "../../lib/abort.ts";
import { withoutWarning } from "../../lib/process/without-warning.ts";
import { lookBehindLinks } from "../../storage/files/file-stamp.ts";
import { AllowedCode, listCode } from "../../storage/grants/allowed-code.ts";
import { isInside, toRealRoot } from "../files/real-path.ts";
import {
  type CodeClosure,
  type CodeProblem,
  findFault,
  isOffered,
  ownName,
  readClosure,
  resolveImport,
} from "./code-closure.ts";

export interface TrustedCodeOptions {
  /** What the person writes; need not be there. */
  folder: string;
  /** A folder in it with an index file is offered like a file, by its own name. */
  takesFolders?: boolean;
  /** What the person has allowed: a private file of ours. */
  listPath: string;
  /** What a model can write; the folder must not be in it. */
  workspace: string;
  /** The file that such code gets for `nanobot`. */
  kit: string;
}

export type CodeFile = { name: string; path: string } & (
  | { state: "allowed" | "changed" | "new"; closure: CodeClosure }
  | { state: "refused"; problem: CodeProblem }
);

export class TrustedCode {
  readonly #options: TrustedCodeOptions;
  readonly #allowed: AllowedCode;

  constructor(options: TrustedCodeOptions) {
    this.#options = options;
    this.#allowed = new AllowedCode(options.listPath);
  }

  /** Every file that could be used, sorted by name. Runs nothing. */
  async survey(): Promise<CodeFile[]> {
    const folder = toRealRoot(this.#options.folder);
    const entries = await listCode(folder, this.#options.takesFolders === true);
    if (entries.length === 0) return [];
    const problem = await this.#findFault();
    const allowed = await this.#allowed.read();
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
    return this.#allowed.allow(name, hash);
  }

  /** The file itself stays. */
  remove(name: string): Promise<void> {
    return this.#allowed.remove(name);
  }

  /** What an allowed file exports; rejects with whatever it throws. */
  load(closure: CodeClosure): Promise<Record<string, unknown>> {
    const { folder, kit } = this.#options;
    return importTrusted(closure, { folder: toRealRoot(folder), kit });
  }

  /** Who can write the folder or the list could allow code without the person. */
  async #findFault(): Promise<CodeProblem | undefined> {
    const { folder, listPath, workspace } = this.#options;
    if (isInside(toRealRoot(folder), toRealRoot(workspace))) return { kind: "in-workspace", subject: folder };
    for (const subject of [folder, listPath]) {
      const status = lookBehindLinks(subject);
      const kind = status && findFault(status);
      if (kind !== undefined) return { kind, subject };
    }
    return undefined;
  }
}

/** Marks the addresses of allowed code; with the hash, so that changed code is new code for Node. */
const mark = "nanobot-allowed";
const longestImportMs = 10_000;

interface Allowed {
  folder: string;
  /** What `nanobot` means here. */
  kit: string;
  sources: CodeClosure["sources"];
}

// Node's hooks are the process's, and so is what they serve.
const allowed = new Map<string, Allowed>();
let isHooked = false;

/** Why allowed code was not imported, unless it threw an error itself. */
export class ImportFault extends Error {
  override readonly name = "ImportFault";
  readonly problem: { kind: "too-slow" | "not-covered"; subject: string };

  constructor(problem: ImportFault["problem"]) {
    super(`${problem.kind}: ${problem.subject}`);
    this.problem = problem;
  }
}

/** What the code exports. Rejects with what it throws, or with an ImportFault. */
async function importTrusted(
  { sources, hash }: CodeClosure,
  { folder, kit }: Pick<Allowed, "folder" | "kit">,
): Promise<Record<string, unknown>> {
  const [entry] = sources.keys();
  if (entry === undefined) return {};
  allowed.set(hash, { folder, kit, sources });
  hook();
  const late = new ImportFault({ kind: "too-slow", subject: String(longestImportMs / 1000) });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), longestImportMs);
  try {
    const load = () => untilAborted(import(toUrl(entry, hash)), controller.signal);
    return await withoutWarning("Type Stripping is an experimental feature", load);
  } finally {
    clearTimeout(timer);
  }
}

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const from = find(context.parentURL);
      if (from === undefined || (isOffered(specifier) && specifier !== ownName))
        return nextResolve(specifier, context);
      const { path, hash, folder, kit } = from;
      if (specifier === ownName) return { url: pathToFileURL(kit).href, shortCircuit: true };
      const target = resolveImport(specifier, path, folder);
      const url = typeof target === "string" ? toUrl(target, hash) : undefined;
      if (find(url) === undefined) throw new ImportFault({ kind: "not-covered", subject: specifier });
      return { url: String(url), shortCircuit: true, importAttributes: context.importAttributes };
    },
    load(url, context, nextLoad) {
      const found = find(url);
      if (found === undefined) return nextLoad(url, context);
      return { format: formatOf(found.path), source: found.source, shortCircuit: true };
    },
  });
}

function find(
  url: string | undefined,
): (Allowed & { path: string; hash: string; source: Buffer }) | undefined {
  if (url?.includes(mark) !== true) return undefined;
  const hash = new URL(url).searchParams.get(mark) ?? "";
  const path = fileURLToPath(url);
  const found = allowed.get(hash);
  const source = found?.sources.get(path);
  return found && source && { ...found, path, hash, source };
}

function toUrl(path: string, hash: string): string {
  return `${pathToFileURL(path).href}?${mark}=${hash}`;
}

function formatOf(path: string): string {
  if (path.endsWith(".json")) return "json";
  return path.endsWith("ts") ? "module-typescript" : "module";
}
