// The slash commands that call operations.
import type { SlashCommand } from "./command.ts";
import { cronCommand } from "./cron.ts";

export const slashCommands: readonly SlashCommand[] = [cronCommand];
