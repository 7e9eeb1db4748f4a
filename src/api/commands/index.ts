// All slash commands.
import type { SlashCommand } from "./command.ts";
import { contextCommand } from "./context.ts";
import { conversationCommands } from "./conversation.ts";
import { cronCommand } from "./cron.ts";
import { memoryCommands } from "./memory.ts";
import { modelCommand } from "./model.ts";
import { pairingCommand } from "./pairing.ts";
import { restartCommand } from "./restart.ts";
import { usageCommand } from "./usage.ts";

export const slashCommands: readonly SlashCommand[] = [
  ...conversationCommands,
  contextCommand,
  cronCommand,
  ...memoryCommands,
  modelCommand,
  pairingCommand,
  restartCommand,
  usageCommand,
];
