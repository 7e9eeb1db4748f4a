// Judges every command of a line: its program, its files, its settings and redirections, and the commands that it
// starts in turn. Knows no rules of the owner and no sandbox.
import { posix } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { toOneLine } from "../../lib/text.ts";
import { englishCommands as say } from "../../words/english-commands.ts";
import type { FileRoots } from "../file-roots.ts";
import { isInside } from "../path-text.ts";
import { lookAt } from "./disk-look.ts";
import { judgeGit } from "./git-judge.ts";
import { type Inquiry, isOption, toLocal, toLocalFiles } from "./inquiry.ts";
import { type AddressCheck, createNetworkJudge } from "./network-judge.ts";
import type { PathAccess, PathJudge } from "./path-judge.ts";
import { programJudges } from "./program-judges.ts";
import { readArguments, type Use } from "./program-row.ts";
import { findKind, findRow } from "./program-table.ts";
import { isPlainAwk, isPlainSed } from "./script-text.ts";
import { type Grammar, readShell } from "./shell-reader.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Assignment, Concern, FileUse, SimpleCommand } from "./simple-command.ts";

export interface LineParts {
  grammar: Grammar;
  roots: FileRoots;
  origin: Origin;
  home: string;
  judgePath: PathJudge;
  checkAddress: AddressCheck;
}

/** One program with its arguments, and what is to be said about it. */
export interface Segment {
  words: ShellWord[];
  concerns: Concern[];
}

export interface JudgedLine {
  segments: Segment[];
  /** It changes files. */
  isWriting: boolean;
  /** About the line itself: its grammar, settings and redirections. */
  concerns: Concern[];
}

const mostSegments = 400;
const deepest = 8;

export async function judgeLine(source: string, folder: string, parts: LineParts): Promise<JudgedLine> {
  const judge = new LineJudge(parts);
  await judge.judgeText({ kind: "text", text: source }, { folder, input: undefined }, 0);
  return judge;
}

/** Lives for one line. */
class LineJudge implements JudgedLine {
  readonly segments: Segment[] = [];
  readonly concerns: Concern[] = [];
  isWriting = false;
  readonly #parts: LineParts;
  /** Scripts name the same files again and again. */
  readonly #judged = new Map<string, Promise<Concern[]>>();

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  async judgeText(
    code: ShellWord,
    place: Pick<SimpleCommand, "folder" | "input">,
    depth: number,
  ): Promise<void> {
    if (code.kind !== "text") return this.#ask(say.unknownText);
    const { grammar, home } = this.#parts;
    const { commands, concerns } = readShell(code.text, { grammar, home, ...place });
    this.concerns.push(...concerns);
    for (const command of commands) await this.#judge(command, depth);
  }

