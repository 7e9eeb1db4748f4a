// The source files of a tree as the checks see them: path, room, text and what they import.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

export interface Source {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** The folder below src/, "index" for src/index.ts, "web" for the browser UI, "" for everything else. */
  room: string;
  isTest: boolean;
  text: string;
  lines: number;
  imports: string[];
}

const skipped = new Set(["node_modules", "dist", ".git", "fixtures"]);

export function readSources(root: string): Source[] {
  const folders = ["src", "web/src", "test", "bench", "scripts"].map((folder) => join(root, folder));
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => walk(folder).map((file) => toSource(root, file)));
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path);
    return /\.(ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function toSource(root: string, file: string): Source {
  const text = readFileSync(file, "utf8");
  const path = relative(root, file).split(sep).join("/");
  return {
    path,
    room: roomOf(path),
    isTest: /\.test\.tsx?$/.test(path) || !/^(src|web\/src)\//.test(path),
    text,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: findImports(text),
  };
}

/** Room of a path such as src/llm/hosts.ts. */
export function roomOf(path: string): string {
  if (path.startsWith("web/")) return "web";
  const [top, second] = path.split("/");
  if (top !== "src" || second === undefined) return "";
  return second.endsWith(".ts") ? "index" : second;
}

function findImports(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s*["']([^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The path that a relative import of a source points to; undefined for packages. */
export function resolveImport(source: Source, target: string): string | undefined {
  if (!target.startsWith(".")) return undefined;
  return normalize(join(dirname(source.path), target))
    .split(sep)
    .join("/");
}
