// Judges one program with its arguments: by where it is, by what is known of it, or, where little is known, by whatever
// among its words looks like a file or an address.
import { posix } from "node:path";
import { phrase } from "../../i18n/phrase.ts";
import { toOneLine } from "../../lib/text.ts";
import { isInside } from "../files/real-path.ts";
import { type Inquiry, isOption, toLocal, toLocalFiles } from "./inquiry.ts";
import { lookAt } from "./path-matches.ts";
import { type ProgramRow, readArguments, type Use } from "./program-row.ts";
import { findKind, findRow, type ProgramKind } from "./program-table.ts";
import type { ShellWord } from "./shell-word.ts";
import { specialPrograms } from "./special-programs.ts";

/** The name under which a program of the system is known; a path for any other one. */
export function toProgramName(text: string): string {
  return /^\/((usr\/(local\/)?)?s?bin|opt\/homebrew\/bin)\/[^/]+$/.test(text) ? posix.basename(text) : text;
}

export async function judgeProgram(name: string, args: ShellWord[], inquiry: Inquiry): Promise<void> {
  const row = findRow(name);
  const judge = specialPrograms.get(name.replace(/^(python|lua|ruby|php|node)[\d.]+$/, "$1"));
  if (name.includes("/")) await judgePlace(name, args, inquiry);
  else if (judge !== undefined) await judge(args, inquiry, name);
  else if (row !== undefined) await judgeByRow(name, row, args, inquiry);
  else await judgeByKind(findKindOf(name, args, inquiry), name, args, inquiry);
  const isAnywhere = row?.rest === "words";
  if (inquiry.command.folder === undefined && !isAnywhere) inquiry.ask(phrase("approval.unknown-folder"));
}

async function judgePlace(path: string, args: ShellWord[], inquiry: Inquiry): Promise<void> {
  await inquiry.path({ kind: "text", text: path }, "read");
  if (!path.startsWith("/") || isInside(path, inquiry.root)) inquiry.add(toLocal(path));
  else inquiry.ask(phrase("approval.not-known", { program: toOneLine(path, 100) }));
  await judgeLooseWords(args, inquiry, false);
}

function findKindOf(name: string, args: ShellWord[], { command }: Inquiry): ProgramKind | undefined {
  const subcommand = args.find((word) => !isOption(word));
  if (name === "npx") {
    const path = posix.join(command.folder ?? "/", "node_modules/.bin", subcommand?.text ?? "");
    return lookAt(path) === "file" || args.some(({ text }) => /^--no(-install)?$/.test(text))
      ? "local"
      : "network";
  }
  const kind = findKind(name, subcommand?.text);
  const isAboutItself = args.length === 1 && /^(--version|-V|--help)$/.test(args[0]?.text ?? "");
  return isAboutItself && (kind === "local" || kind === "network") ? "harmless" : kind;
}

async function judgeByKind(
  kind: ProgramKind | undefined,
  name: string,
  args: ShellWord[],
  inquiry: Inquiry,
): Promise<void> {
  if (kind === "harmless") return;
  if (kind === "local") inquiry.add(toLocal(name));
  else if (kind === "network")
    inquiry.add({ severity: "ask", reason: phrase("approval.network", { program: name }), isNetwork: true });
  else if (kind === "refused")
    inquiry.add({ severity: "refused", reason: phrase("approval.wrecking", { program: name }) });
  else inquiry.ask(phrase("approval.not-known", { program: toOneLine(name, 100) }));
  await judgeLooseWords(args, inquiry, kind === "network");
}

const writingOptions =
  /^(-[oOPD]|--?out(put|file|-dir|Dir)?|--output-(document|dir)|--directory-prefix|--dump-header|--cookie-jar|--prefix|--target-dir|--destination)$/;

