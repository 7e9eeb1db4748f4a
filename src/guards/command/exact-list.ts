// What runs unasked where there is no sandbox: a short list of programs that only look around, with literal arguments
// inside of the roots. A program is listed with the options that are known to read nothing else and start nothing.
import { join, resolve } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { FileError } from "../files/file-error.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { isInside } from "../files/real-path.ts";
import { isPlainRepository } from "../sandbox/git-files.ts";
import type { ReadLine, ShellWord } from "./read-line.ts";

interface ExactPlace {
  roots: FileRoots;
  origin: Origin;
  /** Real. */
  folder: string;
}

/** words: no file is opened. files: every operand is one. pattern: the first operand is not. */
type Operands = "none" | "words" | "files" | "pattern" | "one-file";

/** Letters of short options; a `#` matches a number, also as the next word. Long options in full. */
interface Row {
  short: string;
  long?: string;
  operands: Operands;
}

const rows: Record<string, Row> = {
  ls: { short: "1aAlhrRtSdFiskgGoXU", long: "all almost-all human-readable recursive", operands: "files" },
  cat: { short: "nbsAETv", long: "number", operands: "files" },
  head: { short: "n#c#qv", operands: "files" },
  tail: { short: "n#c#qv", operands: "files" },
  wc: { short: "lwcmL", long: "lines words bytes chars", operands: "files" },
  nl: { short: "", operands: "files" },
  tac: { short: "", operands: "files" },
  rev: { short: "", operands: "files" },
  stat: { short: "", operands: "files" },
  du: { short: "shacd#", long: "summarize human-readable", operands: "files" },
  md5sum: { short: "", operands: "files" },
  sha1sum: { short: "", operands: "files" },
  sha256sum: { short: "", operands: "files" },
  cksum: { short: "", operands: "files" },
  cmp: { short: "s", operands: "files" },
  comm: { short: "123", operands: "files" },
  diff: { short: "uqbwBiyr", long: "brief unified", operands: "files" },
  sort: { short: "nrufbdghVk#", operands: "files" },
  uniq: { short: "cdui", operands: "one-file" },
  cut: { short: "c#f#", operands: "files" },
  grep: { short: "inrRHhlLcvwxoEFsA#B#C#m#", operands: "pattern" },
  egrep: { short: "inrHhlLcvwxos", operands: "pattern" },
  fgrep: { short: "inrHhlLcvwxos", operands: "pattern" },
  basename: { short: "", operands: "words" },
  dirname: { short: "", operands: "words" },
  echo: { short: "neE", operands: "words" },
  tr: { short: "dsc", operands: "words" },
  seq: { short: "w", operands: "words" },
  sleep: { short: "", operands: "words" },
  true: { short: "", operands: "none" },
  false: { short: "", operands: "none" },
  pwd: { short: "LP", operands: "none" },
  date: { short: "uRI", operands: "words" },
  cal: { short: "", operands: "words" },
  whoami: { short: "", operands: "none" },
  id: { short: "ugn", operands: "none" },
  uname: { short: "asrmno", operands: "none" },
  hostname: { short: "", operands: "none" },
  arch: { short: "", operands: "none" },
  nproc: { short: "", operands: "none" },
  uptime: { short: "ps", operands: "none" },
  free: { short: "hmg", operands: "none" },
};

const gitRows: Record<string, Row> = {
  status: { short: "sb", long: "short branch porcelain", operands: "none" },
  log: { short: "n##", long: "oneline stat graph", operands: "none" },
  branch: { short: "av", long: "list show-current", operands: "none" },
};

/** Everything that it starts is on the list. Nothing is on Windows, where another shell reads the line. */
export async function isExact(source: string, line: ReadLine, place: ExactPlace): Promise<boolean> {
  if (!line.isPlain || process.platform === "win32" || /[[\p{Cf}\p{Cc}]--[\n\t]]/v.test(source)) return false;
  for (const { words } of line.commands) if (!(await isExactCommand(words, place))) return false;
  return true;
}

async function isExactCommand([program, ...args]: ShellWord[], place: ExactPlace): Promise<boolean> {
  const name = program?.text ?? "";
  const isGit = name === "git";
  if (isGit && !(await isInPlainRepository(place))) return false;
  const row = isGit ? find(gitRows, args[0]?.text) : find(rows, name);
  const operands =
    row &&
    skipOptions(
      row,
      (isGit ? args.slice(1) : args).map(({ text }) => text),
    );
  if (row === undefined || operands === undefined) return false;
  // As a date it would be set.
  if (name === "date") return operands.every((text) => text.startsWith("+"));
  if (row.operands === "words") return true;
  if (row.operands === "none" || (row.operands === "one-file" && operands.length > 1))
    return operands.length === 0;
  const files = row.operands === "pattern" ? operands.slice(1) : operands;
  return (await Promise.all(files.map((file) => isReadable(file, place)))).every(Boolean);
}

function find(table: Record<string, Row>, name = ""): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The operands; undefined when an option is not listed. */
function skipOptions({ short, long = "" }: Row, args: string[]): string[] | undefined {
  const letters = short.replaceAll("#", "");
  const counted = [...short.matchAll(/(.)#/g)].map(([, letter]) => letter).join("");
  const plain = new RegExp(`^-[${letters || "\\0"}]+$`);
  const number = "[\\d,.+-]*\\d[\\d,.+-]*[kKmMnr]?";
  const glued = new RegExp(`^-[${letters || "\\0"}]*[${counted || "\\0"}]${number}$`);
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? "";
    if (text === "--" || text === "-") return undefined;
    if (!text.startsWith("-")) operands.push(text);
    else if (text.startsWith("--")) {
      if (!long.split(" ").includes(text.slice(2))) return undefined;
    } else if (counted.includes(text.at(-1) ?? "-") && plain.test(text)) {
      if (!new RegExp(`^${number}$`).test(args[++at] ?? "")) return undefined;
    } else if (!plain.test(text) && !glued.test(text) && !(counted !== "" && /^-\d+$/.test(text)))
      return undefined;
  }
  return operands;
}

/** As the kernel would go: `..` behind a link leads elsewhere, so it is left out. */
async function isReadable(file: string, { roots, origin, folder }: ExactPlace): Promise<boolean> {
  if (file === "" || /(^|\/)\.\.(\/|$)/.test(file)) return false;
  try {
    const real = await roots.resolveRead(resolve(folder, file), origin);
    return (
      isInside(real, roots.rootFor(origin)) && !roots.holdsHome(real) && (await roots.mayRead(real, origin))
    );
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** git reads the nearest repository, and that may say what it runs. */
async function isInPlainRepository({ roots, origin, folder }: ExactPlace): Promise<boolean> {
  const root = roots.rootFor(origin);
  for (let at = folder; isInside(at, root); at = resolve(at, "..")) {
    if (lookAt(join(at, "HEAD")) !== undefined) return false;
    if (lookAt(join(at, ".git")) !== undefined) return isPlainRepository(join(at, ".git"), root);
  }
  return false;
}
