// What is shown of a text that is too long to be shown: its beginning, its end, and where all of it lies.
import { takeHead, takeTail } from "../lib/text.ts";

/** Stands before the path. */
export const offloadMark = "All of it is in ";

/** A quarter of the limit from the beginning and an eighth from the end, at whole lines where there are any. */
export function describeOffloaded(text: string, path: string, limit: number): string {
  const head = cutAtLine(takeHead(text, Math.floor(limit / 4)));
  const tail = takeTail(text, Math.floor(limit / 8));
  const shownLines = head.split("\n").length - (head.endsWith("\n") ? 1 : 0);
  const lines = text.split("\n").length;
  return [
    head.trimEnd(),
    "...",
    tail.trimStart(),
    `(This is the beginning and the end of ${text.length} characters in ${lines} lines. ${offloadMark}${path}: read on with read_file, offset=${Math.min(shownLines + 1, lines)}, or search it with grep.)`,
  ].join("\n");
}

/** Unless that would lose most of it. */
function cutAtLine(text: string): string {
  const end = text.lastIndexOf("\n");
  return end < text.length / 2 ? text : text.slice(0, end + 1);
}
