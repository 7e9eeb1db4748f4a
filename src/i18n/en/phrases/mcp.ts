// MCP servers: why one cannot be used, and what cannot be done with them, in English. The reasons are also what the model
// reads.
import type { PhraseContext } from "../../phrase.ts";

/** How a program ended, as far as it is known, and the last line that it wrote. */
export interface ServerEnd {
  exitCode?: number;
  signal?: string;
  lastLine?: string;
}

export const mcpPhrases = {
  "mcp.no-target": "it has neither a command nor a url",
  "mcp.bad-address": "its url is not an address that begins with http:// or https://",
  "mcp.oauth": "signing in by the browser (auth: oauth) is not supported; put a token into its headers",
  "mcp.no-program": ({ program }: { program: string }) =>
    `the program ${program} was not found; install it, or write its full path`,
  "mcp.not-started": ({ program, errno }: { program: string; errno: string }) =>
    `the program ${program} cannot be started (${errno}); check its permissions`,
  "mcp.no-folder": ({ folder }: { folder: string }) => `its folder ${folder} does not exist`,
  "mcp.ended": ({ exitCode, signal, lastLine = "" }: ServerEnd) => {
    const how = signal ?? (exitCode === undefined ? "" : `exit code ${exitCode}`);
    return ["it ended by itself", [how, lastLine].filter(Boolean).join(", ")].filter(Boolean).join(": ");
  },
  "mcp.no-answer": ({ seconds }: { seconds?: number }) =>
    `it did not answer${seconds === undefined ? "" : ` within ${seconds} s`}`,
  "mcp.unreachable": ({ errno }: { errno: string }) =>
    `it cannot be reached (${errno}); check its url and the network`,
  "mcp.refused": ({ status }: { status: number }) =>
    `it refused us (${status}); check the token in its headers`,
  "mcp.redirected": ({ status }: { status: number }) =>
    `it sends us to another address (${status}), which is not followed; use the new url if you trust it`,
  "mcp.status": ({ status }: { status: number }) => `it answered with the HTTP status ${status}`,
  "mcp.too-large": ({ megabytes }: { megabytes: number }) =>
    `it sent more than ${megabytes} MB at once and was ended`,
  "mcp.failed": ({ reason }: { reason: string }) => reason,
  "mcp.asks": ({ server }: { server: string }) => `${server} asks:`,
  "mcp.option": ({ label }: { label: string }) => label,
  "mcp.refuse": "Don't answer",
  "mcp.unknown": ({ name, nearest }: { name: string; nearest?: string }, { program }: PhraseContext) =>
    `There is no MCP server "${name}". ${nearest === undefined ? `See: ${program} mcp list` : `Did you mean "${nearest}"?`}`,
  "mcp.exists": ({ name }: { name: string }) =>
    `There is an MCP server "${name}" already. Remove it first, or use another name.`,
  "mcp.not-servers":
    'That is no list of MCP servers. Give JSON such as {"mcpServers": {"name": {"command": "..."}}}; one server alone needs a name.',
};
