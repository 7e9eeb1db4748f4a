// What a judge of one program is handed: the command, and the ways to look further into what it names.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { AddressCheck } from "./address-check.ts";
import type { PathAccess } from "./path-judge.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Concern, SimpleCommand } from "./simple-command.ts";

export interface Inquiry {
  command: SimpleCommand;
  /** Of the person behind the turn. */
  root: string;
  checkAddress: AddressCheck;
  add(...concerns: Concern[]): void;
  ask(reason: Phrase): void;
  /** `folder` is where the word counts from, if not where the command runs. */
  path(word: ShellWord, access: PathAccess, folder?: string): Promise<void>;
  /** Another program that this one starts. */
  run(words: ShellWord[], changes?: Partial<SimpleCommand>): Promise<void>;
  /** Text that this program hands to a shell. */
  shell(code: ShellWord): Promise<void>;
}

/** Sees the arguments, without the program's own name. */
export type ProgramJudge = (args: ShellWord[], inquiry: Inquiry, name: string) => Promise<void> | void;

export function toLocal(name: string): Concern {
  return { severity: "local", reason: phrase("approval.local-code", { program: name }) };
}

export function toLocalFiles(name: string): Concern {
  return { severity: "local", reason: phrase("approval.local-files", { program: name }) };
}

/** Words that follow options are what matters; the values of options count as such words. */
export function isOption({ kind, text }: ShellWord): boolean {
  return kind === "text" && /^-./s.test(text);
}
