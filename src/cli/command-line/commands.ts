// How the commands are typed: arguments, flags and their descriptions. An argument becomes the option of the same name.
import { Argument, type Command, type HelpConfiguration, InvalidArgumentError, Option } from "commander";
import type { Words } from "../../i18n/words.ts";
import { nanobot } from "../../lib/program-command.ts";
import {
  clusterActions,
  cronActions,
  gatewayActions,
  homesActions,
  type Invocation,
  mcpActions,
  memoryActions,
  outboxActions,
  ownCodeActions,
  pairingActions,
  providerActions,
  signatureKinds,
  skillsActions,
  tokenActions,
  triggerActions,
  usageGroups,
} from "./options.ts";
import { StrictCommand } from "./strict-command.ts";

/** Adds a command; its arguments and flags are chained to the result. */
type Add = (name: Invocation["command"], description: string) => Command;

export function createProgram(words: Words, onCommand: (invocation: Invocation) => void): Command {
  const { usage } = words;
  const program = new StrictCommand(nanobot)
    .description(`${usage.summary}\n${usage.start}`)
    .usage("[options] [command]")
    .option("-c, --config <file>", usage.config)
    .option("-w, --workspace <folder>", usage.workspace)
    .option("--home <name>", usage.home)
    .option("--verbose", usage.verbose)
    .helpOption("-h, --help", usage.help)
    .helpCommand("help [command]", usage.help)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureHelp(createHelp(words));
  const add: Add = (name, description) => {
    const command = program.command(name, { isDefault: name === "agent" }).description(description);
    return command.action(() => {
      const values = command.registeredArguments.map((argument, index) => [
        argument.name(),
        command.processedArgs[index],
      ]);
      const options = { ...command.optsWithGlobals(), ...Object.fromEntries(values) };
      // Commander's types do not know which flags a command has.
      onCommand({ command: name, options } as Invocation);
    });
  };
  addAssistantCommands(add, words);
  addExtensionCommands(add, words);
  addGatewayCommands(add, words);
  addCareCommands(add, words);
  for (const command of program.commands)
    command.helpOption("-h, --help", usage.help).copyInheritedSettings(program);
  return program;
}

function addAssistantCommands(add: Add, { usage, terminal, moveIn, provider }: Words): void {
  add("agent", usage.agent)
    .option("-m, --message <text>", usage.agentMessage)
    .option("--media <file...>", usage.agentMedia)
    .option("-s, --session <key>", usage.agentSession)
    .option("--plain", terminal.plain)
    .option("--json", usage.json);
  add("onboard", usage.onboard)
    .option("--provider <name>", usage.onboardProvider)
    .option("--model <name>", usage.onboardModel)
    .option("--api-base <url>", usage.onboardApiBase)
    .option("--api-key-env <variable>", usage.onboardApiKeyEnv)
    .option("--api-key-stdin", usage.onboardApiKeyStdin)
    .option("--no-test", usage.onboardNoTest)
    .option("--skip-bootstrap", usage.onboardSkipBootstrap)
    .option("-y, --yes", usage.onboardYes);
  add("provider", provider.usage.command)
    .addArgument(new Argument("<action>", provider.usage.action).choices(providerActions))
    .argument("[name]", provider.usage.name)
    .option("--browser", provider.usage.browser)
    .option("--json", usage.json);
  add("move-in", moveIn.usage.command)
    .option("--from <folder>", moveIn.usage.from)
    .option("--dry-run", moveIn.usage.dryRun)
    .option("--secrets", moveIn.usage.secrets)
    .option("--no-secrets", moveIn.usage.noSecrets)
    .option("-y, --yes", moveIn.usage.yes)
    .option("--json", usage.json);
  add("status", usage.status).option("--json", usage.json);
  add("context", usage.context)
    .addArgument(new Argument("[what]", usage.contextWhat).choices(["diff"]))
    .option("-s, --session <key>", usage.contextSession)
    .option("-m, --message <text>", usage.contextMessage)
    .option("--json", usage.json)
    .option("--raw", usage.contextRaw);
  add("skills", usage.skills)
    .addArgument(new Argument("[action]", usage.skillsAction).choices(skillsActions).default("list"))
    .argument("[target]", usage.skillsTarget)
    .option("--json", usage.json)
    .option("--name <name>", usage.skillsName)
    .option("-y, --yes", usage.skillsYes)
    .option("--allow-flagged", usage.skillsAllowFlagged);
  add("memory", usage.memory)
    .addArgument(new Argument("<action>", usage.memoryAction).choices(memoryActions))
    .argument("[words...]", usage.memoryWords)
    .option("--json", usage.json)
    .option("-y, --yes", usage.memoryYes);
}

function addExtensionCommands(add: Add, words: Words): void {
  const { mcp, usage } = words;
  const collect = (value: string, before: string[] = []) => [...before, value];
  add("mcp", mcp.usage.command)
    .addArgument(new Argument("[action]", mcp.usage.action).choices(mcpActions).default("list"))
    .argument("[name]", mcp.usage.name)
    .argument("[words...]", mcp.usage.words)
    .option("--url <address>", mcp.usage.url)
    .option("--preset <name>", mcp.usage.preset)
    .option("--header <name=value>", mcp.usage.header, collect)
    .option("--env <name=value>", mcp.usage.env, collect)
    .option("--no-test", mcp.usage.noTest)
    .option("--no-browser", mcp.usage.noBrowser)
    .option("--json", usage.json);
  add("acp", mcp.usage.acp);
  for (const kind of ["tools", "channels"] as const) {
    const said = words[kind].usage;
    add(kind, said.command)
      .addArgument(new Argument("[action]", said.action).choices(ownCodeActions[kind]).default("list"))
      .argument("[name]", said.name)
      .option("--json", usage.json)
      .option("-y, --yes", said.yes);
  }
}

