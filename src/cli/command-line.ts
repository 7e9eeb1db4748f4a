// What was typed after `nanobot`: parsed into a command with its options, or into what to say instead. Runs nothing.

import { Argument, type Command, CommanderError, type HelpConfiguration } from "commander";
import type { Words } from "../i18n/words.ts";
import { findNearest } from "../lib/nearest.ts";
import { nanobot } from "../lib/program-command.ts";
import { addCareCommands, type CareInvocation } from "./care/care-lines.ts";
import { addGatewayCommands, type GatewayInvocation } from "./gateway-lines.ts";
import { type Mistake, StrictCommand, UsageMistake } from "./strict-command.ts";

export interface GlobalOptions {
  /** A config file; its folder becomes the home. */
  config?: string;
  workspace?: string;
  verbose?: boolean;
}

export interface AgentOptions extends GlobalOptions {
  message?: string;
  /** Files that go with the message. */
  media?: string[];
  session?: string;
  json?: boolean;
  /** Lines only, nothing is drawn over. */
  plain?: boolean;
}

export interface StatusOptions extends GlobalOptions {
  json?: boolean;
}

export interface ContextOptions extends GlobalOptions {
  /** What changed since the last request, instead of what the next one contains. */
  diff: boolean;
  session?: string;
  message?: string;
  json?: boolean;
  raw?: boolean;
}

export const skillsActions = [
  "list",
  "show",
  "add",
  "remove",
  "enable",
  "disable",
  "allow",
  "check",
] as const;

export interface SkillsOptions extends GlobalOptions {
  action: (typeof skillsActions)[number];
  /** A skill's name, or where one comes from. */
  target?: string;
  /** The one to add, where there are several. */
  name?: string;
  json?: boolean;
  yes?: boolean;
  allowFlagged?: boolean;
}

export const memoryActions = ["search", "why", "dream", "log", "diff", "restore", "forget"] as const;

export interface MemoryOptions extends GlobalOptions {
  action: (typeof memoryActions)[number];
  words: string[];
  json?: boolean;
  yes?: boolean;
}

export const mcpActions = ["list", "add", "remove", "test"] as const;

export interface McpOptions extends GlobalOptions {
  action: (typeof mcpActions)[number];
  name?: string;
  /** A program and its arguments. */
  words: string[];
  url?: string;
  header?: string[];
  env?: string[];
  test: boolean;
  json?: boolean;
}

/** Of tools and of channels of one's own. */
const ownCodeActions = { tools: ["list", "allow", "remove"], channels: ["list", "allow", "block"] } as const;

export interface OwnCodeOptions extends GlobalOptions {
  action: (typeof ownCodeActions)["tools" | "channels"][number];
  name?: string;
  json?: boolean;
  yes?: boolean;
}

export interface OnboardOptions extends GlobalOptions {
  provider?: string;
  model?: string;
  apiBase?: string;
  apiKeyEnv?: string;
  apiKeyStdin?: boolean;
  test: boolean;
  skipBootstrap?: boolean;
  yes?: boolean;
}

export type Invocation =
  | CareInvocation
  | GatewayInvocation
  | { command: "agent"; options: AgentOptions }
  | { command: "status"; options: StatusOptions }
  | { command: "context"; options: ContextOptions }
  | { command: "skills"; options: SkillsOptions }
  | { command: "memory"; options: MemoryOptions }
  | { command: "mcp"; options: McpOptions }
  | { command: "tools"; options: OwnCodeOptions }
  | { command: "channels"; options: OwnCodeOptions }
  | { command: "onboard"; options: OnboardOptions };

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

