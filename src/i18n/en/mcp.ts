// What the terminal says about MCP servers, in English. The reasons are also what the model hears.
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
  unknown: (name: string, nearest?: string) =>
    `There is no MCP server "${name}". ${nearest === undefined ? `See: ${nanobot} mcp list` : `Did you mean "${nearest}"?`}`,
  needsName: (action: string) => `Name a server: ${nanobot} mcp ${action} <name>`,
  needsTarget: `Say what to add: ${nanobot} mcp add <name> -- <program> <arguments>, or <name> --url <address>, or a file with mcpServers`,
  notAPair: (given: string) => `"${given}" is no pair. Write it as NAME=value.`,
  notServers:
    'That is no list of MCP servers. Give JSON such as {"mcpServers": {"name": {"command": "..."}}}; one server alone needs a name.',
  exists: (name: string) => `There is an MCP server "${name}" already. Remove it first, or use another name.`,
  added: (names: string, path: string) => `Added to ${path}: ${names}`,
  ignored: (keys: string) => `Not known here, and left out: ${keys}`,
  removed: (name: string) => `"${name}" was removed.`,
  connected: (name: string, ms: number | string, count: number | string) =>
    `${name}: connected in ${ms} ms, ${tools(count)}`,
  failed: (name: string, reason: string) => `${name}: ${reason}`,
  status: "MCP servers",
  /** Why a server cannot be used. */
  problems: {
    noTarget: () => "it has neither a command nor a url",
    badAddress: () => "its url is not an address that begins with http:// or https://",
    oauth: () => "signing in by the browser (auth: oauth) is not supported; put a token into its headers",
    noProgram: (program: string) =>
      `the program ${program} was not found; install it, or write its full path`,
    noFolder: (folder: string) => `its folder ${folder} does not exist`,
    ended: (last: string) => `it ended by itself${last === "" ? "" : `: ${last}`}`,
    noAnswer: (seconds: string) => `it did not answer${seconds === "" ? "" : ` within ${seconds} s`}`,
    unreachable: (code: string) => `it cannot be reached (${code}); check its url and the network`,
    refused: (status: string) => `it refused us (${status}); check the token in its headers`,
    redirected: (status: string) =>
      `it sends us to another address (${status}), which is not followed; use the new url if you trust it`,
    status: (status: string) => `it answered with the HTTP status ${status}`,
    tooLarge: (megabytes: string) => `it sent more than ${megabytes} MB at once and was ended`,
    failed: (reason: string) => reason,
  },
};