function addGatewayCommands(
  add: Add,
  { gateway, web, schedule, triggers, pairing, outbox, money, usage }: Words,
): void {
  add("gateway", gateway.usage.command)
    .addArgument(new Argument("[action]", gateway.usage.action).choices(gatewayActions).default("run"))
    .option("-p, --port <number>", gateway.usage.port, toPort)
    .option("--tail <lines>", gateway.usage.tail, Number)
    .option("-f, --follow", gateway.usage.follow)
    .option("--dry-run", gateway.usage.dryRun)
    .option("--json", usage.json);
  add("web", web.usage.command)
    .addArgument(new Argument("[topic]", web.usage.topic).choices(["token"]))
    .addArgument(new Argument("[action]", web.usage.tokenAction).choices(tokenActions).default("list"))
    .argument("[words...]", web.usage.tokenWords)
    .option("--guest <name>", web.usage.guest)
    .option("--open", web.usage.open)
    .option("--sign-out", web.usage.signOut)
    .option("--json", usage.json);
  add("cron", schedule.usage.command)
    .addArgument(new Argument("[action]", schedule.usage.action).choices(cronActions).default("list"))
    .argument("[id]", schedule.usage.id)
    .option("--name <name>", schedule.usage.name)
    .option("-m, --message <text>", schedule.usage.message)
    .option("--at <time>", schedule.usage.at)
    .option("--every <interval>", schedule.usage.every)
    .option("--cron <expression>", schedule.usage.cron)
    .option("--tz <zone>", schedule.usage.tz)
    .option("--deliver", schedule.usage.deliver)
    .option("--channel <name>", schedule.usage.channel)
    .option("--to <chat>", schedule.usage.to)
    .addOption(new Option("--misfire <policy>", schedule.usage.misfire).choices(["once", "skip"]))
    .option("--json", usage.json);
  add("trigger", triggers.usage.fire)
    .argument("<name>", triggers.usage.name)
    .argument("[message]", triggers.usage.message)
    .option("--json", usage.json);
  add("triggers", triggers.usage.command)
    .addArgument(new Argument("[action]", triggers.usage.action).choices(triggerActions).default("list"))
    .argument("[name]", triggers.usage.name)
    .option("--channel <name>", schedule.usage.channel)
    .option("--to <chat>", schedule.usage.to)
    .addOption(new Option("--signature <kind>", triggers.usage.signature).choices(signatureKinds))
    .option("--template <text>", triggers.usage.template)
    .option("--json", usage.json);
  add("pairing", pairing.usage.command)
    .addArgument(new Argument("[action]", pairing.usage.action).choices(pairingActions).default("list"))
    .argument("[words...]", pairing.usage.code)
    .option("--owner", pairing.usage.owner)
    .option("--person <name>", pairing.usage.person)
    .option("--json", usage.json);
  add("outbox", outbox.usage.command)
    .addArgument(new Argument("[action]", outbox.usage.action).choices(outboxActions).default("list"))
    .argument("[id]", outbox.usage.id)
    .option("--json", usage.json);
  add("usage", money.usage.command)
    .addOption(new Option("--by <group>", money.usage.by).choices(usageGroups).default("day"))
    .option("--since <day>", money.usage.since)
    .option("--csv", money.usage.csv)
    .option("--json", usage.json);
}

function addCareCommands(add: Add, { care, cluster, homes, usage }: Words): void {
  add("homes", homes.usage.command)
    .addArgument(new Argument("[action]", homes.usage.action).choices(homesActions).default("list"))
    .argument("[name]", homes.usage.name)
    .option("-y, --yes", homes.usage.yes)
    .option("--json", usage.json);
  add("cluster", cluster.usage.command)
    .addArgument(new Argument("[action]", cluster.usage.action).choices(clusterActions).default("status"))
    .argument("[words...]", cluster.usage.words)
    .option("--name <name>", cluster.usage.name)
    .option("--folder <folder>", cluster.usage.folder)
    .option("--capacity <number>", cluster.usage.capacity, Number)
    .option("--lease-ms <number>", cluster.usage.lease, Number)
    .option("--sleep-after <seconds>", cluster.usage.sleepAfter, Number)
    .option("-p, --port <number>", cluster.usage.port, toPort)
    .option("--listen <address>", cluster.usage.listen)
    .option("--address <url>", cluster.usage.address)
    .option("--paths <url>", cluster.usage.paths)
    .option("--json", usage.json);
  add("doctor", care.usage.doctor).option("--json", usage.json);
  add("backup", care.usage.backup).argument("[file]", care.usage.backupFile).option("--json", usage.json);
  add("restore", care.usage.restore)
    .argument("<file>", care.usage.restoreFile)
    .option("-y, --yes", care.usage.yes);
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError(text);
}

function createHelp(words: Words): HelpConfiguration {
  const { titles } = words.usage;
  const translated: Record<string, string> = {
    "Usage:": titles.usage,
    "Arguments:": titles.arguments,
    "Options:": titles.options,
    "Global Options:": titles.globalOptions,
    "Commands:": titles.commands,
  };
  return {
    showGlobalOptions: true,
    styleTitle: (title) => translated[title] ?? title,
    argumentDescription: describeChoices,
    optionDescription: describeChoices,
  };
}

/** Commander names choices and defaults in English; the descriptions name the defaults. */
function describeChoices({ description, argChoices }: Pick<Argument, "description" | "argChoices">): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.join(", ")}`;
}
