// Text with plain line feeds for matching, and the way back to places in the original with its CRLFs.

export interface PlainText {
  text: string;
  /** The line end that most lines of the original have. */
  lineEnd: "\n" | "\r\n";
  /** Where a place of the plain text is in the original. */
  toOriginal(offset: number): number;
}

export function toPlainText(original: string): PlainText {
  const removed: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    removed.push(at - removed.length);
  }
  const text = removed.length === 0 ? original : toLineFeeds(original);
  const lines = text.split("\n").length - 1;
  return {
    text,
    lineEnd: removed.length * 2 > lines ? "\r\n" : "\n",
    toOriginal: (offset) => offset + countBelow(removed, offset),
  };
}

export function toLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function countBelow(sorted: number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