/** `hasHosts`: a bare word may be the name of a machine. */
async function judgeLooseWords(args: ShellWord[], inquiry: Inquiry, hasHosts: boolean): Promise<void> {
  for (const [index, word] of args.entries()) {
    const before = args[index - 1]?.text ?? "";
    const option = /^(-{0,2}[\w-]+)=/.exec(word.text)?.[1] ?? before;
    const value = word.text.replace(/^(-{0,2}[\w-]+=|-[A-Za-z](?=[/~.]))/, "");
    const text = value.replace(/^[@<]|^file:\/\/[^/]*/i, "");
    const isAddress = /^[a-z][\w+.-]*:\/\//i.test(text);
    if (word.kind === "unknown") inquiry.ask(phrase("approval.unknown-word", { word: word.text }));
    if (isAddress && !hasHosts)
      inquiry.add({
        severity: "ask",
        reason: phrase("approval.reaches", { host: toOneLine(text, 100) }),
        isNetwork: true,
      });
    // After an option a small number is no address.
    const isSure = isAddress || (/^0\d*$/.test(text) && !before.startsWith("-"));
    if (isAddress || hasHosts) inquiry.add(...inquiry.checkAddress(text, isSure));
    if (isAddress) continue;
    if (writingOptions.test(option)) await inquiry.path({ ...word, text }, "write");
    else if (/^[~.]|\//.test(text) || text !== value || word.kind !== "text")
      await inquiry.path({ ...word, text }, "read");
  }
}

const subscripting = /^(declare|typeset|local|export|readonly|unset|read|mapfile|readarray)$/;

async function judgeByRow(name: string, row: ProgramRow, args: ShellWord[], inquiry: Inquiry): Promise<void> {
  if (row.rest === "words") return;
  if (row.rest === "plain" || subscripting.test(name)) judgeSubscripts(args, inquiry);
  if (row.rest === "plain") return;
  const { uses, inner, concerns } = readArguments(row, name, args);
  inquiry.add(...concerns);
  if (row.note === "local") inquiry.add(toLocalFiles(name));
  if (row.note === "otherUser") inquiry.ask(phrase("approval.other-user"));
  for (const use of uses) await judgeUse(use, name, inquiry);
  if (inner.length > 0) await inquiry.run(inner);
}

async function judgeUse({ kind, word }: Use, name: string, inquiry: Inquiry): Promise<void> {
  if (kind === "read" || kind === "write" || kind === "tree" || kind === "remove") {
    await inquiry.path(word, kind);
    return;
  }
  const isPlain = {
    sed: () => isPlainSed(word.text),
    awk: () => isPlainAwk(word.text),
    // A filter of jq can read further files as modules.
    pattern: () => name !== "jq" || !/\b(import|include)\b/.test(word.text),
  };
  const test = kind === "sed" || kind === "awk" || kind === "pattern" ? isPlain[kind] : () => true;
  if (kind !== "any" && (word.kind === "listed" || !test()))
    inquiry.ask(phrase("approval.script-text", { program: name }));
}

/** Bash works out subscripts in some of these words, with the commands in them. */
function judgeSubscripts(args: ShellWord[], inquiry: Inquiry): void {
  const isSubscript = args.some(({ text, kind }) => /\[.*(\$\(|`)/s.test(text) && kind === "text");
  const isUnknown = args.some(({ text }, index) => text === "-v" && args[index + 1]?.kind === "unknown");
  if (isSubscript || isUnknown) inquiry.ask(phrase("approval.hidden-command"));
}

/** Of sed: addresses, substitutions and the plain commands; nothing that runs (`e`) or touches files (`r`, `w`). */
function isPlainSed(script: string): boolean {
  let rest: string | undefined = script;
  while (rest !== undefined && rest !== "") rest = skipSedCommand(rest.replace(/^[\s;{}]+/, ""));
  return rest === "";
}

const address = String.raw`(\d+(~\d+)?|\$|/(\\[\s\S]|[^\\/\n])*/I?|\+\d+)`;
const addresses = new RegExp(String.raw`^(${address}(\s*,\s*${address})?)?[\s!]*`);

/** What follows the first command; undefined when it is none of the plain ones. */
function skipSedCommand(script: string): string | undefined {
  const body = script.replace(addresses, "");
  const [letter = ""] = body;
  if (letter === "" || letter === "{" || letter === "}") return body.slice(1);
  // Text goes up to the end of the line, and further behind a backslash.
  if (/[aic]/.test(letter)) return body.replace(/^.(\\[\s\S]|[^\\\n])*/, "");
  if (/[bt:]/.test(letter)) return body.replace(/^.\s*\w*/, "");
  if (/[dDgGhHlnNpPqQxzF=]/.test(letter)) return toNextCommand(body.slice(1).replace(/^\d+/, ""));
  if (letter !== "s" && letter !== "y") return undefined;
  const middle = skipPart(body, 2);
  const end = middle === undefined ? undefined : skipPart(body, middle);
  return end === undefined ? undefined : toNextCommand(body.slice(end).replace(/^[gpiIMm0-9]+/, ""));
}

function toNextCommand(rest: string): string | undefined {
  return /^\s*($|[;}\n])/.test(rest) ? rest : undefined;
}

/** Behind the next sign that stands between the parts of a substitution. */
function skipPart(body: string, from: number): number | undefined {
  for (let at = from; at < body.length; at++) {
    if (body[at] === "\\") at++;
    else if (body[at] === body[1]) return at + 1;
  }
  return undefined;
}

/** Of awk: no pipes, no files to write, no other programs or sources. */
function isPlainAwk(program: string): boolean {
  const bare = program
    .replaceAll(/"(\\[\s\S]|[^"\\])*"/g, '""')
    .replaceAll(/(^|[{(,~!&|;\n]\s*)\/(\\[\s\S]|[^\\/\n])+\//g, "$1R");
  if (/\b(system|getline|close|fflush|ARG[VC]|PROCINFO)\b|[@#]|(?<!\|)\|(?!\|)/.test(bare)) return false;
  // What is compared inside of parentheses is no file.
  const printing = bare.split(/[;{}\n]/).filter((statement) => /\bprintf?\b/.test(statement));
  return printing.every((statement) => !removeParentheses(statement).includes(">"));
}

function removeParentheses(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, "");
  return outer === text ? text : removeParentheses(outer);
}
