// Exports that no other file names. A type may be exported for a signature. Prints nothing; returns problems.
import { resolveImport, type Source } from "./sources.ts";

/** What other programs import, and the pages, which are loaded by a name in quotes. */
const entries = /^src\/(index|tools\/tool-kit)\.ts$|^web\/src\/pages\/.*-page\.tsx$/;

const exported =
  /^export (?:declare )?(?:(type|interface)|(?:async )?function\*?|(?:abstract )?class|const) (\w+)/gm;

export function findUnusedExports(sources: Source[]): string[] {
  const users = new Map<string, Set<string>>();
  for (const { path, code } of sources)
    for (const [word] of code.matchAll(/[\w$]+/g)) users.set(word, (users.get(word) ?? new Set()).add(path));
  const wholes = new Set(
    sources.flatMap((source) =>
      source.imports
        .filter(({ clause }) => clause.includes("* as "))
        .map(({ target }) => resolveImport(source, target)),
    ),
  );
  return sources
    .filter(({ path, isTest }) => !isTest && !entries.test(path) && !wholes.has(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(exported)].flatMap(([, type, name = ""]) => {
        if ((users.get(name)?.size ?? 0) > 1) return [];
        const isOfSignature = type !== undefined && code.split(new RegExp(`\\b${name}\\b`)).length > 2;
        return isOfSignature ? [] : [`${path}: no other file uses ${name}; do not export it, or remove it`];
      }),
    );
}
