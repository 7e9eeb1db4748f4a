// Programs whose arguments are more than a list of options and files: those that start others, copy, unpack, or end
// processes.
import { basename, dirname, resolve } from "node:path";
import { phrase } from "../../i18n/phrase.ts";
import { judgeGit } from "./git-judge.ts";
import { type Inquiry, isOption, type ProgramJudge, toLocal, toLocalFiles } from "./inquiry.ts";
import { judgeInterpreter } from "./interpreter-judge.ts";
import { findMatches, lookAt } from "./path-matches.ts";
import { type ProgramRow, type ReadArguments, readArguments, readTable } from "./program-row.ts";
import { listedName, type ShellWord, toUnknown } from "./shell-word.ts";

const table = `
xargs | 0rtpx n: L: P: I: d: a< s: E: | null no-run-if-empty max-args: max-lines? max-procs: replace: delimiter: arg-file< verbose | command
env | i0 u: C! S! | ignore-environment unset: null | command
cp | abdfHinprRTuvxP t> S: | archive backup? force interactive no-clobber parents recursive update? verbose target-directory> no-target-directory preserve? reflink? sparse: | read*
mv | bfinTuv t> S: | backup? force interactive no-clobber update? verbose target-directory> no-target-directory | tree*
ln | bfinrsTvP t> | symbolic force no-dereference relative verbose target-directory> no-target-directory | tree*
install | bCcdDpTv m: t> | mode: directory verbose target-directory> | read*
rsync | avzrlptgoDhnuqxWPAXHi | archive verbose compress recursive progress dry-run exclude: include: delete! stats human-readable update checksum partial inplace itemize-changes | read*
tar bsdtar | cxtruvzjJakpmOS f: C: | file: directory: exclude: strip-components: transform: owner: group: mode: mtime: exclude-vcs gzip xz zstd bzip2 list extract get create append update verbose wildcards no-same-owner totals auto-compress | any*
`;

const mostMatches = 200;

let rows: Map<string, ProgramRow> | undefined;

export const specialPrograms = new Map<string, ProgramJudge>([
  ["env", judgeEnv],
  ["xargs", judgeXargs],
  ["find", judgeFind],
  [
    "command",
    (args, inquiry) => (/^-[vV]+$/.test(args[0]?.text ?? "") ? undefined : inquiry.run(skipOptions(args))),
  ],
  ["watch", (args, inquiry) => inquiry.shell(joinWords(skipOptions(args, /^-n$/)))],
  ["dd", judgeDd],
  ["git", judgeGit],
  ["kill", judgeKill],
  ["ps", judgePs],
  ...each("source .", judgeScript),
  ...each("sh bash dash ash", judgeShell),
  ...each("cp mv ln install rsync", judgeCopy),
  ...each("tar bsdtar", judgeTar),
  ...each(
    "python python2 python3 pypy pypy3 node nodejs perl ruby php lua Rscript julia tclsh",
    judgeInterpreter,
  ),
]);

function each(names: string, judge: ProgramJudge): Array<[string, ProgramJudge]> {
  return names.split(" ").map((name) => [name, judge]);
}

function readRow(name: string, args: ShellWord[], inquiry: Inquiry): ReadArguments {
  rows ??= readTable(table);
  const row = rows.get(name);
  if (row === undefined) throw new Error(`there is no row for ${name}`);
  const read = readArguments(row, name, args);
  inquiry.add(...read.concerns);
  return read;
}

function skipOptions(args: ShellWord[], valued = /^$/): ShellWord[] {
  const at = args.findIndex((word, index) => !isOption(word) && !valued.test(args[index - 1]?.text ?? "-"));
  return at === -1 ? [] : args.slice(at);
}

function joinWords(words: ShellWord[]): ShellWord {
  const text = words.map((word) => word.text).join(" ");
  return words.every(({ kind }) => kind === "text") ? { kind: "text", text } : toUnknown(text);
}

async function judgeEnv(args: ShellWord[], inquiry: Inquiry): Promise<void> {
  const { inner } = readRow("env", args, inquiry);
  const found = inner.findIndex(({ kind, text }) => kind !== "text" || !/^\w+=/.test(text));
  const at = found === -1 ? inner.length : found;
  const assignments = inner.slice(0, at).map(({ text }) => {
    const [name = "", value = ""] = text.split(/=(.*)/s);
    return { name, value: { kind: "text" as const, text: value }, isExported: true };
  });
  await inquiry.run(inner.slice(at), { assignments });
}

