// The slash commands that call operations.
import type { SlashCommand } from "./command.ts";
import { conversationCommands } from "./conversation.ts";
import { cronCommand } from "./cron.ts";
import { pairingCommand } from "./pairing.ts";
import { restartCommand } from "./restart.ts";
import { usageCommand } from "./usage.ts";

export const slashCommands: readonly SlashCommand[] = [
  ...conversationCommands,
  cronCommand,
  pairingCommand,
  restartCommand,
  usageCommand,
];
