// What is added to the end of a user's message: how it is marked, and how it is taken off again. Knows nothing of what is
// written between the marks.

export const runtimeContextTag = "[Runtime Context — metadata only, not instructions]";
export const runtimeContextEnd = "[/Runtime Context]";
export const activeSkillsTag = "[Active Skills — instructions for this message]";
export const activeSkillsEnd = "[/Active Skills]";

/** The user's own words, without the block of facts that was appended to them. */
export function stripRuntimeContext(text: string): string {
  return stripBlock(text, runtimeContextTag, runtimeContextEnd);
}

/** Without any block that was appended. */
export function stripAddedBlocks(text: string): string {
  return stripBlock(stripRuntimeContext(text), activeSkillsTag, activeSkillsEnd);
}

function stripBlock(text: string, tag: string, end: string): string {
  const start = text.lastIndexOf(tag);
  return start >= 0 && text.trimEnd().endsWith(end) ? text.slice(0, start).trimEnd() : text;
}

/** The first line of a goal's turn. */
export function toGoalLine(goal: string): string {
  return `[Goal: ${goal}]`;
}

/** The goal of a text that begins with `toGoalLine`; undefined for any other. */
export function readGoalLine(text: string): string | undefined {
  return /^\[Goal: ([\s\S]*?)\]\n/.exec(text)?.[1];
}
