// What the words of a shell line become before any program sees them: quotes, variables, braces and home folders
// resolved as bash does. Runs nothing; what only a run would tell is "unknown".
import { posix } from "node:path";
import type { ParameterExpansionPart, Script, SyntaxNode, Word, WordPart } from "unbash";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/**
 * text: exactly that. pattern: the files it matches, with `\` before signs that are meant as such. listed: a name that a
 * search printed, standing where `listedName` stands. unknown: only a run would tell; the text is what was written.
 */
type WordKind = "text" | "pattern" | "listed" | "unknown";

export interface ShellWord {
  kind: WordKind;
  text: string;
}

export const listedName = "\u{FFFC}";

/** Stands for a number that a program prints, or for nothing if it fails. */
export const printedSign = "\u{E0F0}";

export const printedNumber: ShellWord = { kind: "text", text: printedSign };

/** Which number it is, only a run would tell. */
const someNumber: ShellWord = { kind: "text", text: "0" };

export interface WordScope {
  home: string;
  /** Undefined: not set in this line. */
  lookUp(name: string): ShellWord | undefined;
  assign(name: string, value: ShellWord): void;
  /** Reads the commands inside, and says what they would print. */
  substitute(script: Script): ShellWord;
  /** Reads the commands inside of what is not resolved here. */
  visit(node: SyntaxNode): void;
  doubt(reason: Phrase): void;
}

interface Piece extends ShellWord {
  /** An expansion without quotes: split at blanks, and its wildcards count. */
  isSplit?: boolean;
  isTilde?: boolean;
}

interface Field {
  kind: WordKind;
  text: string;
  pattern: string;
  isTilde: boolean;
}

const mostAlternatives = 64;
const longestWord = 100_000;
const kinds: WordKind[] = ["text", "pattern", "listed", "unknown"];

/**
 * All words that one word becomes: none, one, or several. In an argument that looks like an assignment bash puts the home
 * folder also behind a colon.
 */
export function resolveWord(word: Word, scope: WordScope): ShellWord[] {
  const alternatives = expandBraces(partsOf(word));
  if (alternatives === undefined) {
    scope.visit(word);
    return [toUnknown(word.text)];
  }
  return alternatives
    .flatMap((pieces) =>
      joinPieces(
        pieces.flatMap((part) => resolvePart(part, scope, false)),
        scope.home,
      ),
    )
    .map((field) => (/^\w+=.*:~/s.test(field.text) ? toUnknown(field.text) : field));
}

/** As the value of a variable or the target of a redirection: one word, whatever is in it. */
export function resolveText(word: Word, scope: WordScope): ShellWord {
  return joinText(partsOf(word), scope);
}

function partsOf(word: Word): readonly WordPart[] {
  return word.parts ?? [toLiteral(word, word.value)];
}

function toLiteral({ text, pos, end }: Omit<WordPart, "type">, value: string): WordPart {
  return { type: "Literal", text, value, pos, end };
}

export function joinText(parts: readonly WordPart[], scope: WordScope): ShellWord {
  const pieces = parts.flatMap((part) => resolvePart(part, scope, true));
  const [field = { kind: "text", text: "" }] = joinPieces(pieces, scope.home);
  // A home folder may also follow a colon.
  return field.text.includes(":~") ? toUnknown(field.text) : field;
}

export function toUnknown(text: string): ShellWord {
  return { kind: "unknown", text };
}

function resolvePart(part: WordPart, scope: WordScope, isQuoted: boolean): Piece[] {
  const isSplit = !isQuoted;
  switch (part.type) {
    case "Literal":
      return [{ kind: "text", text: part.value, isTilde: /^(\w+=)?~/.test(part.text) }];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value.includes("\0") ? toUnknown(part.text) : { kind: "text", text: part.value }];
    case "DoubleQuoted":
    case "LocaleString":
      return [{ kind: "text", text: "" }, ...part.parts.flatMap((child) => quoted(child, scope))];
    case "Glob":
      // Quotes inside of brackets and the like are too rare to be understood.
      return [
        /^(\*|\?|\[[\w!^-]+\])$/.test(part.text)
          ? { kind: "pattern", text: part.text }
          : toUnknown(part.text),
      ];
    case "SimpleExpansion":
      return [{ ...(scope.lookUp(part.text.slice(1)) ?? toUnknown(part.text)), isSplit }];
    case "ParameterExpansion":
      return [{ ...resolveParameter(part, scope), isSplit }];
    case "CommandExpansion":
      return [{ ...substitute(part, scope), isSplit }];
    case "ProcessSubstitution":
      substitute(part, scope);
      return [{ kind: "text", text: "/dev/fd/63" }];
    case "ArithmeticExpansion":
      scope.visit(part);
      return [someNumber];
    default:
      scope.visit(part);
      return [toUnknown(part.text)];
  }
}

