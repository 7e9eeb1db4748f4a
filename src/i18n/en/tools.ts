// What the terminal says about one's own tools, in English.
import { nanobot } from "../../lib/program-command.ts";

export const englishTools = {
  usage: {
    command: "list your own tools, allow one, or take that back",
    action: "what to do (default: list)",
    name: "a file in the folder tools of the home",
    yes: "allow without asking",
  },
  title: "Own tools",
  none: (folder: string) =>
    `There are no tools of your own in ${folder}. How to write one: docs/adding-a-tool.md`,
  states: {
    allowed: "allowed",
    new: "not allowed",
    changed: "changed",
    refused: "refused",
    broken: "broken",
  },
  needsName: (action: string) => `Name a file: ${nanobot} tools ${action} <file>`,
  covers: "It will run with all your rights. What you allow, until one of these files changes:",
  allowed: (file: string) => `"${file}" is allowed.`,
  removed: (file: string) => `"${file}" is no longer allowed. The file itself stays.`,
};
