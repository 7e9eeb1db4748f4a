// What a judge of one program receives: the command, the verdicts it can return, and functions that judge the paths,
// addresses and further commands that it names.

import { isIP } from "node:net";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { classifyAddress } from "../../lib/ip-address.ts";
import { toPlainHost } from "../../lib/loopback.ts";
import { toOneLine } from "../../lib/text.ts";
import type { PathAccess } from "./path-judge.ts";
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

export type AddressCheck = (word: string, isSure: boolean) => Concern[];

const privateNames =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$|^(ip6-|metadata$)/;

/** `isAllowed` is for networks that the owner opened. */
export function createAddressCheck(isAllowed: (address: string) => boolean): AddressCheck {
  return (word, isSure) => {
    const host = toHost(word, isSure);
    if (host === undefined) return [];
    const kind = isIP(host) === 0 ? (privateNames.test(host) ? "private" : "public") : classifyAddress(host);
    if (kind === "public" || isAllowed(host)) return [];
    return [
      {
        severity: "refused",
        reason: phrase("approval.private-address", { host: toOneLine(host, 100), kind }),
      },
    ];
  };
}

/** Of `https://u@h:1/x`, `h:80`, `u@h:path`, `::1`; undefined for what is no address at all. */
function toHost(word: string, isSure: boolean): string | undefined {
  if (isIP(word.split("%")[0] ?? "") !== 0) return word;
  const [, scheme, rest = word] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(word) ?? [];
  // A small number is a port or a count, unless it stands where an address has to.
  if (scheme === undefined && !isSure && /^\d{0,7}$/.test(rest)) return undefined;
  if (scheme === undefined && !/^([\w-]+@)?(\[[^\]]*\]|[\w.-]+)(:|\/|$)/.test(rest)) return undefined;
  const plain = rest.replace(/^([^/?#]*?):(?!\d+([/?#]|$))/, "$1/");
  return URL.canParse(`http://${plain}`) ? toPlainHost(new URL(`http://${plain}`).hostname) : undefined;
}
