// What the terminal says about MCP servers, in English.
import { nanobot } from "../../lib/program-command.ts";

const tools = (count: number | string) => `${count} ${count === 1 ? "tool" : "tools"}`;

export const englishMcp = {
  usage: {
    command: "list, add, remove and test MCP servers, whose tools the assistant can use",
    action: "what to do (default: list)",
    name: "a server's name; for add also a file with the mcpServers of another client, or - for stdin",
    words: "after --: the program that is the server, and its arguments",
    url: "address of a server that runs elsewhere",
    header: "header of every request to it; may be given several times",
    env: "environment variable of the program; may be given several times",
    noTest: "do not try the server",
  },
  transports: { stdio: "program", http: "HTTP", sse: "HTTP (older)" },
  none: `There are no MCP servers. Add one: ${nanobot} mcp add <name> -- <program> <arguments>`,
  unseen: "not connected yet",
  disabled: "switched off",
  offered: (count: number | string, when: string) => `${tools(count)}, seen ${when}`,
  needsName: (action: string) => `Name a server: ${nanobot} mcp ${action} <name>`,
  needsTarget: `Say what to add: ${nanobot} mcp add <name> -- <program> <arguments>, or <name> --url <address>, or a file with mcpServers`,
  notAPair: (given: string) => `"${given}" is no pair. Write it as NAME=value.`,
  added: (names: string, path: string) => `Added to ${path}: ${names}`,
  ignored: (keys: string) => `Not known here, and left out: ${keys}`,
  removed: (name: string) => `"${name}" was removed.`,
  connected: (name: string, ms: number | string, count: number | string) =>
    `${name}: connected in ${ms} ms, ${tools(count)}`,
  failed: (name: string, reason: string) => `${name}: ${reason}`,
  status: "MCP servers",
};
