// MCP servers, custom tools and channels, and skills, in English.
import { nanobot } from "../../lib/program-command.ts";
import { plural } from "./plural.ts";

const tools = {
  usage: {
    command: "list your custom tools, allow or block one",
    action: "what to do (default: list)",
    name: "a file in the folder tools of the home",
    yes: "allow without asking",
  },
  title: "Custom tools",
  none: (folder: string) => `There are no custom tools in ${folder}. How to write one: docs/adding-a-tool.md`,
  states: {
    allowed: "allowed",
    new: "not allowed",
    changed: "changed",
    refused: "refused",
    broken: "broken",
  },
  needsName: (action: string) => `Name a file: ${nanobot} tools ${action} <file>`,
  covers: "It will run with all your permissions. You allow these files, until one of them changes:",
  allowed: (file: string) => `"${file}" is allowed.`,
  removed: (file: string) => `"${file}" is no longer allowed. The file itself stays.`,
};

export const englishExtensions = {
  mcp: {
    usage: {
      command:
        "list, add, remove and test MCP servers, whose tools the assistant can use; sign in to one; serve: be one",
      action: "what to do (default: list)",
      name: "a server's name; for add also a file with the mcpServers of another client, or - for stdin",
      words: "after --: the program that is the server, and its arguments",
      url: "address of a server that runs elsewhere",
      preset: "a server that is known: browser, files, github, notion, google or home-assistant",
      header: "header of every request to it; can be repeated",
      env: "environment variable of the program; can be repeated",
      noTest: "do not test the server",
      acp: "be the agent of an editor such as Zed (Agent Client Protocol)",
      noBrowser: "for login: only print the address, and wait for a pasted one",
    },
    transports: { stdio: "program", http: "HTTP", sse: "HTTP (older)" },
    none: `There are no MCP servers. Add one: ${nanobot} mcp add <name> -- <program> <arguments>`,
    unseen: "not connected yet",
    disabled: "switched off",
    offered: (count: number | string, when: string) => `${plural(count, "tool")}, seen ${when}`,
    needsName: (action: string) => `Name a server: ${nanobot} mcp ${action} <name>`,
    needsTarget: `Say what to add: ${nanobot} mcp add <name> -- <program> <arguments>, or <name> --url <address>, or a file with mcpServers`,
    notAPair: (given: string) => `"${given}" is not a pair. Write it as NAME=value.`,
    added: (names: string, path: string) => `Added to ${path}: ${names}`,
    ignored: (keys: string) => `Not supported, so left out: ${keys}`,
    removed: (name: string) => `"${name}" was removed.`,
    signIn: {
      open: (address: string) => `Open this page to sign in:\n${address}`,
      notOpened: "The browser could not be opened here: copy the address into one.",
      paste:
        "Waiting for the browser. If it ends at a page that cannot be reached, paste the address of that page here.",
      closeWindow: "You are signed in. You can close this window.",
      given: (name: string) => `Not signed in. Try again: ${nanobot} mcp login ${name}`,
      signedOut: (name: string) => `Signed out of "${name}".`,
      wasNot: (name: string) => `You were not signed in to "${name}".`,
    },
    connected: (name: string, ms: number | string, count: number | string) =>
      `${name}: connected in ${ms} ms, ${plural(count, "tool")}`,
    failed: (name: string, reason: string) => `${name}: ${reason}`,
    waiting: (names: string) =>
      `Waiting for ${names} to start for the first time, up to a minute. Next time the tools are there at once.`,
    status: "MCP servers",
  },

  tools,

  channels: {
    ...tools,
    platforms: {
      isOn: "on",
      isOff: "off",
      setUp: (command: string) =>
        `Set one up on the page Channels (${command}), or under channels in config.json.`,
    },
    usage: {
      command: "list your custom channels, allow or block one",
      action: "what to do (default: list)",
      name: "a file or folder in the folder channels of the home",
      yes: "allow without asking",
    },
    title: "Custom channels",
    none: (folder) => `There are no custom channels in ${folder}. How to write one: docs/adding-a-channel.md`,
    needsName: (action) => `Name a file: ${nanobot} channels ${action} <file>`,
    allowed: (file) =>
      `"${file}" is allowed. It starts with the gateway, once "enabled" is true in its block under channels in config.json.`,
    removed: (file) => `"${file}" is blocked from the next start of the gateway on. The file itself stays.`,
  } satisfies typeof tools & Record<"platforms", unknown>,

  skills: {
    states: { ready: "ready", always: "always on", off: "off", blocked: "blocked", unusable: "unusable" },
    sources: {
      workspace: "workspace",
      user: "home",
      agents: "~/.agents",
      directory: "directory",
      "built-in": "built in",
    },
    needsTarget: (action: string) => `Say what to ${action}: ${nanobot} skills ${action} <...>`,
    needsYes: "No one can be asked here. If you are sure, add --yes.",
    severalInside: (names: string) =>
      `There are several skills, or none of that name. Choose with --name: ${names}`,
    wouldCopy: (count: number | string, folder: string) => `Files to copy to ${folder}: ${count}`,
    nothingFound: "Nothing suspicious was found in it.",
    found: "Suspicious:",
    replaces: "It replaces the existing one. Changes:",
    addFlagged: "It was not added. If you have read it and trust it, add --allow-flagged.",
    askAdd: (name: string) => `Add "${name}"?`,
    askAllow: (name: string) => `Use "${name}" as it is now?`,
    wantsCommands: (list: string) => `Commands it wants to use without asking: ${list}`,
    wantsHosts: (list: string) => `Hosts: ${list}`,
    wantsTooMuch: (list: string) => `Too broad to be granted: ${list}`,
    wantsRisk:
      "Not granted. If you grant it, these commands can send files of the workspace to these hosts without asking, also at night.",
    wantsGranted: "Granted by you.",
    askGrant: (name: string) => `Grant this to "${name}"?`,
    grantCode: (name: string, code: string) => `To grant it, send: /trust ${name} ${code}`,
    granted: (name: string) =>
      `"${name}" may use its commands and hosts without asking, until one of its files changes.`,
    revoked: (name: string) => `"${name}" has to ask again.`,
    askRemove: (folder: string) => `Delete ${folder}?`,
    added: (name: string, folder: string) => `"${name}" was added to ${folder}.`,
    removed: (name: string) => `"${name}" was removed.`,
    enabled: (name: string) => `"${name}" is switched on.`,
    disabled: (name: string) => `"${name}" is switched off.`,
    allowed: (name: string) => `"${name}" may be used until one of its files changes.`,
    notOurs: (folder: string) =>
      `${folder} comes with nanobot, or other programs use it too. Switch the skill off instead: ${nanobot} skills disable`,
    noRevisions: "Dream proposes no change of a skill at the moment.",
    revision: (name: string, reason: string) => `${name}: ${reason}`,
    used: (name: string, version: string, read: number | string, succeeded: number | string) =>
      `${name} (version ${version}): read ${plural(read, "time")}, ${succeeded} of them went well`,
    decide: `Decide with: ${nanobot} skills apply <name>, or skills refuse <name>`,
    askApply: (name: string) => `Apply this change to "${name}"?`,
    revisionApplied: (name: string, undo: string) => `"${name}" was changed. To undo it: ${undo}`,
    revisionRefused: (name: string) => `The change of "${name}" was refused.`,
    revisionWaits: (name: string) => `The change of "${name}" waits for your decision.`,
    checked: (name: string) => `"${name}" is a valid skill.`,
  },
};
