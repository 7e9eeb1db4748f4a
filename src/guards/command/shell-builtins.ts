// The builtins that change what the rest of a line means: the folder, variables, text that is evaluated. What they may
// do at all is judged elsewhere, like any program.
import { resolve } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { lookAt } from "./disk-look.ts";
import { forkState, type ShellState } from "./shell-state.ts";
import { type ShellWord, toUnknown } from "./shell-word.ts";
import type { SimpleCommand } from "./simple-command.ts";

export interface BuiltinHooks {
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
