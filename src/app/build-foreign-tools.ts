// The tools of MCP servers and of the person beside the built-in ones, and the list of all that the model is told of.
// Where there are none nothing of it is loaded; where there are some, nothing before the first turn.
import { join } from "node:path";
import type { TurnDependencies } from "../agent/turn-dependencies.ts";
import { watchOwnTools } from "../api/extensions/own-tools.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createFetch } from "../guards/proxy-fetch.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { ForeignTools, McpServers } from "../mcp/servers.ts";
import type { ToolRegistry } from "../runner/registry.ts";
import type { Tool, ToolWrapper } from "../runner/tool.ts";
import type { HomePaths } from "../storage/home.ts";

export interface ForeignToolParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** Where they are registered. */
  tools: ToolRegistry;
  guard: ToolWrapper;
}

export interface ForeignToolSource {
  definitions: TurnDependencies["toolDefinitions"];
  close(): Promise<void>;
}

export function buildForeignTools(parts: ForeignToolParts): ForeignToolSource {
  const { tools, guard, loaded } = parts;
  const servers = Object.values(loaded.config.tools.mcpServers).filter(({ disabled }) => !disabled);
  let opening: Promise<McpServers> | undefined;
  let definitions: ToolDefinition[] | undefined;

  const allowedTools = watchOwnTools(parts, tools.names);
  let own: readonly Tool[] = [];

  function register({ listed, hidden }: ForeignTools): void {
    tools.replaceForeign({ listed: listed.map(guard), hidden: hidden.map(guard) });
    definitions = undefined;
  }

  async function registerOwn(): Promise<void> {
    const allowed = await allowedTools();
    if (allowed === own) return;
    own = allowed;
    tools.replaceOwn(own.map(guard));
    definitions = undefined;
  }

  async function getDefinitions(signal?: AbortSignal): Promise<ToolDefinition[]> {
    await registerOwn();
    if (servers.length > 0) {
      opening ??= openServers(parts, register);
      const mcp = await opening;
      await (signal === undefined ? mcp.load() : mcp.ready(signal));
    }
    definitions ??= tools.definitions();
    return definitions;
  }

  return {
    definitions: getDefinitions,
    async close() {
      await (await opening)?.close();
    },
  };
}

async function openServers(
  { paths, loaded, workspace, env, clock, log }: ForeignToolParts,
  onTools: (tools: ForeignTools) => void,
): Promise<McpServers> {
  const { McpServers } = await import("../mcp/servers.ts");
  // A broken proxy setting is the problem of those servers alone that are reached by the network.
  let fetch: typeof globalThis.fetch | undefined;
  return new McpServers({
    servers: loaded.config.tools.mcpServers,
    secrets: loaded.secrets,
    cacheFolder: join(paths.cache, "mcp"),
    fetch: async (input, init) => {
      fetch ??= createFetch({ env });
      return fetch(input, init);
    },
    workspace,
    env,
    clock,
    log,
    onTools,
  });
}
