// Judges every command of a line: its program, its files, its settings and redirections, and the commands that it
// starts in turn. Knows no rules of the owner and no sandbox.
import type { Origin } from "../../bus/types.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { FileRoots } from "../files/file-roots.ts";
import type { AddressCheck, Assignment, Concern, FileUse, Inquiry, SimpleCommand } from "./inquiry.ts";
import type { PathAccess, PathJudge } from "./path-judge.ts";
import { judgeProgram, toProgramName } from "./program-judge.ts";
import { type Grammar, readShell } from "./shell-reader.ts";
import type { ShellWord } from "./shell-word.ts";

interface LineParts {
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
    if (code.kind !== "text") return this.#ask(phrase("approval.unknown-script"));
    const { grammar, home } = this.#parts;
    const { commands, concerns } = readShell(code.text, { grammar, home, ...place });
    this.concerns.push(...concerns);
    for (const command of commands) await this.#judge(command, depth);
  }

  #ask(reason: Phrase): void {
    this.concerns.push({ severity: "ask", reason });
  }

  async #judge(command: SimpleCommand, depth: number): Promise<void> {
    const { words, assignments, redirections, folder } = command;
    if (depth > deepest || this.segments.length > mostSegments)
      return this.#ask(phrase("approval.too-complex"));
    for (const assignment of assignments) this.concerns.push(...judgeSetting(assignment, words));
    for (const redirection of redirections) await this.#judgeRedirection(redirection, folder);
    const [program, ...args] = words;
    if (program === undefined) return;
    const segment: Segment = { words, concerns: [] };
    this.segments.push(segment);
    const inquiry = this.#createInquiry(command, segment, depth);
    if (program.kind !== "text") return inquiry.ask(phrase("approval.unknown-program"));
    if (/[\p{Cf}\p{Cc}\p{Zs}]/u.test(program.text)) return inquiry.ask(phrase("approval.invisible"));
    const name = toProgramName(program.text);
    segment.words = [{ kind: "text", text: name }, ...args];
    await judgeProgram(name, args, inquiry);
  }

  #createInquiry(command: SimpleCommand, segment: Segment, depth: number): Inquiry {
    const { roots, origin, checkAddress } = this.#parts;
    return {
      command,
      root: roots.rootFor(origin),
      checkAddress,
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
      this.concerns.push({ severity: "ask", reason: phrase("approval.reaches", { host }), isNetwork: true });
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
}

const steering =
  /^(PATH|IFS|ENV|HOME|PWD|CDPATH|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|PS[0-4]|PROMPT_COMMAND|POSIXLY_CORRECT|LESS(OPEN|CLOSE)|MANPAGER|(GIT_)?(PAGER|EDITOR)|VISUAL|BROWSER|TAR_OPTIONS|RIPGREP_CONFIG_PATH|PYTHON(STARTUP|HOME|INSPECT)|(PERL5|RUBY)(OPT|LIB|DB)|JAVA_TOOL_OPTIONS|.*_(proxy|PROXY)|.*ASKPASS|(LD|DYLD|BASH|GIT)_.*)$/;

const plain =
  /^(LANG|LC_\w+|TZ|CI|DEBUG|(NO|FORCE)_?COLOR|TERM|COLUMNS|LINES|NODE_ENV|RUST_(LOG|BACKTRACE)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING)|GIT_(TERMINAL_PROMPT|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)))$/;

/** `words` are those of the command that it is set for. */
function judgeSetting({ name, value, isExported }: Assignment, words: ShellWord[]): Concern[] {
  if (plain.test(name) || (name === "IFS" && words[0]?.text === "read")) return [];
  if (/^(GIT_)?(PAGER|EDITOR)$/.test(name) && /^(cat|true|:|)$/.test(value.text)) return [];
  const isLoading = name === "NODE_OPTIONS" && /require|import|loader/.test(value.text);
  if (steering.test(name) || isLoading)
    return [{ severity: "ask", reason: phrase("approval.setting", { name }) }];
  return isExported ? [{ severity: "local", reason: phrase("approval.setting", { name }) }] : [];
}
