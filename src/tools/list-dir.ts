// The tool list_dir: what is in a folder.
import * as z from "zod";
import type { FileRoots } from "../guards/file-roots.ts";
import { defineTool } from "../runner/define-tool.ts";
import type { Tool } from "../runner/tool.ts";
import { type FolderEntry, listFolder, walkFolder } from "./walk-folder.ts";

const usualEntries = 200;
const mostEntries = 1000;
const mostCounted = 10_000;

const parameters = z.object({
  path: z.string().optional(),
  recursive: z.boolean().optional(),
  max_entries: z.int().min(1).optional().describe("Default 200, at most 1000"),
});

export function createListDir(roots: FileRoots): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "list_dir",
    description: "Lists a folder; folders end with /. Recursive: without .git, node_modules and the like.",
    parameters,
    readOnly: true,
    async execute({ path = ".", recursive = false, max_entries = usualEntries }, { origin, signal }) {
      const folder = await roots.openFolder(path, origin);
      try {
        const walk = walkFolder(folder, { roots, origin, signal });
        const entries = recursive ? walk : await listFolder(folder);
        return { content: await describe(entries, folder.shown, Math.min(max_entries, mostEntries)) };
      } finally {
        await folder.close();
      }
    },
  });
}

async function describe(
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
