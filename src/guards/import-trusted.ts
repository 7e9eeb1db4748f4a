// Imports code whose bytes were allowed, and no other bytes: Node is given what was hashed, never what lies on the disk by
// then. Such code may import files of its own closure, Node's own modules, and `nanobot`.
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { untilAborted } from "../lib/abort.ts";
import { withoutWarning } from "../lib/without-warning.ts";
import { type CodeClosure, isOffered, ownName, resolveImport } from "./code-closure.ts";

/** Marks the addresses of allowed code; with the hash, so that changed code is new code for Node. */
const mark = "nanobot-allowed";
const longestImportMs = 10_000;

interface Allowed {
  folder: string;
  /** What `nanobot` stands for. */
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
export async function importTrusted(
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
