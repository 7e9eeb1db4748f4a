// All slash commands.
import type { SlashCommand } from "./command.ts";
import { contextCommand, conversationCommands, modelCommand, usageCommand } from "./conversation.ts";
import { confirmCommand, cronCommand, pairingCommand, restartCommand } from "./home.ts";
import { memoryCommands } from "./memory.ts";

export const slashCommands: readonly SlashCommand[] = [
  ...conversationCommands,
  contextCommand,
  cronCommand,
  ...memoryCommands,
  modelCommand,
  pairingCommand,
  restartCommand,
  confirmCommand,
  usageCommand,
];
