// The process's terminal as one value: its streams, its environment, its language and its colours.
import { isatty } from "node:tty";
import { createWords, detectLanguage, type Words } from "../../i18n/words.ts";
import { createStyle, type Style, wantsColour } from "../draw/style.ts";

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  words: Words;
  /** For answers and reports, on stdout. */
  style: Style;
  /** For everything else, on stderr. */
  sideStyle: Style;
  isStdinTerminal: boolean;
  /** A person sits there: questions can be asked on stderr and answered on stdin. */
  isInteractive: boolean;
  /** More than lines can be shown: text can be drawn over. */
  canDraw: boolean;
}

export function createTerminal(process: NodeJS.Process): Terminal {
  const { stdout, stderr, env } = process;
  const isStdinTerminal = isatty(0);
  return {
    // Opened only when something is read from it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    words: createWords(detectLanguage(env)),
    style: createStyle(wantsColour(stdout, env)),
    sideStyle: createStyle(wantsColour(stderr, env)),
    isStdinTerminal,
    isInteractive: isStdinTerminal && stderr.isTTY === true,
    canDraw: stdout.isTTY === true && stderr.isTTY === true && env.TERM !== "dumb",
  };
}

/** What every command gets in addition to its options. */
export interface CommandContext {
  terminal: Terminal;
  /** Aborts when the process has to end. */
  signal: AbortSignal;
}