function quoted(part: WordPart, scope: WordScope): Piece[] {
  return resolvePart(part, scope, true).map(({ kind, text }) => ({ kind, text }));
}

function substitute(part: { script: Script | undefined; text: string }, scope: WordScope): ShellWord {
  if (part.script === undefined) scope.doubt(phrase("approval.unknown-script"));
  const value = part.script === undefined ? undefined : scope.substitute(part.script);
  return value === undefined || value.kind === "unknown" ? toUnknown(part.text) : value;
}

function resolveParameter(part: ParameterExpansionPart, scope: WordScope): ShellWord {
  const { parameter, operation, prefix, index, text } = part;
  scope.visit(part);
  if (prefix === "#") return someNumber;
  if (prefix === "!" || operation?.type === "Transform" || operation?.type === "Unknown") {
    scope.doubt(phrase("approval.hidden-command"));
    return toUnknown(text);
  }
  if (operation?.type === "Default" && operation.operator.endsWith("="))
    scope.assign(parameter, toUnknown(text));
  const value = index === undefined ? scope.lookUp(parameter) : undefined;
  if (value === undefined || value.kind === "unknown") return toUnknown(text);
  if (operation === undefined) return value;
  if (operation.type === "Default")
    return value.text !== "" && !operation.operator.endsWith("+") ? value : toUnknown(text);
  if (operation.type !== "Remove") return toUnknown(text);
  return removeAffix(value, operation.operator, operation.operand) ?? toUnknown(text);
}

function removeAffix(
  value: ShellWord,
  operator: string,
  { text: pattern, parts }: Word,
): ShellWord | undefined {
  const { kind, text } = value;
  if (operator === "##" && pattern === "*/") return { kind, text: text.slice(text.lastIndexOf("/") + 1) };
  const isPlain = parts === undefined && /^[\w.-]+$/.test(pattern);
  if (operator.startsWith("%") && isPlain)
    return { kind, text: text.endsWith(pattern) ? text.slice(0, -pattern.length) : text };
  if (kind === "listed") return undefined;
  if (operator === "%" && pattern === ".*") return { kind, text: text.replace(/\.[^.]*$/, "") };
  if (operator === "%" && pattern === "/*") return { kind, text: text.replace(/\/[^/]*$/, "") };
  if (operator === "##" && pattern === "*.") return { kind, text: text.slice(text.lastIndexOf(".") + 1) };
  if (operator.startsWith("#") && isPlain)
    return { kind, text: text.startsWith(pattern) ? text.slice(pattern.length) : text };
  return undefined;
}

