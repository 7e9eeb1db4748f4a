// `/restart`: the gateway starts again. It is over before it begins, so that it is not run again after the start.
import type { SlashCommand } from "./command.ts";

export const restartCommand: SlashCommand = {
  name: "restart",
  when: "now",
  takesText: true,
  isDoneFirst: true,
  async run({ client, words }) {
    await client.call("gateway.restart", {});
    return words.answers.restart.begins;
  },
};
