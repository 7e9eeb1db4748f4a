// The builtins that change what the rest of a line means: the folder, variables, text that is evaluated. What they may
// do at all is judged elsewhere, like any program.
import { resolve } from "node:path";
import type { Function as ShellFunction } from "unbash";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { SimpleCommand } from "./inquiry.ts";
import { lookAt } from "./path-matches.ts";
import { printedSign, type ShellWord, toUnknown } from "./shell-word.ts";

interface BuiltinHooks {
  doubt(reason: Phrase): void;
  assign(name: string, value: ShellWord): void;
  readText(text: string, state: ShellState): void;
  /** Nothing in the line so far could have removed a folder. */
  isDiskUntouched(): boolean;
}

/** Builtins whose words are names of variables, some with a value. */
const assigning = /^(read|mapfile|readarray|getopts|unset|wait|export|declare|typeset|local|readonly)$/;

export function applyBuiltin(command: SimpleCommand, state: ShellState, hooks: BuiltinHooks): void {
  const isPrefixed = /^(command|builtin)$/.test(command.words[0]?.text ?? "");
  const start = isPrefixed ? command.words.findIndex(({ text }) => !/^(command|builtin|-.*)$/.test(text)) : 0;
  const [program, ...args] = start === -1 ? [] : command.words.slice(start);
  if (program?.kind !== "text") return;
  const { text: name } = program;
  if (name === "cd" || name === "pushd") changeFolder(command, args, state, hooks);
  if (name === "popd") state.folder = undefined;
  if (name === "eval") evaluate(args, state, hooks);
  if (name === "trap") setTrap(args[0], state, hooks);
  if (assigning.test(name) || (name === "printf" && args[0]?.text === "-v")) {
    const value = name === "read" && command.input?.kind === "listed" ? command.input : undefined;
    const names = args.flatMap(({ text }) => /^([A-Za-z_]\w*)(\+?=|\[|$)/.exec(text)?.[1] ?? []);
    for (const one of names) hooks.assign(one, value ?? toUnknown(`$${one}`));
  }
}

function changeFolder(
  command: SimpleCommand,
  args: ShellWord[],
  state: ShellState,
  hooks: BuiltinHooks,
): void {
  if (state.hasTrap) hooks.doubt(phrase("approval.later-command"));
  const [target, second] = args.filter(({ text }) => text !== "--" && text !== "-L");
  const isClear = target?.kind === "text" && !/^[-+]|^$/.test(target.text) && second === undefined;
  state.folder = isClear && state.folder !== undefined ? resolve(state.folder, target.text) : undefined;
  if (state.folder === undefined) return;
  state.isFolderSure &&= lookAt(state.folder) === "folder" && hooks.isDiskUntouched();
  // Judged as the shell goes there: a `..` behind a link leads back to where the link is.
  const there: ShellWord = { kind: "text", text: state.folder };
  command.words = command.words.map((word) => (word === target ? there : word));
}

function setTrap(code: ShellWord | undefined, state: ShellState, hooks: BuiltinHooks): void {
  if (code === undefined || /^-|^$/.test(code.text)) return;
  evaluate([code], forkState(state), hooks);
  state.hasTrap = true;
  if (/[$`]/.test(code.text)) hooks.doubt(phrase("approval.later-command"));
}

function evaluate(words: ShellWord[], state: ShellState, hooks: BuiltinHooks): void {
  const isKnown = words.every(({ kind }) => kind === "text");
  if (isKnown) hooks.readText(words.map(({ text }) => text).join(" "), state);
  else hooks.doubt(phrase("approval.unknown-script"));
}

export interface ShellState {
  folder: string | undefined;
  /** False after a `cd` that may fail: holds only for what runs if it did not. */
  isFolderSure: boolean;
  variables: Map<string, ShellWord>;
  functions: Map<string, ShellFunction["body"]>;
  input: ShellWord | undefined;
  /** Something is left to be done at the end, or in between. */
  hasTrap: boolean;
}

export function createState(folder: string | undefined, input?: ShellWord): ShellState {
  return { folder, isFolderSure: true, variables: new Map(), functions: new Map(), input, hasTrap: false };
}

export function forkState(state: ShellState): ShellState {
  return { ...state, variables: new Map(state.variables), functions: new Map(state.functions) };
}

/** Behind the command whose `cd` may have failed. */
export function settleFolder(state: ShellState): void {
  if (!state.isFolderSure) state.folder = undefined;
  state.isFolderSure = true;
}

/** Afterwards `state` holds whichever of the two ways was taken. True when they differ. */
export function joinStates(state: ShellState, other: ShellState): boolean {
  settleFolder(other);
  state.hasTrap ||= other.hasTrap;
  let isChanged = state.folder !== other.folder;
  if (isChanged) state.folder = undefined;
  for (const name of new Set([...state.variables.keys(), ...other.variables.keys()])) {
    if (isSame(state.variables.get(name), other.variables.get(name))) continue;
    isChanged = true;
    state.variables.set(name, toUnknown(`$${name}`));
  }
  for (const [name, body] of state.functions) {
    if (other.functions.get(name) !== body) state.functions.delete(name);
  }
  return isChanged;
}

function isSame(a: ShellWord | undefined, b: ShellWord | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.text === b.text;
}

/** Where bash counts, a value such as `a[$(id)]` runs what is in it. */
export function isSafeCount(value: string | ShellWord, { variables }: ShellState): boolean {
  const text =
    typeof value === "string" || value.kind === "text"
      ? typeof value === "string"
        ? value
        : value.text
      : "`";
  const names = text.match(/[A-Za-z_]\w*/g) ?? [];
  const isKnown = names.every((name) => {
    const word = variables.get(name);
    return word === undefined || (word.kind === "text" && /^-?\d*$/.test(word.text.replace(printedSign, "")));
  });
  // Of a function's own arguments nothing is known.
  return isKnown && !/[`\\'[]|\$\(|\$\{?[\d@*]/.test(text);
}
