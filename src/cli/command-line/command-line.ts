// Parses what was typed after `nanobot` into a command with its options, or into the text to print instead. Runs nothing.
import { type Command, CommanderError } from "commander";
import type { Words } from "../../i18n/words.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { nanobot } from "../../lib/program-command.ts";
import { createProgram } from "./commands.ts";
import type { Invocation } from "./options.ts";
import { type Mistake, UsageMistake } from "./strict-command.ts";

export type CommandLine =
  | { kind: "run"; invocation: Invocation }
  /** Help or the version: for stdout. */
  | { kind: "say"; text: string }
  /** `isJson`: the answer was to be one JSON value, and so is what says that there is none. */
  | { kind: "wrong"; text: string; isJson?: true };

export interface ParseOptions {
  words: Words;
  version: string;
  columns?: number;
}

/** `argv` without the program itself. */
export function parseCommandLine(
  argv: readonly string[],
  { words, version, columns }: ParseOptions,
): CommandLine {
  let invocation: Invocation | undefined;
  let said = "";
  const program = createProgram(words, (found) => {
    invocation = found;
  });
  program.version(version, "-v, --version", words.usage.version);
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        said += text;
      },
      writeErr: () => {},
      getOutHelpWidth: () => columns ?? 80,
    });
  }
  try {
    program.parse(withoutListMarks(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof UsageMistake || error instanceof CommanderError)) throw error;
    if (error instanceof CommanderError && error.exitCode === 0) return { kind: "say", text: said };
    const [first = "agent"] = program.args;
    const isForAgent = first === "agent" || first.startsWith("-");
    const isJson = isForAgent && argv.includes("--json");
    return { kind: "wrong", text: describeMistake(error, program, words), ...(isJson && { isJson }) };
  }
  if (invocation === undefined) return { kind: "say", text: said };
  return { kind: "run", invocation };
}

/** A line that was copied from a memory file begins with a dash and is no option. */
function withoutListMarks(argv: readonly string[]): string[] {
  const start = argv.indexOf("memory");
  return argv.map((text, index) => (start >= 0 && index > start ? text.replace(/^-\s+/, "") : text));
}

function describeMistake(error: UsageMistake | CommanderError, program: Command, { usage }: Words): string {
  const command = program.commands.find((one) => one.name() === program.args[0]);
  const help = usage.seeHelp(command === undefined ? nanobot : `${nanobot} ${command.name()}`);
  const said = error instanceof UsageMistake ? describe(error.mistake) : describeCode(error);
  return `${said}\n${help}\n`;

  function describe(mistake: Mistake): string {
    switch (mistake.kind) {
      case "unknown-option":
        return usage.unknownOption(mistake.flag, findNearest(mistake.flag, listOptions(program, command)));
      case "wrong-value":
        return usage.wrongValue(mistake.option.flags, mistake.value);
      case "unknown-action": {
        const known = command?.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []) ?? [];
        const nearest = findNearest(mistake.value, known);
        const toLine = (action: string) => `${command?.name()} ${action}`;
        return usage.unknownCommand(toLine(mistake.value), nearest && toLine(nearest));
      }
      case "missing-value":
        return usage.missingValue(mistake.option.flags);
      case "missing-argument":
        return usage.missingArgument(`nanobot ${command?.name()} <${describeArgument(mistake.name)}>`);
    }
  }

  function describeCode({ code, message }: CommanderError): string {
    switch (code) {
      // `help` for something that is no command.
      case "commander.help":
        return describeUnknownCommand(program.args[1]);
      case "commander.excessArguments":
      case "commander.unknownCommand":
        return command === undefined
          ? describeUnknownCommand()
          : usage.tooManyArguments(command.args[0] ?? "");
      default:
        return message;
    }
  }

  function describeArgument(name: string): string {
    const argument = command?.registeredArguments.find((one) => one.name() === name);
    return argument?.argChoices?.join(" | ") ?? name;
  }

  function describeUnknownCommand(name = program.args[0] ?? ""): string {
    const names = program.commands.map((one) => one.name());
    return usage.unknownCommand(name, findNearest(name, names));
  }
}

/** Without a command, options are those of the chat. */
function listOptions(program: Command, command = program.commands[0]): string[] {
  return [...program.options, ...(command?.options ?? [])].flatMap(({ long }) => long ?? []);
}
