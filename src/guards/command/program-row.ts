// How a row of the table of programs is read, and how a program's arguments are split by it into options, the files
// they name, and operands. Knows no program by name.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Concern, toLocalFiles } from "./inquiry.ts";
import type { ShellWord } from "./shell-word.ts";

/**
 * What an argument is to the program. words: nothing that could do harm, options included; plain: so, but bash may work
 * out subscripts in it. command: the first word of another program's line. pattern: absent where an option holds it.
 */
export type UseKind =
  | "any"
  | "words"
  | "plain"
  | "read"
  | "write"
  | "tree"
  | "remove"
  | "command"
  | "pattern"
  | "sed"
  | "awk";

export interface Use {
  kind: UseKind;
  word: ShellWord;
  /** Whose value it is; undefined for an operand. */
  option?: string;
}

export interface ProgramRow {
  shorts: Map<string, string>;
  longs: Map<string, string>;
  operands: Array<UseKind | RegExp>;
  /** For all operands after those. */
  rest: UseKind | RegExp | undefined;
  /** Holds whatever the arguments are. */
  note: string | undefined;
}

export interface ReadArguments {
  uses: Use[];
  /** Names of the options given, without dashes. */
  options: Set<string>;
  /** From the first word of the inner command on. */
  inner: ShellWord[];
  concerns: Concern[];
}

/** Behind an option's letter or name: a sign for each value, or for what the option itself means. */
const valueKinds: Record<string, UseKind> = { ":": "any", "<": "read", ">": "write", $: "sed" };
const signs = /[:<>$?!~^]*$/;

/** `names | short options | long options | operands | note`, one program or several alike in each line. */
export function readTable(table: string): Map<string, ProgramRow> {
  const lines = table.split("\n").filter((line) => line.trim() !== "");
  return new Map(
    lines.flatMap((line) => {
      const [names = "", ...columns] = line.split(/ \|(?= |$)/).map((column) => column.trim());
      const row = readRow(columns);
      return names.split(" ").map((name): [string, ProgramRow] => [name, row]);
    }),
  );
}

function readRow([shorts = "", longs = "", operands = "", note]: string[]): ProgramRow {
  const kinds = operands.split(" ").filter((kind) => kind !== "" && kind !== "none");
  const rest = kinds.at(-1)?.endsWith("*") ? kinds.pop()?.slice(0, -1) : undefined;
  return {
    shorts: new Map(shorts.split(" ").flatMap(readShorts)),
    longs: new Map(longs.split(" ").map((spec) => [spec.replace(signs, ""), signs.exec(spec)?.[0] ?? ""])),
    operands: kinds.map(toKind),
    rest: rest === undefined ? undefined : toKind(rest),
    note,
  };
}

/** `abc` are three flags, `n:` is one option with a value. */
function readShorts(spec: string): Array<[string, string]> {
  if (/^.[:<>$?!~^]+$/.test(spec)) return [[spec.slice(0, 1), spec.slice(1)]];
  return [...spec].map((letter) => [letter, ""]);
}

function toKind(kind: string): UseKind | RegExp {
  return kind.startsWith("/") ? new RegExp(kind.slice(1, -1)) : (kind as UseKind);
}

export function readArguments(row: ProgramRow, name: string, args: ShellWord[]): ReadArguments {
  const reader = new ArgumentReader(row, name, args);
  reader.read();
  return reader;
}

/** Lives for one program's arguments. */
class ArgumentReader implements ReadArguments {
  readonly uses: Use[] = [];
  readonly options = new Set<string>();
  readonly concerns: Concern[] = [];
  inner: ShellWord[] = [];
  readonly #row: ProgramRow;
  readonly #name: string;
  readonly #left: ShellWord[];
  #isChanging = false;

  constructor(row: ProgramRow, name: string, args: ShellWord[]) {
    this.#row = row;
    this.#name = name;
    this.#left = [...args];
  }

  read(): void {
    const operands: ShellWord[] = [];
    const isWrapper = this.#row.operands.includes("command");
    let areOptionsOver = false;
    for (let word = this.#next(); word !== undefined; word = this.#next()) {
      const isOption = !areOptionsOver && word.kind === "text" && /^-./s.test(word.text);
      if (isOption && word.text === "--") areOptionsOver = true;
      else if (isOption) this.#readOption(word.text);
      else if (isWrapper) operands.push(word, ...this.#left.splice(0));
      else operands.push(word);
    }
    this.#placeOperands(operands);
  }

  #next(): ShellWord | undefined {
    const word = this.#left.shift();
    if (word?.kind === "unknown") this.#ask(phrase("approval.unknown-word", { word: word.text }));
    return word;
  }

  #readOption(text: string): void {
    if (/^-\d+$/.test(text) && this.#row.shorts.has("#")) return;
    if (text.startsWith("--")) {
      const [, name = "", value] = /^--([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
      this.#take(name, this.#row.longs.get(name), value);
      return;
    }
    for (let at = 1; at < text.length; at++) {
      const letter = text[at] ?? "";
      const spec = this.#row.shorts.get(letter);
      const attached = text.slice(at + 1);
      this.#take(letter, spec, attached === "" ? undefined : attached);
      if (spec === undefined || /[:<>$?]/.test(spec)) return;
    }
  }

  /** `attached` is what stands behind it in the same word; a flag leaves it alone. */
  #take(name: string, spec: string | undefined, attached: string | undefined): void {
    this.options.add(name);
    if (spec === undefined || spec.includes("!"))
      this.#ask(phrase("approval.asked-option", { option: `-${name}`, program: this.#name }));
    if (spec?.includes("~")) this.concerns.push(toLocalFiles(this.#name));
    if (spec?.includes("^")) this.#isChanging = true;
    for (const [index, kind] of [...(spec ?? "")].flatMap((sign) => valueKinds[sign] ?? []).entries()) {
      const isAttached = index === 0 && attached !== undefined;
      const word: ShellWord | undefined = isAttached ? { kind: "text", text: attached } : this.#next();
      if (word !== undefined) this.uses.push({ kind, word, option: name });
    }
  }

  #placeOperands(operands: ShellWord[]): void {
    const { operands: kinds, rest } = this.#row;
    const hasPattern = ["e", "f", "expression", "file", "regexp", "from-file", "files"].some((name) =>
      this.options.has(name),
    );
    const placed = hasPattern ? kinds.filter((kind) => !/^(pattern|sed|awk)$/.test(String(kind))) : kinds;
    for (const [index, word] of operands.entries()) {
      const kind = placed[index] ?? rest;
      if (kind === "command") {
        this.inner = operands.slice(index);
        return;
      }
      const isWelcome =
        kind instanceof RegExp ? word.kind === "text" && kind.test(word.text) : kind !== undefined;
      if (!isWelcome) this.#ask(phrase("approval.asked-option", { option: word.text, program: this.#name }));
      else if (typeof kind === "string") this.uses.push({ kind: this.#toChanged(kind), word });
    }
  }

  #toChanged(kind: UseKind): UseKind {
    if (!this.#isChanging) return kind;
    if (kind === "write") return "tree";
    return kind === "read" ? "write" : kind;
  }

  #ask(reason: Phrase): void {
    this.concerns.push({ severity: "ask", reason });
  }
}
