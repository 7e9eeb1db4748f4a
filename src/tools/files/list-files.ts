// The tools glob and list_dir: files and folders by a pattern of their names, or all of one folder.

import { join } from "node:path";
import * as z from "zod";
import type { FileRoots, OpenedFolder } from "../../guards/files/file-roots.ts";
import { toOneLine } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import type { Tool, ToolContext } from "../../runner/tool.ts";
import { compileGlob, namesHidden, splitGlob } from "./glob-pattern.ts";
import {
  describePage,
  type FolderEntry,
  listFolder,
  takePage,
  toPageLimit,
  walkFolder,
} from "./walk-folder.ts";

const usualPage = 200;

const parameters = z.object({
  pattern: z.string().min(1).max(1000).describe("Such as *.py (at any depth), docs/**/*.{md,txt}"),
  path: z.string().optional(),
  entry_type: z.enum(["files", "dirs", "both"]).optional(),
  head_limit: z.int().min(0).optional().describe("Default 200, at most 1000"),
  offset: z.int().min(0).optional(),
});

type Arguments = z.output<typeof parameters>;

export function createGlob(roots: FileRoots): Tool<Arguments> {
  return defineTool({
    name: "glob",
    description:
      "Finds files by name. Leaves out .git, node_modules and the like, and hidden names unless the pattern names them.",
    parameters,
    readOnly: true,
    async execute(args, context) {
      const { path, pattern } = locate(args);
      const folder = await roots.openFolder(path, context.origin);
      try {
        const { offset = 0, entry_type = "files" } = args;
        const paths = findPaths(folder, { roots, pattern, entryType: entry_type, context });
        const page = await takePage(paths, offset, toPageLimit(args.head_limit, usualPage));
        if (page.items.length > 0)
          return { content: page.items.join("\n") + describePage(page, offset, "Results") };
        const beyond = offset > 0 ? ` beyond ${offset}` : "";
        return {
          content: `Nothing matches ${toOneLine(args.pattern, 200)}${beyond} (path: ${folder.shown}).`,
        };
      } finally {
        await folder.close();
      }
    },
  });
}

/** Folders that the pattern begins with are walked into at once; one without a slash is looked for at any depth. */
function locate({ pattern, path = "." }: Arguments): { path: string; pattern: string } {
  const trimmed = pattern.replace(/(?<=.)\/+$/, "");
  if (!trimmed.includes("/")) return { path, pattern: `**/${trimmed}` };
  const { folder, rest } = splitGlob(trimmed);
  if (folder === "") return { path, pattern: rest };
  return { path: /^[/~]/.test(folder) ? folder : join(path, folder), pattern: rest };
}

interface Search {
  roots: FileRoots;
  pattern: string;
  entryType: "files" | "dirs" | "both";
  context: ToolContext;
}

async function* findPaths(
  folder: OpenedFolder,
  { roots, pattern, entryType, context }: Search,
): AsyncGenerator<string> {
  const { origin, signal } = context;
  const matches = compileGlob(pattern);
  const includesHidden = namesHidden(pattern);
  for await (const entry of walkFolder(folder, { roots, origin, signal, includesHidden })) {
    if (!isWanted(entry, entryType) || !matches(entry.path)) continue;
    yield roots.display(join(folder.realPath, entry.path), origin) + (entry.kind === "folder" ? "/" : "");
  }
}

function isWanted({ kind }: FolderEntry, entryType: Search["entryType"]): boolean {
  if (entryType === "both") return true;
  return (kind === "folder") === (entryType === "dirs");
}

const usualEntries = 200;
const mostEntries = 1000;
const mostCounted = 10_000;

const listParameters = z.object({
  path: z.string().optional(),
  recursive: z.boolean().optional(),
  max_entries: z.int().min(1).optional().describe("Default 200, at most 1000"),
});

export function createListDir(roots: FileRoots): Tool<z.output<typeof listParameters>> {
  return defineTool({
    name: "list_dir",
    description: "Lists a folder; folders end with /. Recursive: without .git, node_modules and the like.",
    parameters: listParameters,
    readOnly: true,
    async execute({ path = ".", recursive = false, max_entries = usualEntries }, { origin, signal }) {
      const folder = await roots.openFolder(path, origin);
      try {
        const walk = walkFolder(folder, { roots, origin, signal });
        const entries = recursive ? walk : await listFolder(folder);
        return { content: await describeEntries(entries, folder.shown, Math.min(max_entries, mostEntries)) };
      } finally {
        await folder.close();
      }
    },
  });
}

async function describeEntries(
  entries: AsyncIterable<FolderEntry> | FolderEntry[],
  shown: string,
  limit: number,
): Promise<string> {
  const lines: string[] = [];
  let total = 0;
  for await (const entry of entries) {
    if (lines.length < limit) lines.push(toLine(entry));
    if (++total === mostCounted) break;
  }
  if (total === 0) return `(Folder ${shown} is empty.)`;
  if (total === lines.length) return lines.join("\n");
  const all = total === mostCounted ? `${total} or more` : total;
  return `${lines.join("\n")}\n(The first ${lines.length} of ${all} entries. List a subfolder, or use glob with a pattern.)`;
}

function toLine({ path, kind }: FolderEntry): string {
  if (kind === "link") return `${path} (symbolic link)`;
  return kind === "folder" ? `${path}/` : path;
}
