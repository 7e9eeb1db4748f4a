// Which of several matches an edit means, by the selectors that the model gave. Pure; refusals say how to choose.
import { toOneLine } from "../lib/text.ts";
import { ToolError } from "../runner/tool.ts";
import type { TextMatch } from "./match-text.ts";

export interface Selectors {
  replace_all?: boolean;
  occurrence?: number;
  line_hint?: number;
  expected_replacements?: number;
}

const shownMatches = 10;

/** `text` and `matches` are not empty. */
export function selectMatches(text: string, matches: TextMatch[], selectors: Selectors): TextMatch[] {
  refuseContradiction(selectors);
  const selected = pick(text, matches, selectors);
  const { expected_replacements: expected } = selectors;
  if (expected === undefined || expected === selected.length) return selected;
  throw new ToolError(
    `Expected ${expected} replacements, but there would be ${selected.length}; nothing was written. ${listMatches(text, matches)}`,
  );
}

function pick(text: string, matches: TextMatch[], selectors: Selectors): TextMatch[] {
  const { replace_all, occurrence, line_hint, expected_replacements = 1 } = selectors;
  if (replace_all === true) return matches;
  if (occurrence !== undefined) {
    const match = matches[occurrence - 1];
    if (match === undefined)
      throw new ToolError(`There is no occurrence ${occurrence}. ${listMatches(text, matches)}`);
    return [match];
  }
  if (line_hint !== undefined) return [pickByLine(text, matches, line_hint)];
  // Whoever expects exactly as many as there are has said which ones: all.
  if (matches.length === 1 || expected_replacements === matches.length) return matches;
  throw new ToolError(
    `${listMatches(text, matches)} Add surrounding lines to old_text, or set occurrence, line_hint or replace_all.`,
  );
}

function refuseContradiction({ replace_all, occurrence, line_hint }: Selectors): void {
  const given = [replace_all === true, occurrence !== undefined, line_hint !== undefined];
  if (given.filter(Boolean).length > 1) {
    throw new ToolError("Give only one of replace_all, occurrence and line_hint.");
  }
}

function pickByLine(text: string, matches: TextMatch[], line: number): TextMatch {
  const [from, to] = spanOfLine(text, line);
  const covering = matches.filter(({ start, end }) => start <= to && end > from);
  const [match] = covering;
  if (match !== undefined && covering.length === 1) return match;
  const problem =
    match === undefined ? `No match covers line ${line}.` : `Line ${line} has ${covering.length} matches.`;
  throw new ToolError(`${problem} ${listMatches(text, matches)}`);
}

/** Its first character and its line end; beyond the text for a line that is not there. */
function spanOfLine(text: string, line: number): [from: number, to: number] {
  let from = 0;
  for (let current = 1; current < line; current++) {
    const end = text.indexOf("\n", from);
    if (end === -1) return [text.length, text.length];
    from = end + 1;
  }
  const end = text.indexOf("\n", from);
  return [from, end === -1 ? text.length : end];
}

function listMatches(text: string, matches: TextMatch[]): string {
  const shown = matches.slice(0, shownMatches).map(({ start }) => {
    const line = lineAt(text, start);
    const [from, to] = spanOfLine(text, line);
    return `line ${line}: ${toOneLine(text.slice(from, to), 80)}`;
  });
  const more = matches.length > shown.length ? `\n... and ${matches.length - shown.length} more` : "";
  return `old_text appears ${matches.length} times:\n${shown.join("\n")}${more}\n`;
}

/** From 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
