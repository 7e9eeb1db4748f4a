// What a turn changed of what later conversations begin with: prompt files and memory, each with its difference, for the
// person to see. Decides nothing.
import type { Origin } from "../../bus/types.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { cutMiddle } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";
import type { TurnPlace, UndoLog } from "../../storage/changes/undo-log.ts";
import type { FileRoots } from "../files/file-roots.ts";

export interface LastingChange {
  /** As the person knows it. */
  path: string;
  diff: string;
}

export interface LastingOptions {
  undo: Pick<UndoLog, "find" | "readBefore">;
  roots: Pick<FileRoots, "openForReading" | "display">;
  isPromptFile(path: string, origin: Origin): boolean;
}

const mostFiles = 5;
const longestDiff = 1_500;
const largestFile = 256 * 1024;

export async function findLastingChanges(
  place: TurnPlace,
  origin: Origin,
  { undo, roots, isPromptFile }: LastingOptions,
): Promise<LastingChange[]> {
  const { changes = [], isUndone } = (await undo.find(place)) ?? {};
  if (isUndone === true) return [];
  const lasting = changes.filter(({ path, before, after }) => before !== after && isPromptFile(path, origin));
  const found = lasting.slice(0, mostFiles).map(async ({ path }): Promise<LastingChange> => {
    const before = (await undo.readBefore(place, path))?.toString("utf8") ?? "";
    const after = await readNow(path, origin, roots);
    const diff = (await diffLines(before, after, longestDiff)) ?? after.replaceAll(/^/gm, "+");
    return { path: roots.display(path, origin), diff: cutMiddle(diff, longestDiff) };
  });
  return (await Promise.all(found)).filter(({ diff }) => diff !== "");
}

async function readNow(path: string, origin: Origin, roots: LastingOptions["roots"]): Promise<string> {
  const file = await roots.openForReading(path, origin).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
  try {
    return file === undefined || file.size > largestFile ? "" : await file.handle.readFile("utf8");
  } finally {
    await file?.handle.close();
  }
}
