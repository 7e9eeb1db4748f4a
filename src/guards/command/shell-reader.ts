// Reads a shell line into every simple command that it may run: in lists, pipelines, loops, branches, functions,
// substitutions and evaluated text, each with its words resolved and the folder it runs in. Judges nothing.
import type {
  Case,
  Command,
  CompoundList,
  For,
  HereDoc,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Function as ShellFunction,
  SyntaxNode,
  Assignment as WrittenAssignment,
} from "unbash";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { predictOutput } from "./command-output.ts";
import type { Assignment, Concern, SimpleCommand } from "./inquiry.ts";
import {
  applyBuiltin,
  createState,
  forkState,
  isSafeCount,
  joinStates,
  type ShellState,
  settleFolder,
} from "./shell-builtins.ts";
import {
  joinText,
  resolveText,
  resolveWord,
  type ShellWord,
  toUnknown,
  visitWords,
  type WordScope,
} from "./shell-word.ts";

export interface Grammar {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

export interface ReadOptions {
  grammar: Grammar;
  /** Of whoever runs the line. */
  home: string;
  folder: string | undefined;
  input?: ShellWord;
}

export interface ReadLine {
  commands: SimpleCommand[];
  concerns: Concern[];
}

const mostSteps = 2000;
const deepestText = 8;
const mostRounds = 64;
const unknown = toUnknown("");

export function readShell(source: string, options: ReadOptions): ReadLine {
  const reader = new ShellReader(options);
  reader.readText(source, createState(options.folder, options.input));
  return reader;
}

/** Lives for one line. */
class ShellReader implements ReadLine {
  readonly commands: SimpleCommand[] = [];
  readonly concerns: Concern[] = [];
  readonly #options: ReadOptions;
  readonly #functions = new Set<string>();
  readonly #running = new Set<string>();
  #steps = 0;
  #textDepth = 0;
  #parallel = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  readText(source: string, state: ShellState): void {
    if (this.#textDepth++ < deepestText) this.#walk(this.#options.grammar.parse(source), state);
    else this.#doubt(phrase("approval.too-complex"));
    this.#textDepth--;
  }

  /** Returns what it would print. */
  #walk(node: SyntaxNode, state: ShellState): ShellWord {
    if (this.#isTooMuch()) return unknown;
    switch (node.type) {
      case "Script":
        for (const error of node.errors ?? [])
          this.#doubt(phrase("approval.not-well-formed", { quote: error.message }));
        return this.#walkStatements(node, state);
      case "CompoundList":
        return this.#walkStatements(node, state);
      case "AndOr":
        return this.#walkAndOr(node.commands, node.operators, state);
      case "Pipeline":
        return this.#walkPipeline(node, state);
      case "Command":
        return this.#walkCommand(node, state);
      case "Redirected": {
        const command = this.#record({ redirections: node.redirects }, state);
        const outer = state.input;
        state.input = command.input;
        const output = this.#walk(node.command, state);
        state.input = outer;
        return output;
      }
      case "BraceGroup":
        return this.#walk(node.body, state);
      case "Subshell":
      case "Coproc":
        return this.#walk(node.body, forkState(state));
      case "If":
        return this.#walkIf(node, state);
      case "For":
      case "Select":
        return this.#walkFor(node, state);
      case "While":
        return this.#loop(state, [node.clause, node.body]);
      case "ArithmeticFor":
        return this.#loop(state, [node.initialize, node.test, node.update, node.body]);
      case "Case":
        return this.#walkCase(node, state);
      case "Function":
        return this.#define(node, state);
      default:
        this.#visit(node, state);
        return unknown;
    }
  }

  #walkStatements({ commands }: Pick<CompoundList, "commands">, state: ShellState): ShellWord {
    const outputs = commands.map(({ command, background }) => {
      if (background) return this.#inParallel(() => this.#walk(command, forkState(state)));
      const output = this.#walk(command, state);
      settleFolder(state);
      return output;
    });
    return outputs.length === 1 ? (outputs[0] ?? unknown) : unknown;
  }

