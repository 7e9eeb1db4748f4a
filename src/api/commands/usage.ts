// `/usage`: what the models have taken today and this month.
import { describeUsage } from "../usage/describe-usage.ts";
import type { SlashCommand } from "./command.ts";

export const usageCommand: SlashCommand = {
  name: "usage",
  when: "now",
  takesText: true,
  run: async ({ client, words }) => describeUsage(await client.call("usage.summary", {}), words),
};
