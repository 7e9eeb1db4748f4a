// `nanobot mcp`: which MCP servers there are and how they fared; adding, removing and trying them.
import { join } from "node:path";
import { surveyServers } from "../app/survey-servers.ts";
import type { LoadedConfig } from "../config/load.ts";
import { findNearest } from "../lib/nearest.ts";
import { revealLine } from "../lib/visible-text.ts";
import { ToolCache } from "../mcp/tool-cache.ts";
import { CommandFailure } from "./command-failure.ts";
import type { McpOptions } from "./command-line.ts";
import { describeServer } from "./mcp/describe-server.ts";
import { type McpRequest, openRequest, saveServers } from "./mcp/open-request.ts";
import type { CommandContext } from "./terminal.ts";

export async function runMcp(options: McpOptions, context: CommandContext): Promise<number> {
  const request = await openRequest(options, context);
  switch (options.action) {
    case "list":
      return list(request);
    case "add":
      return (await import("./mcp/add-servers.ts")).addServers(request);
    case "remove":
      return remove(request);
    case "test": {
      const names = options.name === undefined ? namesOf(request.loaded) : [findName(request)];
      return (await import("./mcp/test-servers.ts")).testServers(names, request);
    }
  }
}

async function list({ options, context, paths, loaded }: McpRequest): Promise<number> {
  const { words, stdout, style } = context.terminal;
  const servers = await surveyServers({ paths, loaded, words });
  const lines = servers.map((server) => describeServer(server, words, style));
  const text = options.json === true ? JSON.stringify(servers) : lines.join("\n") || words.mcp.none;
  stdout.write(`${text}\n`);
  return 0;
}

async function remove(request: McpRequest): Promise<number> {
  const { options, context, paths } = request;
  const { words, stdout } = context.terminal;
  const name = findName(request);
  await saveServers(request, { [name]: null });
  await new ToolCache(join(paths.cache, "mcp")).remove(name);
  const report =
    options.json === true ? JSON.stringify({ removed: name }) : words.mcp.removed(revealLine(name));
  stdout.write(`${report}\n`);
  return 0;
}

function findName({ options: { action, name }, context, loaded }: McpRequest): string {
  const { mcp } = context.terminal.words;
  if (name === undefined) throw new CommandFailure(mcp.needsName(action), 2);
  const names = namesOf(loaded);
  if (names.includes(name)) return name;
  const nearest = findNearest(name, names);
  throw new CommandFailure(mcp.unknown(revealLine(name), nearest && revealLine(nearest)));
}

function namesOf({ config }: LoadedConfig): string[] {
  return Object.keys(config.tools.mcpServers);
}
