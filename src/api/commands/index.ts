// All slash commands.
import type { SlashCommand } from "./command.ts";
import { contextCommand, conversationCommands, modelCommand, usageCommand } from "./conversation.ts";
import {
  confirmCommand,
  cronCommand,
  goalCommand,
  pairingCommand,
  restartCommand,
  triggerCommand,
} from "./home.ts";
import { memoryCommands } from "./memory.ts";

export const slashCommands: readonly SlashCommand[] = [
  ...conversationCommands,
  contextCommand,
  cronCommand,
  goalCommand,
  ...memoryCommands,
  modelCommand,
  pairingCommand,
  restartCommand,
  triggerCommand,
  confirmCommand,
  usageCommand,
];
