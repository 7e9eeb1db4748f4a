// The source files of a tree as the checks see them: path, module, text and what they import.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";

export interface Source {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** The folder below src/, "index" for src/index.ts, "web" for the browser UI, "" for everything else. */
  module: string;
  /** Tests, and all that is not the product: scripts, benchmarks. */
  isTest: boolean;
  /** The text with comments blanked and strings emptied: what is said in them is not code. */
  code: string;
  lines: number;
  imports: Import[];
}

export interface Import {
  target: string;
  /** Such as `import type { A } from`; of a dynamic import only `import(`. */
  clause: string;
}

const folders = ["src", "web/src", "test", "bench", "scripts"];
const skipped = new Set(["node_modules", "dist", ".git", "fixtures"]);

export function readSources(root: string): Source[] {
  return folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(walk)
    .map((file) => toSource(relative(root, file).split(sep).join("/"), readFileSync(file, "utf8")));
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path);
    return /\.(ts|tsx|mts|mjs|js)$/.test(entry.name) ? [path] : [];
  });
}

export function toSource(path: string, text: string): Source {
  const { code, strings } = setStringsApart(text);
  return {
    path,
    module: moduleOf(path),
    isTest: /\.test\.tsx?$/.test(path) || !/^(src|web\/src)\//.test(path),
    code,
    lines: countLines(text),
    imports: findImports(code, strings),
  };
}

export function countLines(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

/** Module of a path such as src/llm/hosts.ts. */
export function moduleOf(path: string): string {
  if (path.startsWith("web/")) return "web";
  const [top, second] = path.split("/");
  if (top !== "src" || second === undefined) return "";
  return second.endsWith(".ts") ? "index" : second;
}

/** The path that a relative import of a source points to; undefined for packages. */
export function resolveImport(source: Source, target: string): string | undefined {
  if (!target.startsWith(".")) return undefined;
  return posix.join(posix.dirname(source.path), target);
}

const comment = /\/\/.*|\/\*[\s\S]*?\*\//;
const string = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/;
// A slash opens a regular expression only where a value may begin; elsewhere it divides.
const regularExpression =
  /(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/;
const literal = new RegExp([comment, string, regularExpression].map(({ source }) => source).join("|"), "g");

/** Each string becomes its number in quotes, so that a pattern cannot mistake what a string says for code. */
function setStringsApart(text: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  const code = text.replaceAll(literal, (found) => {
    if (found.startsWith("/")) return " ";
    if (found.startsWith("`") && found.includes("${")) return "``";
    return `"${strings.push(found.slice(1, -1)) - 1}"`;
  });
  return { code, strings };
}

const importStatement =
  /\b((?:import|export)\b[\w\s$*{},]*?\bfrom)\s*"(\d+)"|(?<!\.)\b(import\s*\()\s*"(\d+)"|\b(import)\s*"(\d+)"/g;

function findImports(code: string, strings: string[]): Import[] {
  return [...code.matchAll(importStatement)].map((match) => ({
    target: strings[Number(match[2] ?? match[4] ?? match[6])] ?? "",
    clause: (match[1] ?? match[3] ?? match[5] ?? "").replaceAll(/\s+/g, " "),
  }));
}
