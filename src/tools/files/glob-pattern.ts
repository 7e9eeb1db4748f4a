// File name patterns: * ? [a-z] {a,b} and **. Matching takes time in proportion to pattern times path, whatever a
// pattern looks like, which regular expressions made from patterns do not promise.
import { ToolError } from "../../runner/tool.ts";

const longestPattern = 1000;
const mostAlternatives = 100;

/** Answers for paths with `/`, relative to where the search begins. */
export type GlobPattern = (path: string) => boolean;

export function compileGlob(pattern: string): GlobPattern {
  if (pattern.length > longestPattern)
    throw new ToolError(`The pattern is longer than ${longestPattern} characters.`);
  const alternatives = expandBraces(pattern.normalize("NFC")).map(compilePath);
  return (path) => {
    const names = path.normalize("NFC").split("/");
    return alternatives.some((tokens) => matchesSequence(tokens, names));
  };
}

/** True when the pattern names something that begins with a dot. */
export function namesHidden(pattern: string): boolean {
  return /(^|[/{,])\.[^./]/.test(pattern);
}

/** The folders that a pattern begins with, and what is left to match below them. */
export function splitGlob(pattern: string): { folder: string; rest: string } {
  const names = pattern.split("/");
  const isFixed = (name: string) => !/[*?[\]{}]/.test(name);
  const fixed = names.slice(0, -1).findIndex((name) => !isFixed(name));
  const count = fixed === -1 ? names.length - 1 : fixed;
  const folder = names.slice(0, count).join("/");
  return { folder: count === 1 && folder === "" ? "/" : folder, rest: names.slice(count).join("/") };
}

type Token<Item> = "any-number" | ((item: Item) => boolean);

function compilePath(pattern: string): Token<string>[] {
  return pattern.split("/").map((name) => {
    if (name === "**") return "any-number";
    const tokens = compileName(name);
    return (item) => matchesSequence(tokens, [...item]);
  });
}

function compileName(name: string): Token<string>[] {
  const tokens: Token<string>[] = [];
  const characters = [...name];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    const classEnd = character === "[" ? findClassEnd(characters, index) : -1;
    if (character === "*") tokens.push("any-number");
    else if (character === "?") tokens.push(() => true);
    else if (classEnd === -1) tokens.push((item) => item === character);
    else {
      tokens.push(compileClass(characters.slice(index + 1, classEnd)));
      index = classEnd;
    }
  }
  return tokens;
}

/** A bracket right after the opening one, or after its `!`, belongs to the class. */
function findClassEnd(characters: string[], start: number): number {
  const first = characters[start + 1];
  return characters.indexOf("]", start + (first === "!" || first === "^" ? 3 : 2));
}

function compileClass(content: string[]): Token<string> {
  const isNegated = content[0] === "!" || content[0] === "^";
  const members = isNegated ? content.slice(1) : content;
  const ranges: Array<[low: string, high: string]> = [];
  for (let index = 0; index < members.length; index++) {
    const low = members[index] ?? "";
    const high = members[index + 1] === "-" ? members[index + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) index += 2;
  }
  return (item) => ranges.some(([low, high]) => low <= item && item <= high) !== isNegated;
}

/** Greedy, going back only to the last "any number": enough, because an earlier one could not do better. */
function matchesSequence<Item>(tokens: Token<Item>[], items: Item[]): boolean {
  let token = 0;
  let item = 0;
  let back: { token: number; item: number } | undefined;
  while (item < items.length) {
    const current = tokens[token];
    if (current === "any-number") {
      back = { token: ++token, item };
    } else if (current?.(items[item] as Item)) {
      token++;
      item++;
    } else if (back !== undefined) {
      back.item++;
      ({ token, item } = back);
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "any-number");
}

/** `a{b,c}` to `ab` and `ac`, innermost first. Braces without a comma are taken literally. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const brace = /\{([^{}]*,[^{}]*)\}/.exec(current);
    if (brace === null) {
      done.push(current);
    } else {
      const [before, after] = [current.slice(0, brace.index), current.slice(brace.index + brace[0].length)];
      for (const choice of brace[1]?.split(",") ?? []) open.push(before + choice + after);
    }
    if (done.length + open.length > mostAlternatives) {
      throw new ToolError(`The pattern stands for more than ${mostAlternatives} others. Use a simpler one.`);
    }
  }
  return done;
}