/** The words that xargs adds are what it reads. */
async function judgeXargs(args: ShellWord[], inquiry: Inquiry): Promise<void> {
  const { inner, uses } = readRow("xargs", args, inquiry);
  const file = uses.find(({ kind }) => kind === "read")?.word;
  if (file !== undefined) await inquiry.path(file, "read");
  const added = toWords(file === undefined ? inquiry.command.input : undefined);
  const sign = uses.find(({ option }) => option === "I" || option === "replace")?.word.text;
  if (inner.length === 0) return;
  const words =
    sign === undefined ? [...inner, ...added] : inner.map((word) => replaceSign(word, sign, added[0]));
  await inquiry.run(words, { input: undefined });
}

function toWords(input: ShellWord | undefined): ShellWord[] {
  if (input?.kind === "listed") return [input];
  if (input?.kind !== "text" || /["'\\]/.test(input.text)) return [toUnknown("the input of xargs")];
  return (input.text.match(/\S+/g) ?? []).map((text) => ({ kind: "text", text }));
}

function replaceSign(word: ShellWord, sign: string, value = toUnknown(sign)): ShellWord {
  if (!word.text.includes(sign)) return word;
  return {
    kind: value.kind === "text" ? word.kind : value.kind,
    text: word.text.replaceAll(sign, () => value.text),
  };
}

const findTests =
  /^-(i?name|i?path|wholename|i?regex|x?type|size|[acm]time|[acm]min|maxdepth|mindepth|perm|user|group|links|lname|printf|newermt|regextype|uid|inum)$/;
const findFlags =
  /^(-(print0?|ls|not|a|o|and|or|prune|empty|depth|mount|xdev|readable|writable|executable|true|false|quit|P|H|noleaf)|[!(),])$/;

async function judgeFind(args: ShellWord[], inquiry: Inquiry): Promise<void> {
  const left = [...args];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const { text } = word;
    if (findFlags.test(text)) continue;
    if (word.kind === "unknown" || (findTests.test(text) && left[0]?.kind === "unknown"))
      inquiry.ask(phrase("approval.unknown-word", { word: text }));
    else if (findTests.test(text)) left.shift();
    else if (/^-(newer|samefile)$/.test(text)) await inquiry.path(left.shift() ?? word, "read");
    else if (text === "-exec" || text === "-ok")
      await inquiry.run(takeFindCommand(left), { input: undefined });
    else if (/^-(exec|ok)dir$/.test(text))
      await inquiry.run(takeFindCommand(left), { input: undefined, folder: undefined });
    else if (text === "-L" || text === "-follow") inquiry.add(toLocalFiles("find"));
    else if (text === "-delete")
      inquiry.ask(phrase("approval.asked-option", { option: text, program: "find" }));
    else if (isOption(word)) inquiry.ask(phrase("approval.asked-option", { option: text, program: "find" }));
    else await inquiry.path(word, "read");
  }
}

function takeFindCommand(left: ShellWord[]): ShellWord[] {
  const end = left.findIndex(
    ({ text }, index) => text === ";" || (text === "+" && left[index - 1]?.text === "{}"),
  );
  const words = left.splice(0, end === -1 ? left.length : end + 1);
  const inner = end === -1 ? words : words.slice(0, -1);
  return inner.map((word) => replaceSign(word, "{}", { kind: "listed", text: listedName }));
}

async function judgeShell(args: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  const at = args.findIndex((word) => !isOption(word));
  const options = (at === -1 ? args : args.slice(0, at)).map(({ text }) => text);
  const first = at === -1 ? undefined : args[at];
  const odd = options.find((text) => !/^(-[cefluxv]+|--norc|--noprofile|--posix|--)$/.test(text));
  // With a plus sign it is an option, too.
  const switched = odd ?? (first?.text.startsWith("+") ? first.text : undefined);
  if (switched !== undefined)
    inquiry.ask(phrase("approval.asked-option", { option: switched, program: name }));
  if (options.some((text) => /^-\w*c/.test(text))) await inquiry.shell(first ?? toUnknown("-c"));
  else if (first === undefined || first.text === "-")
    await inquiry.shell(inquiry.command.input ?? toUnknown("its input"));
  else await judgeScript([first], inquiry, name);
}

async function judgeScript([script]: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  if (script === undefined || script.text.startsWith("/dev/"))
    return inquiry.ask(phrase("approval.unknown-code", { program: name }));
  await inquiry.path(script, "read");
  inquiry.add(toLocal(name));
}

/** Copies, moves and links: each source, and the name that it gets at the other end. */
async function judgeCopy(args: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  const { uses, options } = readRow(name, args, inquiry);
  const operands = uses.filter(({ option }) => option === undefined).map(({ word }) => word);
  if (name === "rsync" && operands.some(({ text }) => /^[^/]*:/.test(text))) {
    inquiry.add({ severity: "ask", reason: phrase("approval.network", { program: name }), isNetwork: true });
  }
  const target = uses.find(({ kind, option }) => kind === "write" && option !== undefined)?.word;
  const destination = target ??
    (operands.length > 1 ? operands.pop() : undefined) ?? { kind: "text", text: "." };
  const isDeep =
    name !== "cp" || ["r", "R", "a", "recursive", "archive"].some((option) => options.has(option));
  const isLink = name === "ln" && (options.has("s") || options.has("symbolic"));
  await inquiry.path(destination, "write");
  const { folder = "/" } = inquiry.command;
  for (const source of operands) {
    if (isLink) await judgeLinkTarget(source, destination, inquiry);
    else await inquiry.path(source, name === "mv" || name === "ln" ? "tree" : "read");
    if (isDeep && lookAt(resolve(folder, source.text)) === "folder") inquiry.add(toLocalFiles(name));
    if (lookAt(resolve(folder, destination.text)) === "file") continue;
    for (const inside of await toInside(source, destination, folder))
      await inquiry.path(inside, isDeep ? "tree" : "write");
  }
}

async function toInside(source: ShellWord, { kind, text }: ShellWord, folder: string): Promise<ShellWord[]> {
  // Of some programs, a slash at the end means what is in the folder.
  if (/\/$|(^|\/)\.\.?$/.test(source.text)) return [{ kind, text }];
  const matches = source.kind === "pattern" ? await findMatches(source.text, folder) : undefined;
  if (matches !== undefined)
    return matches.slice(0, mostMatches).map(({ path }) => ({ kind, text: `${text}/${basename(path)}` }));
  return [{ kind: source.kind === "text" ? kind : source.kind, text: `${text}/${basename(source.text)}` }];
}

/** Whoever can write through a link can write what it leads to. */
async function judgeLinkTarget(source: ShellWord, destination: ShellWord, inquiry: Inquiry): Promise<void> {
  if (/(^|\/)\.\.(\/|$)/.test(source.text)) inquiry.ask(phrase("approval.outside", { path: source.text }));
  const { folder } = inquiry.command;
  await inquiry.path(
    source,
    "tree",
    folder === undefined ? undefined : resolve(folder, dirname(destination.text)),
  );
}

async function judgeTar(args: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  const [first, ...rest] = args;
  const isOldStyle = first?.kind === "text" && /^[a-zA-Z]+$/.test(first.text);
  const { uses, options } = readRow(
    name,
    isOldStyle ? [{ ...first, text: `-${first.text}` }, ...rest] : args,
    inquiry,
  );
  const isMaking = ["c", "r", "u", "create", "append", "update"].some((option) => options.has(option));
  const isListing = options.has("t") || options.has("list");
  for (const { word, option } of uses) {
    if (option === "C" || option === "directory") await inquiry.path(word, isMaking ? "read" : "tree");
    else if (option === undefined && isMaking) await inquiry.path(word, "read");
    if (option !== "f" && option !== "file") continue;
    if (word.text.includes(":")) inquiry.ask(phrase("approval.reaches", { host: word.text }));
    await inquiry.path(word, isMaking ? "write" : "read");
  }
  if (!isMaking && !isListing) inquiry.add(toLocalFiles(name));
}

async function judgeDd(args: ShellWord[], inquiry: Inquiry): Promise<void> {
  for (const word of args) {
    const [, key, value = ""] = /^(\w+)=(.*)$/s.exec(word.text) ?? [];
    if (key === "if" || key === "of")
      await inquiry.path({ ...word, text: value }, key === "if" ? "read" : "write");
    else if (key === undefined || word.kind !== "text")
      inquiry.ask(phrase("approval.asked-option", { option: word.text, program: "dd" }));
  }
}

function judgeKill(args: ShellWord[], inquiry: Inquiry): void {
  const isNamed = args[0]?.text === "-s";
  const isSignalled = isNamed || (args.length > 1 && /^-(\d+|[A-Z]+\d*)$/.test(args[0]?.text ?? ""));
  for (const { text, kind } of isSignalled ? args.slice(isNamed ? 2 : 1) : args) {
    if (/^-?1$/.test(text)) inquiry.add({ severity: "refused", reason: phrase("approval.ends-all") });
    else if (text !== "$!" && (kind !== "text" || !/^(0|%\d*|-l|--)$/.test(text)))
      inquiry.ask(phrase("approval.ends-other"));
  }
}

/** Without a dash, `e` shows the environment of every process, with the keys in it. */
function judgePs(args: ShellWord[], inquiry: Inquiry): void {
  const odd = args.find(({ text, kind }) => kind !== "text" || /^[a-z]*e|environ|^-\w*E/.test(text));
  if (odd !== undefined) inquiry.ask(phrase("approval.asked-option", { option: odd.text, program: "ps" }));
}
