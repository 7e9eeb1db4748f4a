// One file of code together with everything in its folder that it imports: read once, safely, and hashed. Runs nothing.
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { openVerified } from "../../storage/files/verified-open.ts";
import { codeOf } from "../files/file-error.ts";
import { isInside } from "../files/real-path.ts";

export interface CodeClosure {
  /** By absolute path; the first is the file itself. */
  sources: ReadonlyMap<string, Buffer>;
  hash: string;
}

/** `subject` is the file, or what it imports. */
export interface CodeProblem {
  kind:
    | CodeFault
    | "missing"
    | "unreadable"
    | "ending"
    | "too-large"
    | "outside"
    | "package"
    | "in-workspace";
  subject: string;
}

/** What is wrong with a file, whatever is in it. */
export type CodeFault = "not-a-file" | "owner" | "writable";

/** The name by which code imports what the program offers to it. */
export const ownName = "nanobot";

const endings = /\.(?:m?[jt]s|json)$/;
const mostFiles = 50;
const mostBytes = 2 * 1024 * 1024;
/** Comments, patterns and texts are passed over; types leave nothing behind when they are stripped. */
const importPattern = new RegExp(
  [
    String.raw`\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)`,
    String.raw`(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,500}\/`,
    String.raw`\b(?:import|export)\s+type\s+(?!from\b)[^"';=]{0,2000}?\bfrom\s*(?:"[^"\n]*"|'[^'\n]*')`,
    String.raw`(?<![.\w$])(?:from|import(?:\s*\()?)\s*(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)')`,
    // An unclosed string is taken as well: trying again behind every quote would take for ever.
    String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|${"`"}(?:\\[\s\S]|[^${"`"}\\])*${"`"}?`,
  ].join("|"),
  "g",
);

/** `folder` is a real path, and `path` is in it. */
export async function readClosure(folder: string, path: string): Promise<CodeClosure | CodeProblem> {
  const sources = new Map<string, Buffer>();
  const waiting = [path];
  let left = mostBytes;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (sources.has(next)) continue;
    const subject = relative(folder, next).replaceAll(sep, "/");
    const source = await readSource(next, subject, left);
    if (!Buffer.isBuffer(source)) return source;
    sources.set(next, source);
    left -= source.length;
    if (sources.size > mostFiles) return { kind: "too-large", subject };
    const found = findImports(next, source, folder);
    if (!Array.isArray(found)) return found;
    waiting.push(...found);
  }
  return { sources, hash: hashAll(folder, sources) };
}

/** What is wrong with whose file it is, and who can write to it. Windows says nothing of that. */
export function findFault({ uid, mode }: Pick<Stats, "uid" | "mode">): CodeFault | undefined {
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid()) return "owner";
  return (mode & 0o022) === 0 ? undefined : "writable";
}

async function readSource(path: string, subject: string, limit: number): Promise<Buffer | CodeProblem> {
  if (!endings.test(path)) return { kind: "ending", subject };
  const handle = await openVerified(path).catch((error: unknown) => {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
  });
  if (typeof handle === "string") return { kind: handle, subject };
  if (handle === undefined) return { kind: "not-a-file", subject };
  try {
    const status = await handle.stat();
    const fault = status.isFile() ? findFault(status) : "not-a-file";
    if (fault !== undefined) return { kind: fault, subject };
    return status.size > limit ? { kind: "too-large", subject } : await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Paths of imported files. One that hides from this pattern is refused when it is imported (import-trusted.ts). */
function findImports(path: string, source: Buffer, folder: string): string[] | CodeProblem {
  if (path.endsWith(".json")) return [];
  const paths: string[] = [];
  for (const { groups = {} } of source.toString("utf8").matchAll(importPattern)) {
    const subject = groups.double ?? groups.single;
    if (subject === undefined || isOffered(subject)) continue;
    const target = resolveImport(subject, path, folder);
    if (typeof target !== "string") return target;
    paths.push(target);
  }
  return paths;
}

export function isOffered(specifier: string): boolean {
  return specifier === ownName || isBuiltin(specifier);
}

/** Only files of the folder, by relative paths. */
export function resolveImport(specifier: string, from: string, folder: string): string | CodeProblem {
  const isPath = /^(?:\.{0,2}\/|file:)/.test(specifier);
  if (!isPath) return { kind: "package", subject: specifier };
  const target = resolve(dirname(from), specifier);
  const isRelative = specifier.startsWith(".") && isInside(target, folder);
  return isRelative ? target : { kind: "outside", subject: specifier };
}

function hashAll(folder: string, sources: ReadonlyMap<string, Buffer>): string {
  const lines = [...sources].map(([path, source]) => `${relative(folder, path)}\0${sha256(source)}\n`);
  const [entry = "", ...imported] = lines;
  return sha256(entry + imported.sort().join(""));
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
