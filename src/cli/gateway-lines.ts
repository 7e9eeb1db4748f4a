// How the commands about what a gateway keeps are typed: gateway, cron, pairing, outbox, usage.
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Words } from "../i18n/words.ts";
import type { Misfire } from "../storage/jobs/job.ts";
import type { UsageGroup } from "../storage/queues/ledger.ts";
import type { GlobalOptions } from "./command-line.ts";

const gatewayActions = [
  "run",
  "start",
  "stop",
  "status",
  "logs",
  "install-service",
  "uninstall-service",
] as const;

export interface GatewayOptions extends GlobalOptions {
  action: (typeof gatewayActions)[number];
  port?: number;
  /** Lines of the log. */
  tail?: number;
  /** Only show what would be installed. */
  dryRun?: boolean;
  follow?: boolean;
  json?: boolean;
}

const cronActions = ["list", "add", "remove", "run", "pause", "resume", "history"] as const;

export interface CronOptions extends GlobalOptions {
  action: (typeof cronActions)[number];
  /** Of a job. */
  id?: string;
  name?: string;
  message?: string;
  at?: string;
  every?: string;
  cron?: string;
  tz?: string;
  deliver?: boolean;
  channel?: string;
  /** A chat of that channel. */
  to?: string;
  misfire?: Misfire;
  json?: boolean;
}

const pairingActions = ["list", "approve", "deny", "revoke"] as const;

export interface PairingOptions extends GlobalOptions {
  action: (typeof pairingActions)[number];
  /** A code; for `revoke` a channel and a sender. */
  words: string[];
  owner?: boolean;
  person?: string;
  json?: boolean;
}

const outboxActions = ["list", "retry", "drop"] as const;

export interface OutboxOptions extends GlobalOptions {
  action: (typeof outboxActions)[number];
  /** Of a part, or `all`. */
  id?: string;
  json?: boolean;
}

const usageGroups: UsageGroup[] = ["day", "cause", "model", "person", "session"];

export interface UsageOptions extends GlobalOptions {
  by: UsageGroup;
  since?: string;
  csv?: boolean;
  json?: boolean;
}

export interface WebOptions extends GlobalOptions {
  /** Whom the link is for, instead of the owner. */
  guest?: string;
  open?: boolean;
  signOut?: boolean;
  json?: boolean;
}

const tokenActions = ["list", "add", "remove"] as const;

export interface WebTokenOptions extends GlobalOptions {
  action: (typeof tokenActions)[number];
  /** The name; for `add` the operations follow. */
  words: string[];
  json?: boolean;
}

export type GatewayInvocation =
  | { command: "gateway"; options: GatewayOptions }
  | { command: "web"; options: WebOptions }
  | { command: "web token"; options: WebTokenOptions }
  | { command: "cron"; options: CronOptions }
  | { command: "pairing"; options: PairingOptions }
  | { command: "outbox"; options: OutboxOptions }
  | { command: "usage"; options: UsageOptions };

type Found = (invocation: GatewayInvocation) => void;

export function addGatewayCommands(program: Command, words: Words, found: Found): void {
  addGateway(program, words, found);
  addWeb(program, words, found);
  addCron(program, words, found);
  addPairing(program, words, found);
  addOutbox(program, words, found);
  addUsage(program, words, found);
}

function addGateway(program: Command, { gateway, usage }: Words, found: Found): void {
  const command = program
    .command("gateway")
    .description(gateway.usage.command)
    .addArgument(new Argument("[action]", gateway.usage.action).choices(gatewayActions).default("run"))
    .option("-p, --port <number>", gateway.usage.port, toPort)
    .option("--tail <lines>", gateway.usage.tail, Number)
    .option("-f, --follow", gateway.usage.follow)
    .option("--dry-run", gateway.usage.dryRun)
    .option("--json", usage.json)
    .action((action: GatewayOptions["action"]) =>
      found({ command: "gateway", options: { ...command.optsWithGlobals(), action } }),
    );
}

function addWeb(program: Command, { web, usage }: Words, found: Found): void {
  const command = program
    .command("web")
    .description(web.usage.command)
    .addArgument(new Argument("[topic]", web.usage.topic).choices(["token"]))
    .addArgument(new Argument("[action]", web.usage.tokenAction).choices(tokenActions).default("list"))
    .argument("[words...]", web.usage.tokenWords)
    .option("--guest <name>", web.usage.guest)
    .option("--open", web.usage.open)
    .option("--sign-out", web.usage.signOut)
    .option("--json", usage.json)
    .action((topic: "token" | undefined, action: WebTokenOptions["action"], text: string[]) => {
      const options = command.optsWithGlobals();
      if (topic === undefined) found({ command: "web", options });
      else found({ command: "web token", options: { ...options, action, words: text } });
    });
}

function addCron(program: Command, { schedule, usage }: Words, found: Found): void {
  const command = program
    .command("cron")
    .description(schedule.usage.command)
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
    .option("--json", usage.json)
    .action((action: CronOptions["action"], id: string | undefined) =>
      found({ command: "cron", options: { ...command.optsWithGlobals(), action, id } }),
    );
}

function addPairing(program: Command, { pairing, usage }: Words, found: Found): void {
  const command = program
    .command("pairing")
    .description(pairing.usage.command)
    .addArgument(new Argument("[action]", pairing.usage.action).choices(pairingActions).default("list"))
    .argument("[words...]", pairing.usage.code)
    .option("--owner", pairing.usage.owner)
    .option("--person <name>", pairing.usage.person)
    .option("--json", usage.json)
    .action((action: PairingOptions["action"], text: string[]) =>
      found({ command: "pairing", options: { ...command.optsWithGlobals(), action, words: text } }),
    );
}

function addOutbox(program: Command, { outbox, usage }: Words, found: Found): void {
  const command = program
    .command("outbox")
    .description(outbox.usage.command)
    .addArgument(new Argument("[action]", outbox.usage.action).choices(outboxActions).default("list"))
    .argument("[id]", outbox.usage.id)
    .option("--json", usage.json)
    .action((action: OutboxOptions["action"], id: string | undefined) =>
      found({ command: "outbox", options: { ...command.optsWithGlobals(), action, id } }),
    );
}

function addUsage(program: Command, { money, usage }: Words, found: Found): void {
  const command = program
    .command("usage")
    .description(money.usage.command)
    .addOption(new Option("--by <group>", money.usage.by).choices(usageGroups).default("day"))
    .option("--since <day>", money.usage.since)
    .option("--csv", money.usage.csv)
    .option("--json", usage.json)
    .action(() => found({ command: "usage", options: command.optsWithGlobals() }));
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError(text);
}