  #walkAndOr(
    [first, ...rest]: readonly SyntaxNode[],
    operators: readonly string[],
    state: ShellState,
  ): ShellWord {
    if (first !== undefined) this.#walk(first, state);
    const after = forkState(state);
    for (const [index, command] of rest.entries()) {
      if (operators[index] === "||") settleFolder(after);
      this.#walk(command, after);
    }
    joinStates(state, after);
    return unknown;
  }

  #walkPipeline({ commands: [first, ...rest] }: Pipeline, state: ShellState): ShellWord {
    if (first === undefined) return unknown;
    if (rest.length === 0) return this.#walk(first, state);
    return this.#inParallel(() => {
      let input = this.#walk(first, forkState(state));
      for (const command of rest) input = this.#walk(command, { ...forkState(state), input });
      return input;
    });
  }

  #walkIf(node: If, state: ShellState): ShellWord {
    const ends: ShellState[] = [];
    for (const { clause, then } of [node, ...node.elif]) {
      this.#walk(clause, state);
      const taken = forkState(state);
      this.#walk(then, taken);
      ends.push(taken);
    }
    if (node.else !== undefined) this.#walk(node.else, state);
    for (const end of ends) joinStates(state, end);
    return unknown;
  }

  #walkCase({ word, items }: Case, state: ShellState): ShellWord {
    this.#visit(word, state);
    const before = forkState(state);
    for (const { pattern, body, terminator = ";;" } of items) {
      if (terminator !== ";;") this.#doubt(phrase("approval.hidden-command"));
      for (const one of pattern) this.#visit(one, before);
      const taken = forkState(before);
      this.#walk(body, taken);
      joinStates(state, taken);
    }
    return unknown;
  }

  #walkFor({ name, wordlist, body }: Pick<For, "name" | "wordlist" | "body">, state: ShellState): ShellWord {
    const words = wordlist?.flatMap((word) => resolveWord(word, this.#scope(state))) ?? [unknown];
    for (const value of words.length > mostRounds ? [unknown] : words) {
      this.#assign(name.value, value, state);
      this.#loop(state, [body]);
    }
    this.#assign(name.value, unknown, state);
    return unknown;
  }

  /** What one round changes, the next one sees. */
  #loop(state: ShellState, nodes: Array<SyntaxNode | undefined>): ShellWord {
    const walkRound = (round: ShellState) => {
      for (const node of nodes) if (node !== undefined) this.#walk(node, round);
      return round;
    };
    if (joinStates(state, walkRound(forkState(state)))) walkRound(forkState(state));
    return unknown;
  }

  #define({ name: { value: name }, body }: ShellFunction, state: ShellState): ShellWord {
    this.#functions.add(name);
    state.functions.set(name, body);
    this.#runBody(name, body, forkState(state));
    return unknown;
  }

  #runBody(name: string, body: SyntaxNode, state: ShellState): void {
    this.#running.add(name);
    this.#walk(body, state);
    this.#running.delete(name);
  }

  #call(name: string, state: ShellState): void {
    const body = state.functions.get(name);
    if (this.#running.has(name)) {
      const severity = this.#parallel === 0 ? "ask" : "refused";
      this.concerns.push({ severity, reason: phrase("approval.starts-itself", { name }) });
    } else if (body === undefined) this.#doubt(phrase("approval.unknown-function", { name }));
    else this.#runBody(name, body, state);
  }

  #walkCommand(node: Command, state: ShellState): ShellWord {
    const scope = this.#scope(state);
    const words = node.name === undefined ? [] : resolveWord(node.name, scope);
    const isPlain = node.name === undefined;
    const assignments: Assignment[] = [];
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue;
      assignments.push(this.#readAssignment(part, !isPlain, state));
      // One after the other: the next may use it.
      if (isPlain) state.variables.set(part.name, assignments.at(-1)?.value ?? unknown);
    }
    const declared: Assignment[] = [];
    for (const part of node.args) {
      if (part.type === "Word") words.push(...resolveWord(part, scope));
      else declared.push(this.#readAssignment(part, true, state));
    }
    for (const { name, value } of declared) state.variables.set(name, value);
    const [program] = words;
    const name = program?.kind === "text" ? program.text : "";
    const isCall = this.#functions.has(name);
    // A function and evaluated text see what stands before them; bash does not agree with itself for how long.
    if (isCall || name === "eval") for (const one of assignments) state.variables.set(one.name, unknown);
    if (isCall) this.#call(name, state);
    const isOnlyCall = isCall && state.functions.has(name);
    const found = {
      words: isOnlyCall ? [] : words,
      assignments: [...assignments, ...declared],
      redirections: node.redirects,
    };
    const command = this.#record(found, state);
    if (isOnlyCall) return unknown;
    applyBuiltin(command, state, {
      doubt: (reason) => this.#doubt(reason),
      assign: (variable, value) => this.#assign(variable, value, state),
      readText: (text, within) => this.readText(text, within),
      isDiskUntouched: () =>
        this.commands.every((one) =>
          /^(cd|pushd|ls|echo|pwd|set|export|mkdir|true|:)$/.test(one.words[0]?.text ?? ":"),
        ),
    });
    return predictOutput(command);
  }

  #record(
    {
      words = [],
      assignments = [],
      redirections = [],
    }: { words?: ShellWord[]; assignments?: Assignment[]; redirections?: readonly Redirection[] },
    state: ShellState,
  ): SimpleCommand {
    const command: SimpleCommand = {
      words,
      assignments,
      redirections: [],
      folder: state.folder,
      input: state.input,
    };
    for (const node of redirections) this.#redirect(node, command, state);
    this.commands.push(command);
    return command;
  }

  #redirect(node: Redirection, command: SimpleCommand, state: ShellState): void {
    const scope = this.#scope(state);
    if (node.type === "HereDoc") {
      command.input = readHereDoc(node, scope);
      return;
    }
    if (node.target === undefined) {
      this.#doubt(phrase("approval.redirection-nowhere"));
      return;
    }
    const [part] = node.target.parts ?? [];
    const isFed = node.type === "Redirect" && node.operator === "<" && part?.type === "ProcessSubstitution";
    if (isFed && part.script !== undefined) {
      command.input = this.#walk(part.script, forkState(state));
      return;
    }
    const target = resolveText(node.target, scope);
    if (node.operator.startsWith("<")) command.input = node.type === "HereString" ? target : unknown;
    const isDescriptor = node.operator.endsWith("&") && target.kind === "text" && /^\d*-?$/.test(target.text);
    if (node.type === "HereString" || isDescriptor) return;
    command.redirections.push({ access: /^<&?$/.test(node.operator) ? "read" : "write", target });
  }

  /** Set by something else than an assignment; whoever judges sees it as one. */
  #assign(name: string, value: ShellWord, state: ShellState): void {
    state.variables.set(name, value);
    this.#record({ assignments: [{ name, value, isExported: false }] }, state);
  }

  #readAssignment(node: WrittenAssignment, isExported: boolean, state: ShellState): Assignment {
    const { name, value, append, index } = node;
    const isPlain = value.type === "Word" && !append && index === undefined;
    if (!isPlain) this.#visit(node, state);
    return { name, value: isPlain ? resolveText(value, this.#scope(state)) : unknown, isExported };
  }

  #inParallel<T>(act: () => T): T {
    this.#parallel++;
    const result = act();
    this.#parallel--;
    return result;
  }

  #scope(state: ShellState): WordScope {
    return {
      home: this.#options.home,
      lookUp: (name) => state.variables.get(name) ?? this.#lookUpSpecial(name, state),
      assign: (name, value) => this.#assign(name, value, state),
      substitute: (script) => this.#walk(script, forkState(state)),
      visit: (node) => this.#visit(node, state),
      doubt: (reason) => this.#doubt(reason),
    };
  }

  #lookUpSpecial(name: string, { folder }: ShellState): ShellWord | undefined {
    if (name === "HOME") return { kind: "text", text: this.#options.home };
    if (name === "PWD") return folder === undefined ? undefined : { kind: "text", text: folder };
    return /^[?$#]$/.test(name) ? { kind: "text", text: "0" } : undefined;
  }

  #visit(node: SyntaxNode, state: ShellState): void {
    const checkCount = (value: string | ShellWord) => {
      if (!isSafeCount(value, state)) this.#doubt(phrase("approval.hidden-command"));
    };
    visitWords(node, {
      forEachChild: this.#options.grammar.forEachChild,
      enter: () => !this.#isTooMuch(),
      gap: () => this.#doubt(phrase("approval.unknown-script")),
      script: (script, isCounted) => {
        const output = this.#walk(script, forkState(state));
        if (isCounted) checkCount(output);
      },
      count: (value) =>
        checkCount(typeof value === "string" ? value : resolveText(value, this.#scope(state))),
      countInto: (name) => this.#assign(name, { kind: "text", text: "0" }, state),
    });
  }

  #isTooMuch(): boolean {
    if (this.#steps === mostSteps) this.#doubt(phrase("approval.too-complex"));
    return this.#steps++ >= mostSteps;
  }

  #doubt(reason: Phrase): void {
    this.concerns.push({ severity: "ask", reason });
  }
}

function readHereDoc({ delimiter, body, closing }: HereDoc, scope: WordScope): ShellWord {
  if (closing === undefined) scope.doubt(phrase("approval.unended-text"));
  if (body.parts !== undefined) return joinText(body.parts, scope);
  const isAsWritten = delimiter?.quoted ?? false;
  return { kind: "text", text: isAsWritten ? body.text : body.text.replaceAll(/\\([$`\\])|\\\n/g, "$1") };
}
