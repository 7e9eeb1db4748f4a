// The list of commands, each loaded only when it was typed. A new one is a file beside this one, its lines in the
// command line, and a row here.
import { openHome } from "../app/open-home.ts";
import type { Invocation } from "./command-line.ts";
import type { CommandContext } from "./terminal.ts";

type OptionsOf<Name> = Extract<Invocation, { command: Name }>["options"];
/** Resolves with the exit code. */
type Run<Name> = (options: OptionsOf<Name>, context: CommandContext) => Promise<number>;

const commands: { [Name in Invocation["command"]]: () => Promise<Run<Name>> } = {
  agent: async () => (await import("./agent-command.ts")).runAgent,
  onboard: async () => (await import("./onboard-command.ts")).runOnboard,
  status: async () => (await import("./status-command.ts")).runStatus,
  context: async () => (await import("./context-command.ts")).runContext,
  skills: async () => (await import("./skills-command.ts")).runSkills,
  memory: async () => (await import("./memory-command.ts")).runMemory,
  mcp: async () => (await import("./mcp-command.ts")).runMcp,
  tools: async () => (await import("./own-code-command.ts")).runTools,
  channels: async () => (await import("./own-code-command.ts")).runChannels,
  gateway: async () => (await import("./gateway/gateway-command.ts")).runGateway,
  web: async () => (await import("./web-command.ts")).runWeb,
  "web token": async () => (await import("./web-token-command.ts")).runWebToken,
  cron: async () => (await import("./cron-command.ts")).runCron,
  pairing: async () => (await import("./pairing-command.ts")).runPairing,
  outbox: async () => (await import("./outbox-command.ts")).runOutbox,
  usage: async () => (await import("./usage-command.ts")).runUsage,
  doctor: async () => (await import("./care/doctor-command.ts")).runDoctor,
  backup: async () => (await import("./care/backup-command.ts")).runBackup,
  restore: async () => (await import("./care/backup-command.ts")).runRestore,
};

export async function runCommand({ command, options }: Invocation, context: CommandContext): Promise<number> {
  await openHome({ env: context.terminal.env, configPath: options.config }, context.signal);
  // The table says that they belong together, which the compiler cannot follow.
  const run = (await commands[command]()) as (options: unknown, context: CommandContext) => Promise<number>;
  return run(options, context);
}
