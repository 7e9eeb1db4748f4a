// What a shell knows at one place of a line: its folder, variables and functions. Where two ways meet, what they do not
// agree on is unknown.
import type { Function as ShellFunction } from "unbash";
import { printedSign, type ShellWord, toUnknown } from "./shell-word.ts";

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
