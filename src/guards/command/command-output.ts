// What a command would print, where that can be told without running it: names that a search finds, a number, its own
// words. Whoever reads it (a pipe, a substitution, xargs) is judged by it.
import { posix } from "node:path";
import type { SimpleCommand } from "./inquiry.ts";
import { listedName, printedNumber, type ShellWord, toBaseName, toUnknown } from "./shell-word.ts";

const listed: ShellWord = { kind: "listed", text: listedName };
const unknown = toUnknown("");

/** Programs that print names of files, and how their arguments look when they do. */
const searches = new Map([
  ["find", /^(?!.*-(f?printf|fprint0?|fls|ls|exec\w*|ok\w*)( |$))/s],
  ["fd", /^(?!.*(-x|-X|--exec|--format))/s],
  ["ls", /^(?!.*(^| )-\w*[lsion])/s],
  ["git ls-files", /^(?!.*( -s|--stage|--format))/s],
  ["git diff", /--name-only/],
  ["git grep", /(^| )(-\w*l\w*|--files-with-matches)( |$)/],
  ["grep", /(^| )(-\w*[lL]\w*|--files-with(out)?-match(es)?)( |$)/],
  ["rg", /(^| )(-\w*l\w*|--files|--files-with-matches)( |$)/],
]);

export function predictOutput({ words, input, folder }: SimpleCommand): ShellWord {
  const [program, ...args] = words;
  const name = program?.kind === "text" ? program.text : "";
  const line = args.map((word) => word.text).join(" ");
  if (searches.get(name === "git" ? `git ${args[0]?.text}` : name)?.test(line)) return listed;
  const operands = args.filter((word) => !/^(-|\d+$)/.test(word.text));
  if (/^(sort|uniq|head|tail|shuf|tac|cat|tee)$/.test(name) && operands.length === 0)
    return filter(line, input);
  const isCount = /^[ef]?grep$/.test(name) && /(^| )-\w*c/.test(line) && !/(^| )-\w*[rRH]/.test(line);
  if (isCount && operands.length <= 2) return printedNumber;
  if (/^[ef]?grep$/.test(name) && operands.length === 1) return filter(line, input);
  if (name === "nproc" || (name === "wc" && operands.length === 0)) return printedNumber;
  if (name === "seq" && /^[\d ]*$/.test(line)) return printedNumber;
  // Names of commits, as numbers.
  if (name === "git" && /^(merge-base( [\w/.-]+)+|rev-parse( --short)? [\w/.~^-]+)$/.test(line))
    return printedNumber;
  if (name === "date") return /^(-u )?(\+[%\w:_-]*)?$/.test(line) ? printedNumber : unknown;
  if (name === "pwd") return folder === undefined ? unknown : { kind: "text", text: folder };
  return args.every(({ kind }) => kind === "text" || kind === "pattern") ? repeat(name, args, line) : unknown;
}

/** What comes out of a pipe in which whole lines are kept or dropped. */
function filter(line: string, input: ShellWord = unknown): ShellWord {
  if (line === "") return input;
  return input.kind === "listed" && !/(^| )(-\w*[ob]|--only)/.test(line) ? listed : unknown;
}

/** What comes out of a program that prints its own words. */
function repeat(name: string, args: ShellWord[], line: string): ShellWord {
  const kind = args.some((word) => word.kind === "pattern") ? "pattern" : "text";
  const [first, second] = args.map((word) => word.text);
  if (name === "basename" && first !== undefined) return { kind, text: toBaseName(first, second) };
  if (name === "dirname" && first !== undefined && args.length === 1)
    return { kind, text: posix.dirname(first) };
  return name === "echo" && kind === "text" && !/^-|\\/.test(line) ? { kind, text: line } : unknown;
}