  #ask(reason: string): void {
    this.concerns.push({ severity: "ask", reason });
  }

  async #judge(command: SimpleCommand, depth: number): Promise<void> {
    const { words, assignments, redirections, folder } = command;
    if (depth > deepest || this.segments.length > mostSegments) return this.#ask(say.tooMuch);
    for (const assignment of assignments) this.concerns.push(...judgeAssignment(assignment, words));
    for (const redirection of redirections) await this.#judgeRedirection(redirection, folder);
    const [program, ...args] = words;
    if (program === undefined) return;
    const segment: Segment = { words, concerns: [] };
    this.segments.push(segment);
    const inquiry = this.#createInquiry(command, segment, depth);
    if (program.kind !== "text") return inquiry.ask(say.unknownProgram);
    if (/[\p{Cf}\p{Cc}\p{Zs}]/u.test(program.text)) return inquiry.ask(say.unseenSigns);
    const name = await this.#findProgram(program.text, inquiry);
    if (name !== undefined) {
      segment.words = [{ kind: "text", text: name }, ...args];
      await this.#judgeProgram(name, args, inquiry);
    }
    if (folder === undefined && findRow(name ?? "")?.rest !== "words") inquiry.ask(say.unknownFolder);
  }

  #createInquiry(command: SimpleCommand, segment: Segment, depth: number): Inquiry {
    return {
      command,
      add: (...concerns) => void segment.concerns.push(...concerns),
      ask: (reason) => void segment.concerns.push({ severity: "ask", reason }),
      path: async (word, access, folder = command.folder) =>
        void segment.concerns.push(...(await this.#judgePath(word, access, folder))),
      run: (words, changes) =>
        this.#judge({ ...command, assignments: [], redirections: [], ...changes, words }, depth + 1),
      shell: (code) => this.judgeText(code, command, depth + 1),
    };
  }

  async #judgeRedirection({ access, target }: FileUse, folder: string | undefined): Promise<void> {
    const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(target.text)?.[1];
    if (host !== undefined) {
      this.concerns.push(...this.#parts.checkAddress(host, true));
      this.concerns.push({ severity: "ask", reason: say.network(host), isNetwork: true });
      return;
    }
    this.concerns.push(...(await this.#judgePath(target, access, folder)));
  }

  async #judgePath(word: ShellWord, access: PathAccess, folder: string | undefined): Promise<Concern[]> {
    this.isWriting ||= access !== "read" && !word.text.startsWith("/dev/");
    const key = JSON.stringify([access, folder, word]);
    const found =
      this.#judged.get(key) ?? this.#parts.judgePath(word, access, { origin: this.#parts.origin, folder });
    this.#judged.set(key, found);
    return found;
  }

  /** The name under which a program is known; undefined when it has been judged by where it is. */
  async #findProgram(text: string, inquiry: Inquiry): Promise<string | undefined> {
    if (!text.includes("/")) return text;
    if (/^\/(usr\/(local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(text))
      return posix.basename(text);
    await inquiry.path({ kind: "text", text }, "read");
    const isOwn = !text.startsWith("/") || isInside(text, this.#parts.roots.rootFor(this.#parts.origin));
    if (isOwn) inquiry.add(toLocal(text));
    else inquiry.ask(say.notKnown(toOneLine(text, 100)));
    for (const word of inquiry.command.words.slice(1)) await this.#judgeLooseWord(word, undefined, inquiry);
    return undefined;
  }

  async #judgeProgram(name: string, args: ShellWord[], inquiry: Inquiry): Promise<void> {
    const judge = programJudges.get(name.replace(/^(python|lua|ruby|php|node)[\d.]+$/, "$1"));
    const subcommand = args.find((word) => !isOption(word));
    const kind = findKind(name, subcommand?.text);
    const isAboutItself = args.length === 1 && /^(--version|-V|--help)$/.test(args[0]?.text ?? "");
    if (name === "git") await judgeGit(args, inquiry, this.#parts.roots.rootFor(this.#parts.origin));
    else if (judge !== undefined) await judge(args, inquiry, name);
    else if (findRow(name) !== undefined) await this.#judgeByRow(name, args, inquiry);
    else if (isAboutItself && kind !== undefined && kind !== "refused") return;
    else if (kind === "network") await createNetworkJudge(this.#parts.checkAddress)(args, inquiry, name);
    else if (name === "npx") await this.#judgeNpx(args, subcommand, inquiry);
    else await this.#judgeByKind(kind, name, args, inquiry);
  }

  async #judgeByKind(
    kind: string | undefined,
    name: string,
    args: ShellWord[],
    inquiry: Inquiry,
  ): Promise<void> {
    if (kind === "harmless") return;
    if (kind === "local") inquiry.add(toLocal(name));
    else if (kind === "refused") inquiry.add({ severity: "refused", reason: say.wrecking(name) });
    else inquiry.ask(say.notKnown(toOneLine(name, 60)));
    for (const [index, word] of args.entries()) await this.#judgeLooseWord(word, args[index - 1], inquiry);
  }

  /** Of a program whose options are not known: whatever looks like a file or an address. */
  async #judgeLooseWord(word: ShellWord, before: ShellWord | undefined, inquiry: Inquiry): Promise<void> {
    const text = word.text.replace(/^(-{0,2}[\w-]*[=@]|-[A-Za-z](?=[/~.]))/, "");
    const isOutput = /^(-o|--?out(put|file|-dir|Dir)?|--prefix|--target-dir|--destination)$/;
    if (word.kind === "unknown") return inquiry.ask(say.unknownWord(word.text));
    if (/^[a-z][\w+.-]*:\/\//i.test(text)) {
      inquiry.add({ severity: "ask", reason: say.network(toOneLine(text, 100)), isNetwork: true });
      inquiry.add(...this.#parts.checkAddress(text, true));
    } else if (isOutput.test(before?.text ?? "") || isOutput.test(/^(.*?)=/s.exec(word.text)?.[1] ?? ""))
      await inquiry.path({ ...word, text }, "write");
    else if (/^[~.]|\//.test(text) || word.kind !== "text") await inquiry.path({ ...word, text }, "read");
  }

  async #judgeNpx(args: ShellWord[], program: ShellWord | undefined, inquiry: Inquiry): Promise<void> {
    const { folder = "/" } = inquiry.command;
    const isInstalled =
      program?.kind === "text" && lookAt(posix.join(folder, "node_modules/.bin", program.text)) === "file";
    const isLocal = isInstalled || args.some(({ text }) => text === "--no-install" || text === "--no");
    await this.#judgeByKind(isLocal ? "local" : undefined, "npx", args, inquiry);
    if (!isLocal) inquiry.add({ severity: "ask", reason: say.network("npx"), isNetwork: true });
  }

  async #judgeByRow(name: string, args: ShellWord[], inquiry: Inquiry): Promise<void> {
    const row = findRow(name);
    if (row === undefined || row.rest === "words") return;
    if (row.rest === "plain" || subscripting.test(name)) judgeSubscripts(args, inquiry);
    if (row.rest === "plain") return;
    const { uses, inner, concerns } = readArguments(row, name, args);
    inquiry.add(...concerns);
    if (row.note === "local") inquiry.add(toLocalFiles(name));
    if (row.note === "otherUser") inquiry.ask(say.otherUser);
    for (const use of uses) await judgeUse(use, name, inquiry);
    if (inner.length > 0) await inquiry.run(inner);
  }
}

async function judgeUse({ kind, word }: Use, name: string, inquiry: Inquiry): Promise<void> {
  if (kind === "read" || kind === "write" || kind === "tree" || kind === "remove")
    return inquiry.path(word, kind);
  if (name === "jq" && kind === "pattern" && /\b(import|include)\b/.test(word.text))
    inquiry.ask(say.scriptText(name));
  if (kind === "sed" && !(word.kind === "text" && isPlainSed(word.text))) inquiry.ask(say.scriptText(name));
  if (kind === "awk" && !(word.kind === "text" && isPlainAwk(word.text))) inquiry.ask(say.scriptText(name));
}

const subscripting = /^(declare|typeset|local|export|readonly|unset|read|mapfile|readarray)$/;

/** Bash works out subscripts in some of these words, with the commands in them. */
function judgeSubscripts(args: ShellWord[], inquiry: Inquiry): void {
  const isSubscript = args.some(({ text, kind }) => /\[.*(\$\(|`)/s.test(text) && kind === "text");
  if (isSubscript || args.some(({ text }, index) => text === "-v" && args[index + 1]?.kind === "unknown")) {
    inquiry.ask(say.hiddenCommand);
  }
}

/** Settings that change which programs run, or how a line is read. */
const steering =
  /^(PATH|IFS|ENV|HOME|PWD|CDPATH|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|PS[0-4]|PROMPT_COMMAND|POSIXLY_CORRECT|LESS(OPEN|CLOSE)|MANPAGER|BROWSER|TAR_OPTIONS|RIPGREP_CONFIG_PATH|PYTHON(STARTUP|HOME|INSPECT)|(PERL5|RUBY)(OPT|LIB|DB)|JAVA_TOOL_OPTIONS|.*_(proxy|PROXY)|.*ASKPASS|(LD|DYLD|BASH|GIT)_.*)$/;
const plainSettings =
  /^(LANG|LC_\w+|TZ|CI|DEBUG|(NO|FORCE)_?COLOR|TERM|COLUMNS|LINES|NODE_ENV|RUST_(LOG|BACKTRACE)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING)|GIT_(TERMINAL_PROMPT|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)))$/;

function judgeAssignment({ name, value, isExported }: Assignment, words: ShellWord[]): Concern[] {
  if (plainSettings.test(name) || (name === "IFS" && words[0]?.text === "read")) return [];
  if (/^(GIT_)?(PAGER|EDITOR)$/.test(name) && /^(cat|true|:|)$/.test(value.text)) return [];
  const isSteering = steering.test(name) || /^((GIT_)?(PAGER|EDITOR)|VISUAL)$/.test(name);
  if (isSteering || (name === "NODE_OPTIONS" && /require|import|loader/.test(value.text))) {
    return [{ severity: "ask", reason: say.setting(name) }];
  }
  return isExported ? [{ severity: "local", reason: say.setting(name) }] : [];
}
