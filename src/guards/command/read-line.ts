// Splits a shell line into the simple commands that it could start: in lists, pipelines, loops, functions, substitutions,
// and as arguments of programs that start others. What only a run would tell is unknown. Judges nothing.
import type { Assignment, Command, ParsedScript, Redirection, SyntaxNode, Word, WordPart } from "unbash";
import { toStarted } from "./started-programs.ts";

export interface Grammar {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

export interface ShellWord {
  text: string;
  /** False: only a run would tell; the text is what was written. */
  isKnown: boolean;
}

export interface SimpleCommand {
  /** The program first. */
  words: ShellWord[];
  /** Variables that are set for it, as they were written. */
  settings: string[];
  /** Where it is redirected to or from, but for /dev/null and its own streams. */
  files: string[];
}

export interface ReadLine {
  commands: SimpleCommand[];
  /** Every program that it starts is known. */
  isReadable: boolean;
  /** Nothing but literal words in lists and pipelines. */
  isPlain: boolean;
}

const mostCommands = 2000;
const deepest = 8;
const deepestTree = 400;
const plainNodes = new Set([
  ..."Script Statement AndOr Pipeline Command Word Literal SingleQuoted DoubleQuoted".split(" "),
  ..."Redirect FileDescriptor".split(" "),
]);

export function readLine(source: string, grammar: Grammar): ReadLine {
  const reader = new LineReader(grammar);
  reader.readText(source, 0);
  return reader;
}

/** Lives for one line. */
class LineReader implements ReadLine {
  readonly commands: SimpleCommand[] = [];
  isReadable = true;
  isPlain = true;
  readonly #grammar: Grammar;
  #nesting = 0;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  readText(source: string, depth: number): void {
    if (depth > deepest || this.commands.length > mostCommands) this.#giveUp();
    else this.#walk(this.#grammar.parse(source), depth, undefined);
  }

  /** `outer` is the text that what is around it is fed with. */
  #walk(node: SyntaxNode, depth: number, outer: string | undefined): void {
    if (this.commands.length > mostCommands || this.#nesting > deepestTree) {
      this.#giveUp();
      return;
    }
    this.#nesting += 1;
    if (!plainNodes.has(node.type)) this.isPlain = false;
    if (node.type === "Statement" && node.background) this.isPlain = false;
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) this.#giveUp();
    if ("script" in node && node.script === undefined) this.#giveUp();
    if (node.type === "Command") this.#readCommand(node, depth, outer);
    const input = node.type === "Redirected" ? (readInput(node.redirects) ?? outer) : outer;
    let isFirst = true;
    this.#grammar.forEachChild(node, (child) => {
      // What is behind a pipe reads what is before it.
      this.#walk(child, depth, node.type === "Pipeline" && !isFirst ? undefined : input);
      if (child.type !== "Time" && child.type !== "Negation") isFirst = false;
    });
    this.#nesting -= 1;
  }

  #readCommand(node: Command, depth: number, outer: string | undefined): void {
    const settings = node.prefix.flatMap((part) => (part.type === "Assignment" ? [part.text] : []));
    const args = node.args.map((part) => (part.type === "Word" ? toWord(part) : toAssigned(part)));
    const words = node.name === undefined ? [] : [toWord(node.name), ...args];
    const files = node.redirects.flatMap(toFile);
    if (settings.length > 0 || files.length > 0 || !words.every(({ isKnown }) => isKnown))
      this.isPlain = false;
    const hasInput = node.redirects.some(({ operator }) => operator.startsWith("<"));
    this.#record({ words, settings, files }, hasInput ? readInput(node.redirects) : outer, depth);
  }

  /** `input` is the text that it reads; undefined: unknown. */
  #record(command: SimpleCommand, input: string | undefined, depth: number): void {
    this.commands.push(command);
    if (command.words.length === 0) return;
    if (command.words[0]?.isKnown !== true || depth > deepest) {
      this.#giveUp();
      return;
    }
    const started = toStarted(command.words, input);
    if (started.isUnknown) this.#giveUp();
    for (const code of started.code) this.readText(code, depth + 1);
    for (const words of started.commands) this.#record({ words, settings: [], files: [] }, input, depth + 1);
  }

  #giveUp(): void {
    this.isReadable = false;
    this.isPlain = false;
  }
}

function toWord({ text, value, parts }: Word): ShellWord {
  if (parts === undefined) return { text: value, isKnown: !/(^|[:=])~/.test(text) };
  const texts = parts.map(toLiteral);
  const isKnown = texts.every((part) => part !== undefined) && !text.startsWith("~");
  return isKnown ? { text: texts.join(""), isKnown } : { text, isKnown };
}

function toAssigned({ name, value, text }: Assignment): ShellWord {
  const word = value.type === "Word" ? toWord(value) : undefined;
  return word?.isKnown ? { text: `${name}=${word.text}`, isKnown: true } : { text, isKnown: false };
}

function toLiteral(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted": {
      const texts = part.parts.map(toLiteral);
      return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
    }
    default:
      return undefined;
  }
}

function toFile(node: Redirection): string[] {
  if (node.type !== "Redirect") return [node.type];
  const target = node.target === undefined ? undefined : toWord(node.target);
  const isStream = node.operator.endsWith("&") && /^\d+$/.test(target?.text ?? "");
  return isStream || (target?.isKnown && target.text === "/dev/null") ? [] : [target?.text ?? ""];
}

function readInput(redirections: readonly Redirection[]): string | undefined {
  const last = redirections.findLast(({ type, operator }) => type !== "Redirect" || operator.startsWith("<"));
  if (last?.type === "HereDoc") return last.body.parts === undefined ? last.body.text : undefined;
  if (last?.type !== "HereString" || last.target === undefined) return undefined;
  const { text, isKnown } = toWord(last.target);
  return isKnown ? text : undefined;
}
