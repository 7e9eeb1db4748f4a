// The list of commands, each loaded only when it was typed. A new command is a file in a folder here, its options and flags in
// command-line/, and a row in this list.
import { fail } from "../i18n/user-error.ts";
import { openHome, resolveHome } from "../storage/home.ts";
import { findHomeFolder } from "../storage/home-folders.ts";
import type { CommandOptions, Invocation } from "./command-line/options.ts";
import type { CommandContext } from "./terminal/terminal.ts";

/** Resolves with the exit code. */
type Run<Name extends keyof CommandOptions> = (
  options: CommandOptions[Name],
  context: CommandContext,
) => Promise<number>;

const commands: { [Name in keyof CommandOptions]: () => Promise<Run<Name>> } = {
  agent: async () => (await import("./agent/agent-command.ts")).runAgent,
  onboard: async () => (await import("./onboard/onboard-command.ts")).runOnboard,
  provider: async () => (await import("./commands/provider.ts")).runProvider,
  "move-in": async () => (await import("./commands/move-in.ts")).runMoveIn,
  status: async () => (await import("./care/status-command.ts")).runStatus,
  context: async () => (await import("./commands/usage.ts")).runContext,
  skills: async () => (await import("./commands/skills.ts")).runSkills,
  memory: async () => (await import("./commands/memory.ts")).runMemory,
  mcp: async () => (await import("./commands/mcp.ts")).runMcp,
  acp: async () => (await import("./acp/acp-command.ts")).runAcp,
  tools: async () => (await import("./commands/extensions.ts")).runTools,
  channels: async () => (await import("./commands/extensions.ts")).runChannels,
  gateway: async () => (await import("./gateway/gateway-command.ts")).runGateway,
  web: async () => (await import("./commands/web.ts")).runWeb,
  cron: async () => (await import("./commands/cron.ts")).runCron,
  trigger: async () => (await import("./commands/triggers.ts")).runTrigger,
  triggers: async () => (await import("./commands/triggers.ts")).runTriggers,
  pairing: async () => (await import("./commands/pairing.ts")).runPairing,
  outbox: async () => (await import("./commands/outbox.ts")).runOutbox,
  usage: async () => (await import("./commands/usage.ts")).runUsage,
  homes: async () => (await import("./commands/homes.ts")).runHomes,
  cluster: async () => (await import("./commands/cluster.ts")).runCluster,
  doctor: async () => (await import("./care/doctor-command.ts")).runDoctor,
  backup: async () => (await import("./care/backup-command.ts")).runBackup,
  restore: async () => (await import("./care/backup-command.ts")).runRestore,
};

export async function runCommand({ command, options }: Invocation, given: CommandContext): Promise<number> {
  const context = options.home === undefined ? given : inHome(options.home, given);
  await openHome({ env: context.terminal.env, configPath: options.config }, context.signal);
  // The table says that they belong together, which the compiler cannot follow.
  const run = (await commands[command]()) as (options: unknown, context: CommandContext) => Promise<number>;
  return run(options, context);
}

/** As if the other assistant's home were the only one. */
function inHome(name: string, { terminal, signal }: CommandContext): CommandContext {
  const folder = findHomeFolder(resolveHome({ env: terminal.env }), name);
  if (folder === undefined) throw fail("homes.unknown", { name });
  const env = { ...terminal.env, NANOBOT_HOME: folder };
  return { signal, terminal: Object.create(terminal, { env: { value: env } }) };
}
