// What a write would change, for whoever decides on it: a bounded diff, or the new text where there is nothing to compare.
import type { Origin } from "../bus/types.ts";
import { diffLines } from "../lib/line-diff.ts";
import { cutMiddle } from "../lib/text.ts";
import { type Effect, ToolError } from "../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";

const longestDiff = 8_000;
const largestCompared = 1024 * 1024;

export async function describeWrite(
  effect: Effect & { type: "write" },
  roots: FileRoots,
  origin: Origin,
): Promise<string> {
  const shown = roots.display(await roots.resolveWrite(effect.path, origin), origin);
  if (effect.text === undefined) return shown;
  const before = effect.replaces ?? (await readCurrent(effect.path, roots, origin));
  const diff = before === undefined ? undefined : await diffLines(before, effect.text, longestDiff + 1);
  const added = effect.text.replace(/\n$/, "").replaceAll(/^/gm, "+");
  return `${shown}\n${cutMiddle(diff === undefined || diff === "" ? added : diff, longestDiff)}`;
}

/** Undefined where there is none, or none that could be compared. */
async function readCurrent(path: string, roots: FileRoots, origin: Origin): Promise<string | undefined> {
  const file = await roots.openForReading(path, origin).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
  try {
    return file === undefined || file.size > largestCompared ? undefined : await file.handle.readFile("utf8");
  } finally {
    await file?.handle.close();
  }
}
