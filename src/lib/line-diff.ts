// Two texts compared line by line, as a bounded unified diff without a header.
import { takeHead } from "./text.ts";

/** Undefined when the texts differ too much for a diff to be shorter than the text itself. */
export async function diffLines(before: string, after: string, limit: number): Promise<string | undefined> {
  const { structuredPatch } = await import("diff");
  const withEnd = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);
  const options = { context: 1, maxEditLength: 500 };
  const patch = structuredPatch("", "", withEnd(before), withEnd(after), undefined, undefined, options);
  if (patch === undefined) return undefined;
  return takeHead(patch.hunks.map(({ lines }) => lines.join("\n")).join("\n"), limit);
}
