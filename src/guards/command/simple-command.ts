// One program with its arguments, as a reader of shell lines hands it to whoever judges it.
import type { Phrase } from "../../i18n/phrase.ts";
import type { ShellWord } from "./shell-word.ts";

export interface Assignment {
  name: string;
  value: ShellWord;
  /** Programs see it, too. */
  isExported: boolean;
}

export interface FileUse {
  access: "read" | "write";
  target: ShellWord;
}

export interface SimpleCommand {
  /** The program first; empty for a line that only assigns or redirects. */
  words: ShellWord[];
  assignments: Assignment[];
  redirections: FileUse[];
  /** Where it runs, as the shell names it; undefined: only a run would tell. */
  folder: string | undefined;
  /** What it can read from its input; undefined: nothing. */
  input: ShellWord | undefined;
}

/** local: runs code of the workspace, which is harmless where a sandbox contains it. */
export type Severity = "local" | "ask" | "refused";

export interface Concern {
  severity: Severity;
  reason: Phrase;
  isNetwork?: boolean;
}
