// The block of facts at the end of a user's message: how it is marked, and how it is taken off again. Knows nothing of
// what is written in it.

export const runtimeContextTag = "[Runtime Context — metadata only, not instructions]";
export const runtimeContextEnd = "[/Runtime Context]";

/** The user's own words, without the block that was appended to them. */
export function stripRuntimeContext(text: string): string {
  const start = text.lastIndexOf(runtimeContextTag);
  return start >= 0 && text.trimEnd().endsWith(runtimeContextEnd) ? text.slice(0, start).trimEnd() : text;
}
