// Marks within a line of Markdown: code, bold, italic, struck, links, escapes. Consumes only what later text cannot
// change, so that a line can be shown while it arrives and still comes out the same.
import type { Style } from "./style.ts";

/** A mark that is not closed within so many characters is shown as it stands; nothing is held back for longer. */
export const longestHeld = 1000;

export interface InlineOptions {
  style: Style;
  /** No more text of this line will come. */
  isComplete: boolean;
  /** The character before the text, "" at a line's beginning. */
  previous?: string;
}

export interface InlineResult {
  output: string;
  /** Characters of the input that the output covers. */
  consumed: number;
}

/** The text from a position on, as far as a mark may reach. Every decision depends on nothing else. */
interface View {
  rest: string;
  before: string;
  /** More text cannot change a decision: the line is complete, or the view is full. */
  isSettled: boolean;
  style: Style;
  depth: number;
}

/** What stands at the beginning of a view; "wait" only when it is not settled. */
type Piece = { length: number; output: string } | "wait";

const deepest = 4;
const special = /[\\`*_~[!<h]/;

export function renderInline(text: string, options: InlineOptions): InlineResult {
  return scan(text, options, 0);
}

function scan(
  text: string,
  { style, isComplete, previous = "" }: InlineOptions,
  depth: number,
): InlineResult {
  let output = "";
  let position = 0;
  while (position < text.length) {
    const character = text[position] ?? "";
    if (!special.test(character)) {
      output += character;
      position += 1;
      continue;
    }
    const rest = text.slice(position, position + longestHeld);
    const before = position === 0 ? previous : (text[position - 1] ?? "");
    const isSettled = isComplete || rest.length === longestHeld;
    const piece = pieceAt({ rest, before, isSettled, style, depth });
    if (piece === "wait") break;
    output += piece.output;
    position += piece.length;
  }
  return { output, consumed: position };
}

function pieceAt(view: View): Piece {
  switch (view.rest[0]) {
    case "\\":
      return escapedCharacter(view);
    case "`":
      return codeSpan(view);
    case "!":
    case "[":
      return link(view);
    case "<":
      return angleLink(view);
    case "h":
      return bareLink(view);
    default:
      return emphasised(view);
  }
}

function literal(view: View, length = 1): Piece {
  return { length, output: view.rest.slice(0, length) };
}

/** The text is no mark yet, but may become one. */
function undecided(view: View, length = 1): Piece {
  return view.isSettled ? literal(view, length) : "wait";
}

function escapedCharacter(view: View): Piece {
  if (view.rest.length === 1) return undecided(view);
  return /^\\[!-/:-@[-`{-~]/.test(view.rest) ? { length: 2, output: view.rest[1] ?? "" } : literal(view);
}

function codeSpan(view: View): Piece {
  const { rest, style } = view;
  const ticks = runLength(rest, 0);
  const closing = new RegExp(`(?<!\`)\`{${ticks}}(?!\`)`, "g");
  closing.lastIndex = ticks;
  const match = closing.exec(rest);
  if (match === null) return undecided(view, ticks);
  const end = match.index + ticks;
  if (end === rest.length && !view.isSettled) return "wait";
  if (style.isPlain) return literal(view, end);
  const code = rest.slice(ticks, match.index);
  return { length: end, output: style.code(/^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code) };
}

const linkPattern =
  /^!?\[((?:\\.|[^\]\\])*)\]\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)?)>?(?:\s+"[^"()]*")?\s*\)/;
const linkBeginning = /^(?:!|!?\[(?:\\.|[^\]\\])*(?:\\|\]|\]\([^()]*(?:\([^()]*(?:\)[^()]*)?)?)?)$/;

function link(view: View): Piece {
  const match = linkPattern.exec(view.rest);
  if (match === null) return linkBeginning.test(view.rest) ? undecided(view) : literal(view);
  const [whole, label = "", address = ""] = match;
  const shown = view.style.link(address);
  const isBare = label === "" || label === address;
  return { length: whole.length, output: isBare ? shown : `${inner(view, label)} (${shown})` };
}

function angleLink(view: View): Piece {
  const match = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/.exec(view.rest);
  if (match?.[1] !== undefined) return { length: match[0].length, output: view.style.link(match[1]) };
  const canBecome = /^<([a-z:/]{0,8}|(https?:\/\/|mailto:)[^\s<>]*)$/.test(view.rest);
  return canBecome ? undecided(view) : literal(view);
}

/** Addresses are kept whole, so that their underscores and stars are no marks. */
function bareLink(view: View): Piece {
  if (isWordCharacter(view.before)) return literal(view);
  const match = /^https?:\/\/[^\s<>()[\]"'`，。；：！？、）】》]+/.exec(view.rest);
  if (match === null)
    return /^h(t(t(p(s?(:(\/\/?)?)?)?)?)?)?$/.test(view.rest) ? undecided(view) : literal(view);
  if (match[0].length === view.rest.length && !view.isSettled) return "wait";
  const address = match[0].replace(/[.,;:!?*_~]+$/, "");
  return { length: address.length, output: view.style.link(address) };
}

function emphasised(view: View): Piece {
  const { rest, style } = view;
  const run = runLength(rest, 0);
  if (run === rest.length) return undecided(view, run);
  const mark = rest.slice(0, run);
  const isMark = rest[0] === "~" ? run === 2 : run <= 3;
  const isInWord = mark.startsWith("_") && isWordCharacter(view.before);
  if (!isMark || isInWord || view.depth >= deepest || /\s/.test(rest[run] ?? "")) return literal(view, run);
  const end = findClosing(view, mark);
  if (end === undefined) return undecided(view, run);
  return { length: end + run, output: paintOf(mark, style)(inner(view, rest.slice(run, end))) };
}

function paintOf(mark: string, style: Style): (text: string) => string {
  if (mark === "~~") return style.strike;
  if (mark.length === 3) return (text) => style.bold(style.italic(text));
  return mark.length === 2 ? style.bold : style.italic;
}

/** Where the closing mark begins: a run of the same length after something that is no space, outside of code. */
function findClosing({ rest, isSettled }: View, mark: string): number | undefined {
  let position = mark.length;
  while (position < rest.length) {
    const character = rest[position] ?? "";
    if (character === "\\") position += 2;
    else if (character === "`") {
      const length = codeLength(rest, position);
      if (length === undefined && !isSettled) return undefined;
      position += length ?? runLength(rest, position);
    } else if (character !== mark[0]) position += 1;
    else {
      const run = runLength(rest, position);
      const after = rest[position + run] ?? "";
      if (after === "" && !isSettled) return undefined;
      const closes = run === mark.length && /\S/.test(rest[position - 1] ?? "");
      if (closes && !(mark.startsWith("_") && isWordCharacter(after))) return position;
      position += run;
    }
  }
  return undefined;
}

/** Length of the code that begins at a position; undefined when it does not end. */
function codeLength(rest: string, position: number): number | undefined {
  const ticks = runLength(rest, position);
  const end = rest.indexOf("`".repeat(ticks), position + ticks);
  return end === -1 ? undefined : end + ticks - position;
}

function runLength(text: string, position: number): number {
  let end = position + 1;
  while (end < text.length && text[end] === text[position]) end += 1;
  return end - position;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function inner(view: View, text: string): string {
  return scan(text, { style: view.style, isComplete: true }, view.depth + 1).output;
}
