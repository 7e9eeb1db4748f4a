// Two texts compared line by line: which lines differ, and as a bounded unified diff without a header.
import { takeHead } from "../text.ts";

/** Undefined when the texts differ too much for a diff to be shorter than the text itself. */
export async function diffLines(before: string, after: string, limit: number): Promise<string | undefined> {
  const { structuredPatch } = await import("diff");
  const withEnd = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);
  const options = { context: 1, maxEditLength: 500 };
  const patch = structuredPatch("", "", withEnd(before), withEnd(after), undefined, undefined, options);
  if (patch === undefined) return undefined;
  return takeHead(patch.hunks.map(({ lines }) => lines.join("\n")).join("\n"), limit);
}

/** Lines that one text has more of than the other; blank ones and their order do not count. */
export function compareLines(before = "", after = ""): { added: string[]; removed: string[] } {
  return { added: linesBeyond(after, before), removed: linesBeyond(before, after) };
}

function linesBeyond(text: string, other: string): string[] {
  const counts = new Map<string, number>();
  for (const line of toLines(other)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return toLines(text).filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

/** Trimmed, without blank ones. */
export function toLines(text = ""): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
