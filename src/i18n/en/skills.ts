// What `nanobot skills` says, in English.
import { nanobot } from "../../lib/program-command.ts";

export const englishSkills = {
  states: { ready: "ready", always: "always on", off: "off", blocked: "blocked", unusable: "unusable" },
  sources: {
    workspace: "workspace",
    user: "home",
    agents: "~/.agents",
    directory: "directory",
    "built-in": "built in",
  },
  needsTarget: (action: string) => `Say what to ${action}: ${nanobot} skills ${action} <...>`,
  needsYes: "Nobody is there to be asked. If you are sure, add --yes.",
  severalInside: (names: string) =>
    `There are several skills, or none of that name. Choose with --name: ${names}`,
  wouldCopy: (count: number | string, folder: string) => `Files to copy to ${folder}: ${count}`,
  nothingFound: "Nothing suspicious was found in it.",
  found: "Suspicious:",
  replaces: "It takes the place of the one that is there. What changes:",
  addFlagged: "It was not added. If you have read it and trust it, add --allow-flagged.",
  askAdd: (name: string) => `Add "${name}"?`,
  askAllow: (name: string) => `Use "${name}" as it is now?`,
  askRemove: (folder: string) => `Delete ${folder}?`,
  added: (name: string, folder: string) => `"${name}" was added to ${folder}.`,
  removed: (name: string) => `"${name}" was removed.`,
  enabled: (name: string) => `"${name}" is switched on.`,
  disabled: (name: string) => `"${name}" is switched off.`,
  allowed: (name: string) => `"${name}" may be used until one of its files changes.`,
  notOurs: (folder: string) =>
    `${folder} belongs to the program, or other programs use it too. Switch the skill off instead: ${nanobot} skills disable`,
  checked: (name: string) => `"${name}" is a good skill.`,
};
