// What a command starts in turn, by its words: shells and their code, programs that run another one, and interpreters,
// whose code is not read. Where an option may take a value, both readings count.
import { posix } from "node:path";
import type { ShellWord } from "./read-line.ts";

export interface Started {
  /** Texts that a shell reads. */
  code: string[];
  commands: ShellWord[][];
  /** It starts something that cannot be known from its words. */
  isUnknown: boolean;
}

const shells = toSet("sh bash dash ash zsh ksh mksh fish rbash");
/** The rest of their words is another command; a word with blanks may be one that a shell reads. */
const wrappers = toSet(
  "env sudo doas su runuser pkexec nice ionice nohup timeout time stdbuf setsid chroot command builtin exec coproc",
  "parallel watch entr strace ltrace gdb valgrind perf unshare nsenter flock script busybox toybox chrt taskset",
  "numactl prlimit setpriv systemd-run systemd-inhibit caffeinate rlwrap unbuffer expect dbus-run-session xvfb-run",
  "torsocks proxychains firejail bwrap fakeroot eatmydata faketime catchsegv ssh tmux screen at batch crontab npx",
  "bunx pnpx uvx pipx start-stop-daemon run-parts choom hyperfine chronic ifne sem dumb-init tini",
);
const interpreters =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|julia|tclsh|wish|Rscript|R|guile|racket|sbcl|ghc|irb|osascript|pwsh|powershell|ipython|jshell|groovy|scala|elixir|erl|swift|awk|gawk|mawk|nawk|ed|ex|vi|vim|nvim|emacs)[\d.]*$/;
const codeOption = /^(-[a-zA-Z]*[ceEpr]|--(eval|print|exec|command|run|execute|code)(=.*)?|eval)$/;
const isAwk = /^[gmn]?awk$/;
const startsInAwk = /\bsystem\b|\bgetline\b|\||@/;

function toSet(...names: string[]): ReadonlySet<string> {
  return new Set(names.join(" ").split(" "));
}

/** A path counts by its last name. */
export function toProgram({ text }: ShellWord): string {
  return posix.basename(text) || text;
}

/** `input`: the text that the first of the words reads. */
export function toStarted(words: readonly ShellWord[], input: string | undefined): Started {
  const [first, ...args] = words;
  const name = first === undefined ? "" : toProgram(first);
  if (shells.has(name)) return startShell(args, input);
  if (name === "eval") return toCode([joinWords(args)]);
  if (name === "trap") return toCode(args.slice(0, 1));
  if (name === "source" || name === ".") return { ...nothing, isUnknown: isStream(args[0]) };
  if (name === "alias")
    return toCode(args.map((word) => ({ ...word, text: word.text.replace(/^[^=]*=?/, "") })));
  if (name === "xargs") return toCommands([...args, { text: "", isKnown: false }]);
  if (name === "find" || name === "fd" || name === "fdfind") return startFound(args);
  if (name === "git") return startGit(args);
  if (wrappers.has(name)) return toCommands(args);
  if (!interpreters.test(name)) return nothing;
  if (isAwk.test(name))
    return { ...nothing, isUnknown: args.some(({ text, isKnown }) => !isKnown || startsInAwk.test(text)) };
  const isScript = args.some(({ text, isKnown }) => isKnown && !text.startsWith("-"));
  return { ...nothing, isUnknown: !isScript || args.some(({ text }) => codeOption.test(text)) };
}

const nothing: Started = { code: [], commands: [], isUnknown: false };

function startShell(args: readonly ShellWord[], input: string | undefined): Started {
  const at = args.findIndex(({ text }) => !/^[-+]./.test(text));
  const options = at === -1 ? args : args.slice(0, at);
  const operand = at === -1 ? undefined : args[at];
  if (options.some(({ text }) => /^-\w*c/.test(text))) return toCode(operand === undefined ? [] : [operand]);
  // Without a script it reads its input.
  const isFed =
    operand === undefined || operand.text === "-" || options.some(({ text }) => /^-\w*s/.test(text));
  if (!isFed) return { ...nothing, isUnknown: isStream(operand) };
  return input === undefined ? { ...nothing, isUnknown: true } : { ...nothing, code: [input] };
}

function isStream(word: ShellWord | undefined): boolean {
  return word === undefined || !word.isKnown || word.text.startsWith("/dev/");
}

function toCode(words: readonly ShellWord[]): Started {
  return {
    ...nothing,
    code: words.filter(({ isKnown }) => isKnown).map(({ text }) => text),
    isUnknown: words.some(({ isKnown }) => !isKnown),
  };
}

/** Every word at which the other command may begin. */
function toCommands(args: readonly ShellWord[]): Started {
  const commands = findOperands(args, true).map((at) => args.slice(at));
  const code = args.filter(({ text, isKnown }) => isKnown && /[\s;|&$`]/.test(text)).map(({ text }) => text);
  return { code, commands, isUnknown: false };
}

/** The places of the first operand: behind an option that may take a value there are two. */
export function findOperands(args: readonly ShellWord[], hasSettings = false): number[] {
  const found: number[] = [];
  for (const [at, { text, isKnown }] of args.entries()) {
    const isPassedOver =
      isKnown && (/^[-+]./.test(text) || (hasSettings && /^\w+=|^[\d.]+[smhd]?$/.test(text)));
    if (isPassedOver) continue;
    found.push(at);
    if (!args[at - 1]?.text.startsWith("-")) break;
  }
  return found;
}

function startFound(args: readonly ShellWord[]): Started {
  const starts = args.flatMap(({ text }, at) =>
    /^(-(exec|ok)(dir)?|-[xX]|--exec(-batch)?)$/.test(text) ? [at + 1] : [],
  );
  const commands = starts.map((start) => {
    const end = args.findIndex(({ text }, at) => at >= start && (text === ";" || text === "+"));
    return args.slice(start, end === -1 ? args.length : end).map(replaceFound);
  });
  return { ...nothing, commands };
}

function replaceFound(word: ShellWord): ShellWord {
  return word.text.includes("{}") ? { ...word, isKnown: false } : word;
}

/** Settings that are commands, and subcommands that run one for each step. */
function startGit(args: readonly ShellWord[]): Started {
  const settings = args.flatMap(({ text }) => /^[\w.-]+=!?(.*\s.*|!.*)$/s.exec(text)?.[1] ?? []);
  const at = args.findIndex(({ text }) =>
    /^(run|foreach|-x|--exec|--extcmd|--upload-pack|--receive-pack|-u)$/.test(text),
  );
  const rest = at === -1 ? [] : args.slice(at + 1);
  const started = toCommands(rest);
  return { ...started, code: [...settings, ...started.code] };
}

function joinWords(words: readonly ShellWord[]): ShellWord {
  return { text: words.map(({ text }) => text).join(" "), isKnown: words.every(({ isKnown }) => isKnown) };
}
