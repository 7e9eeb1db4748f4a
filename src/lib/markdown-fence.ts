// Text of others inside Markdown, so that its end is where it ends.

/** A code block whose fence is longer than any inside it. */
export function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