function createProgram(words: Words, found: (invocation: Invocation) => void): Command {
  const { usage } = words;
  const program = new StrictCommand(nanobot)
    .description(`${usage.summary}\n${usage.start}`)
    .usage("[options] [command]")
    .option("-c, --config <file>", usage.config)
    .option("-w, --workspace <folder>", usage.workspace)
    .option("--verbose", usage.verbose)
    .helpOption("-h, --help", usage.help)
    .helpCommand("help [command]", usage.help)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureHelp(createHelp(words));
  program
    .command("agent", { isDefault: true })
    .description(usage.agent)
    .option("-m, --message <text>", usage.agentMessage)
    .option("--media <file...>", usage.agentMedia)
    .option("-s, --session <key>", usage.agentSession)
    .option("--plain", words.terminal.plain)
    .option("--json", usage.json)
    .action((_, command: Command) => found({ command: "agent", options: command.optsWithGlobals() }));
  program
    .command("onboard")
    .description(usage.onboard)
    .option("--provider <name>", usage.onboardProvider)
    .option("--model <name>", usage.onboardModel)
    .option("--api-base <url>", usage.onboardApiBase)
    .option("--api-key-env <variable>", usage.onboardApiKeyEnv)
    .option("--api-key-stdin", usage.onboardApiKeyStdin)
    .option("--no-test", usage.onboardNoTest)
    .option("--skip-bootstrap", usage.onboardSkipBootstrap)
    .option("-y, --yes", usage.onboardYes)
    .action((_, command: Command) => found({ command: "onboard", options: command.optsWithGlobals() }));
  program
    .command("status")
    .description(usage.status)
    .option("--json", usage.json)
    .action((_, command: Command) => found({ command: "status", options: command.optsWithGlobals() }));
  program
    .command("context")
    .description(usage.context)
    .addArgument(new Argument("[what]", usage.contextWhat).choices(["diff"]))
    .option("-s, --session <key>", usage.contextSession)
    .option("-m, --message <text>", usage.contextMessage)
    .option("--json", usage.json)
    .option("--raw", usage.contextRaw)
    .action((what: string | undefined, _, command: Command) =>
      found({ command: "context", options: { ...command.optsWithGlobals(), diff: what === "diff" } }),
    );
  program
    .command("skills")
    .description(usage.skills)
    .addArgument(new Argument("[action]", usage.skillsAction).choices(skillsActions).default("list"))
    .argument("[target]", usage.skillsTarget)
    .option("--json", usage.json)
    .option("--name <name>", usage.skillsName)
    .option("-y, --yes", usage.skillsYes)
    .option("--allow-flagged", usage.skillsAllowFlagged)
    .action((action: SkillsOptions["action"], target: string | undefined, _, command: Command) =>
      found({ command: "skills", options: { ...command.optsWithGlobals(), action, target } }),
    );
  program
    .command("memory")
    .description(usage.memory)
    .addArgument(new Argument("<action>", usage.memoryAction).choices(memoryActions))
    .argument("[words...]", usage.memoryWords)
    .option("--json", usage.json)
    .option("-y, --yes", usage.memoryYes)
    .action((action: MemoryOptions["action"], text: string[], _, command: Command) =>
      found({ command: "memory", options: { ...command.optsWithGlobals(), action, words: text } }),
    );
  addMcpCommand(program, words, found);
  for (const kind of ["tools", "channels"] as const) addOwnCodeCommand(kind, program, words, found);
  addGatewayCommands(program, words, found);
  addCareCommands(program, words, found);
  for (const command of program.commands)
    command.helpOption("-h, --help", usage.help).copyInheritedSettings(program);
  return program;
}

function addMcpCommand(
  program: Command,
  { mcp, usage }: Words,
  found: (invocation: Invocation) => void,
): void {
  const collect = (value: string, before: string[] = []) => [...before, value];
  const command = program
    .command("mcp")
    .description(mcp.usage.command)
    .addArgument(new Argument("[action]", mcp.usage.action).choices(mcpActions).default("list"))
    .argument("[name]", mcp.usage.name)
    .argument("[words...]", mcp.usage.words)
    .option("--url <address>", mcp.usage.url)
    .option("--header <name=value>", mcp.usage.header, collect)
    .option("--env <name=value>", mcp.usage.env, collect)
    .option("--no-test", mcp.usage.noTest)
    .option("--json", usage.json)
    .action((action: McpOptions["action"], name: string | undefined, text: string[]) =>
      found({ command: "mcp", options: { ...command.optsWithGlobals(), action, name, words: text } }),
    );
}

function addOwnCodeCommand(
  kind: "tools" | "channels",
  program: Command,
  words: Words,
  found: (invocation: Invocation) => void,
): void {
  const { usage } = words[kind];
  const actions = ownCodeActions[kind];
  const command = program
    .command(kind)
    .description(usage.command)
    .addArgument(new Argument("[action]", usage.action).choices(actions).default("list"))
    .argument("[name]", usage.name)
    .option("--json", words.usage.json)
    .option("-y, --yes", usage.yes)
    .action((action: OwnCodeOptions["action"], name: string | undefined) =>
      found({ command: kind, options: { ...command.optsWithGlobals(), action, name } }),
    );
}

function createHelp(words: Words): HelpConfiguration {
  return {
    showGlobalOptions: true,
    styleTitle: (title) => translateTitle(title, words),
    argumentDescription: describeChoices,
    optionDescription: describeChoices,
  };
}

/** Commander's own way to name choices and defaults is English; the descriptions tell the defaults. */
function describeChoices({ description, argChoices }: Pick<Argument, "description" | "argChoices">): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.join(", ")}`;
}

function translateTitle(title: string, { usage: { titles } }: Words): string {
  switch (title) {
    case "Usage:":
      return titles.usage;
    case "Arguments:":
      return titles.arguments;
    case "Options:":
      return titles.options;
    case "Global Options:":
      return titles.globalOptions;
    case "Commands:":
      return titles.commands;
    default:
      return title;
  }
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
      case "unknown-action":
        return usage.unknownCommand(`${command?.name()} ${mistake.value}`);
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
    return usage.unknownCommand(
      name,
      findNearest(
        name,
        program.commands.map((one) => one.name()),
      ),
    );
  }
}

/** Without a command, options are those of the chat. */
function listOptions(program: Command, command = program.commands[0]): string[] {
  return [...program.options, ...(command?.options ?? [])].flatMap(({ long }) => long ?? []);
}
