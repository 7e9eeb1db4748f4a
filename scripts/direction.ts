// Which module may import which: downwards only, with a few extra rules. Prints nothing; returns problems.
import { mayOpenFiles } from "./file-access.ts";
import { channels, modules, pythonFiles, sessionFiles } from "./modules.ts";
import { type Import, moduleOf, resolveImport, type Source } from "./sources.ts";

const rank = new Map(modules.map((module, index) => [module.name, index]));
const only = new Map(modules.map((module) => [module.name, module.only]));

export function findDirectionProblems(sources: Source[]): string[] {
  const products = sources.filter((source) => !source.isTest);
  return products.flatMap((source) => (source.module === "web" ? webProblems(source) : problemsOf(source)));
}

/** The browser imports coded sentences and session keys; of the protocol and the operations only types. */
function webProblems(source: Source): string[] {
  return source.imports.flatMap(({ target, clause }) => {
    const path = resolveImport(source, target);
    if (path === undefined || path.startsWith("web/")) return [];
    const isShared = /^src\/(bus\/session-key\.ts$|i18n\/(phrase\.ts$|(en|zh)\/phrases\/))/.test(path);
    const isTyped =
      /^src\/(api\/|server\/protocol\.ts$)/.test(path) && /^(import|export) type\b/.test(clause);
    return isShared || isTyped
      ? []
      : [
          `${source.path}: web/ sees only coded sentences, session keys and types of src/api and src/server/protocol, not ${path}`,
        ];
  });
}

function problemsOf(source: Source): string[] {
  const problems = rank.has(source.module)
    ? source.imports.flatMap((imported) => importProblem(source, imported) ?? [])
    : [`"${source.module}" is not a module; add it to scripts/modules.ts`];
  const isComputed = /(?<!\.)\bimport\s*\((?!\s*")/.test(source.code);
  if (isComputed && source.path !== "src/guards/code/trusted-code.ts") {
    problems.push("import() of a computed name: neither the bundle nor this check can follow it");
  }
  if (/\bimport\.meta\b/.test(source.code) && source.path !== "src/lib/package-root.ts") {
    problems.push(
      "import.meta moves in a bundle (import.meta.url and the like); only lib/package-root.ts uses it",
    );
  }
  return problems.map((problem) => `${source.path}: ${problem}`);
}

function importProblem(source: Source, { target, clause }: Import): string | undefined {
  const isSlice = /^src\/(?!config\/)[^/]+\/config\.ts$/.test(source.path);
  if (isSlice && target !== "zod") return `a module's config.ts imports only zod, not ${target}`;
  const path = resolveImport(source, target);
  if (path === undefined) return packageProblem(source, { target, clause });
  return (
    layerProblem(source, path) ?? sessionProblem(source, path, clause) ?? pythonProblem(source.path, path)
  );
}

function pythonProblem(from: string, path: string): string | undefined {
  const { folder, importers } = pythonFiles;
  if (!path.startsWith(folder) || from.startsWith(folder) || importers.includes(from)) return undefined;
  return `only the start and the readers of old formats know the Python original (${path})`;
}

function sessionProblem(source: Source, path: string, clause: string): string | undefined {
  const { folder, open } = sessionFiles;
  if (source.module === "storage" || !path.startsWith(folder) || /^(import|export) type\b/.test(clause))
    return undefined;
  const name = path.slice(folder.length);
  return open.includes(name) ? undefined : `only storage/ knows how a session is stored (${path})`;
}

/** What other programs import re-exports all of zod. */
const handsOnZod = ["src/index.ts", "src/tools/tool-kit.ts"];

const openers = new Set(Object.values(mayOpenFiles).flat());

/** Whether it opens files; type imports do not count. */
export function opensFiles({ imports }: Source): boolean {
  return imports.some(
    ({ target, clause }) =>
      /^node:(fs|fs\/promises|sqlite)$/.test(target) && !/^(import|export) type\b/.test(clause),
  );
}

function packageProblem(source: Source, { target, clause }: Import): string | undefined {
  const { path } = source;
  const isFile = opensFiles({ ...source, imports: [{ target, clause }] });
  if (isFile && source.module !== "storage" && !openers.has(path))
    return "opens files itself; what is in the home goes through storage/ (scripts/file-access.ts lists what does not)";
  const isWholeZod = /^zod(\/|$)/.test(target) && !/^import (type )?\* as z from$/.test(clause);
  return isWholeZod && !handsOnZod.includes(path)
    ? 'write `import * as z from "zod"`: other forms bundle all of zod'
    : undefined;
}

function layerProblem(source: Source, path: string): string | undefined {
  const module = moduleOf(path);
  const [from, to] = [rank.get(source.module), rank.get(module)];
  if (from === undefined || to === undefined) return `imports ${path}, which is outside the modules`;
  const isSliceForSchema = source.module === "config" && /^src\/[^/]+\/config\.ts$/.test(path);
  if (to < from && !isSliceForSchema) return `imports upwards, from ${module}/ (${path})`;
  const allowed = only.get(source.module);
  if (module !== source.module && allowed && !allowed.includes(module)) {
    return `${source.module}/ sees only ${allowed.join(" and ")}, not ${module}/`;
  }
  return module === "channels" ? channelProblem(source, path) : undefined;
}

function channelProblem(source: Source, path: string): string | undefined {
  const to = channelName(path);
  if (channels.shared.includes(to) || to === channels.list) return undefined;
  if (source.module !== "channels") return `names a channel (${path}); channels are known as data only`;
  const from = channelName(source.path);
  return from === to || from === channels.list ? undefined : `one channel never sees another (${path})`;
}

/** Of src/channels/telegram.ts and of src/channels/telegram/send.ts: telegram. */
function channelName(path: string): string {
  return path.split("/")[2]?.replace(/\.ts$/, "") ?? "";
}
