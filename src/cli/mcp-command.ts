// `nanobot mcp`: which MCP servers there are and how they fared; adding, removing and trying them.
import type { Client } from "../api/client.ts";
import { revealLine } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { McpOptions } from "./command-line.ts";
import { describeServer, describeTest, toServerReport, toTestReport } from "./mcp/describe-server.ts";
import { withClient } from "./open-client.ts";
import type { CommandContext } from "./terminal.ts";

export interface McpRequest {
  client: Client;
  options: McpOptions;
  context: CommandContext;
}

export async function runMcp(options: McpOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  if (options.action === "remove" && options.name === undefined)
    throw new CommandFailure(words.mcp.needsName(options.action), 2);
  if (options.action === "add") return (await import("./mcp/add-servers.ts")).addServers(options, context);
  return withClient(options, context.terminal, ({ client }) => act({ client, options, context }));
}

async function act({ client, options, context }: McpRequest): Promise<number> {
  const { terminal, signal } = context;
  const { words, stdout, style } = terminal;
  const { action, name = "" } = options;
  const print = (value: unknown, text: string) =>
    void stdout.write(`${options.json === true ? JSON.stringify(value) : text}\n`);
  if (action === "remove") {
    const { removed } = await client.call("mcp.remove", { name });
    print({ removed }, words.mcp.removed(revealLine(removed)));
    return 0;
  }
  if (action === "test") {
    const { tests } = await client.call("mcp.test", name === "" ? {} : { names: [name] }, { signal });
    const reports = tests.map((test) => toTestReport(test, words));
    const lines = tests.map((test) => describeTest(test, terminal));
    print(name === "" ? reports : reports[0], lines.join("\n") || words.mcp.none);
    return tests.every(({ ok }) => ok) ? 0 : 1;
  }
  const { servers } = await client.call("mcp.list", {});
  const reports = servers.map((server) => toServerReport(server, words));
  const lines = reports.map((server) => describeServer(server, words, style));
  print(reports, lines.join("\n") || words.mcp.none);
  return 0;
}
