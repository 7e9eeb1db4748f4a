// The files that conversations begin with, by name: who may write them, and the labels that they carry into a prompt.
import { join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { joinLabels, toLabel } from "../../lib/labels.ts";
import { type ToolContext, ToolError } from "../../runner/tool.ts";
import type { TaintedFiles } from "../../storage/grants/tainted-files.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { isInside, toRealRoot, toShownPath } from "../files/real-path.ts";
import { type KnownText, toKnownText } from "../outgoing/known-text.ts";

const largestPromptFile = 256 * 1024;

const usualNames = [
  "AGENTS.md",
  "SOUL.md",
  "USER.md",
  "TOOLS.md",
  "IDENTITY.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
];

/** Names in the root of a person or group: the usual ones, and those of the config. */
export function listPromptFiles(bootstrapFiles: readonly string[]): string[] {
  return [...new Set([...usualNames, ...bootstrapFiles])];
}

/** A usual prompt file or one of the memory, by its path from the root of a person or group. */
export function lastsInPrompts(path: string): boolean {
  return usualNames.includes(path) || path.startsWith("memory/");
}

/** Labels of a person's prompt: those of prompt files and memory that were written with untrusted content in mind. */
export function createPromptLabels(
  tainted: TaintedFiles,
  promptFiles: readonly string[],
): (personRoot: string) => Promise<string[]> {
  const names = [...promptFiles, "memory"];
  return async (personRoot) => {
    const known = await tainted.list();
    if (known.size === 0) return [];
    const places = names.map((name) => join(toRealRoot(personRoot), name));
    const inPrompt = [...known].filter(([path]) => places.some((place) => isInside(path, place)));
    return joinLabels(...inPrompt.map(([, labels]) => labels));
  };
}

/** True for prompt files, and for the memory: its notes and facts become part of prompts. */
export function createPromptFileRule(
  promptFiles: readonly string[],
  rootFor: (origin: Origin) => string,
): (path: string, origin: Origin) => boolean {
  const names = new Set(promptFiles.map(toComparable));
  return (path, origin) => {
    const root = rootFor(origin);
    const name = toComparable(toShownPath(path, root));
    return names.has(name) || isInside(path, join(root, "memory"));
  };
}

/** What the prompt of a turn begins with, as far as it is a person's: the prompt files and the memory. */
export function createPromptTexts(
  promptFiles: readonly string[],
  roots: Pick<FileRoots, "openForReading">,
): (context: Pick<ToolContext, "origin">) => Promise<KnownText[]> {
  const names = [...promptFiles, "memory/MEMORY.md"];
  return async ({ origin }) => {
    const texts = names.map(async (name): Promise<KnownText[]> => {
      const file = await roots.openForReading(name, origin).catch((error: unknown) => {
        if (!(error instanceof ToolError)) throw error;
      });
      try {
        if (file === undefined || file.size > largestPromptFile) return [];
        return [toKnownText(toLabel("file", name), await file.handle.readFile("utf8"))];
      } finally {
        await file?.handle.close();
      }
    });
    return (await Promise.all(texts)).flat();
  };
}

/** As a file system that ignores case and Unicode forms compares names. */
function toComparable(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