function joinPieces(pieces: Piece[], home: string): ShellWord[] {
  const fields: Field[] = [];
  let current: Field | undefined;
  const end = () => {
    if (current !== undefined) fields.push(current);
    current = undefined;
  };
  for (const piece of pieces) {
    if (!(piece.isSplit && piece.kind === "text")) {
      current = append(
        current,
        piece,
        piece.kind === "text" ? piece.text.replaceAll(/[*?[\\]/g, "\\$&") : piece.text,
      );
      continue;
    }
    for (const [index, text] of piece.text.split(/[ \t\n]+/).entries()) {
      if (index > 0) end();
      if (text !== "")
        current = append(current, { kind: /[*?[]/.test(text) ? "pattern" : "text", text }, text);
    }
  }
  end();
  return fields.map((field) => toShellWord(field, home));
}

function append(field: Field | undefined, piece: Piece, pattern: string): Field {
  const { kind, text, isTilde = false } = piece;
  if (field === undefined) return { kind, text, pattern, isTilde };
  if (field.text.length + text.length > longestWord) return { ...field, kind: "unknown" };
  return {
    kind: kinds[Math.max(kinds.indexOf(field.kind), kinds.indexOf(kind))] ?? "unknown",
    text: field.text + text,
    pattern: field.pattern + pattern,
    isTilde: field.isTilde,
  };
}

function toShellWord({ kind, text, pattern, isTilde }: Field, home: string): ShellWord {
  const written = kind === "pattern" ? pattern : text;
  if (!isTilde) return { kind, text: written };
  // Another person's home, or a folder of the shell's list.
  const [, before = "", rest] = /^(\w+=)?~((?:\/.*)?)$/s.exec(written) ?? [];
  return rest === undefined ? toUnknown(written) : { kind, text: before + home + rest };
}

/** Each way to choose one alternative of every brace; undefined when they cannot be told apart. */
function expandBraces(parts: readonly WordPart[]): WordPart[][] | undefined {
  let ways: WordPart[][] = [[]];
  for (const part of parts) {
    const texts = part.type === "BraceExpansion" ? toAlternatives(part.text) : undefined;
    if (part.type === "BraceExpansion" && texts === undefined) return undefined;
    const choices = texts?.map((text) => toLiteral({ ...part, text }, text)) ?? [part];
    ways = ways.flatMap((way) => choices.map((choice) => [...way, choice]));
    if (ways.length > mostAlternatives) return undefined;
  }
  return ways;
}

/** Of `{a,b}` and `{1..9}`; of a long range only the ends, because one number is as good as another. */
function toAlternatives(brace: string): string[] | undefined {
  const range = /^\{(-?\d+)\.\.(-?\d+)\}$/.exec(brace);
  if (range !== null) return toRange(Number(range[1]), Number(range[2]));
  const list = /^\{([^{}$`'"\\*?[]*)\}$/.exec(brace)?.[1];
  return list?.includes(",") ? list.split(",") : undefined;
}

function toRange(first: number, last: number): string[] {
  const start = Math.min(first, last);
  const length = Math.abs(last - first) + 1;
  if (length > mostAlternatives) return [String(first), String(last)];
  return Array.from({ length }, (_, index) => String(start + index));
}

/** The last name of a path, as `basename` prints it. */
export function toBaseName(path: string, suffix = ""): string {
  const name = posix.basename(path) || path;
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

interface WordVisitor {
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
  /** False ends the visit. */
  enter(): boolean;
  /** Commands; `isCounted`: bash counts with what they print. */
  script(script: Script, isCounted: boolean): void;
  /** What cannot be read. */
  gap(): void;
  /** Text that bash counts with, or a word whose value it counts with. */
  count(value: string | Word): void;
  countInto(name: string): void;
}

export function visitWords(node: SyntaxNode, visitor: WordVisitor): void {
  if (!visitor.enter()) return;
  const isCounted = node.type === "ArithmeticCommandExpansion";
  const script = node.type === "Script" ? node : isCounted ? node.script : undefined;
  if (script !== undefined) {
    visitor.script(script, isCounted);
    return;
  }
  const inside = "script" in node ? [node.script] : "expression" in node ? [node.expression] : [];
  if (inside.includes(undefined)) visitor.gap();
  for (const value of findCounted(node)) visitor.count(value);
  if (node.type === "ArithmeticBinary" && node.left.type === "ArithmeticWord") {
    if (/^[^=!<>]*=$/.test(node.operator)) visitor.countInto(node.left.value);
  }
  visitor.forEachChild(node, (child) => visitWords(child, visitor));
}

function findCounted(node: SyntaxNode): Array<string | Word> {
  switch (node.type) {
    case "ArithmeticWord":
      return [node.value];
    case "ParameterExpansion":
      return node.index === undefined ? [] : [node.index.text];
    case "Assignment":
      return node.index === undefined ? [] : [node.index.text];
    case "Slice":
      return [node.offset.text, node.length?.text ?? ""];
    case "TestUnary":
      return node.operator === "-v" ? [node.operand.text] : [];
    case "TestBinary":
      return /^-(eq|ne|[lg][te])$/.test(node.operator) ? [node.left, node.right] : [];
    default:
      return [];
  }
}
