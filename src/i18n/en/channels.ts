// What the terminal says about one's own channels, in English: where it differs from what it says about tools.
import { nanobot } from "../../lib/program-command.ts";
import { englishTools } from "./tools.ts";

export const englishChannels: typeof englishTools = {
  ...englishTools,
  usage: {
    command: "list your own channels, allow one, or block it",
    action: "what to do (default: list)",
    name: "a file or folder in the folder channels of the home",
    yes: "allow without asking",
  },
  title: "Own channels",
  none: (folder) =>
    `There are no channels of your own in ${folder}. How to write one: docs/adding-a-channel.md`,
  needsName: (action) => `Name a file: ${nanobot} channels ${action} <file>`,
  allowed: (file) =>
    `"${file}" is allowed. It starts with the gateway, once "enabled" is true in its block under channels in config.json.`,
  removed: (file) =>
    `"${file}" is blocked, from the next start of the gateway on. What you wrote stays where it is.`,
};
