// Tools of MCP servers and custom tools, and the list of all tools that the model sees.
// Where there are none nothing of it is loaded; where there are some, nothing before the first turn.
import type { TurnDependencies } from "../../agent/dependencies.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { createFetch } from "../../guards/proxy-fetch.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { ToolDefinition } from "../../llm/types.ts";
import type { ForeignTools, McpServers } from "../../mcp/servers.ts";
import type { ToolRegistry } from "../../runner/registry.ts";
import type { Tool, ToolWrapper } from "../../runner/tool.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../../storage/files/file-stamp.ts";
import type { HomePaths } from "../../storage/home.ts";
import { readOwnTools } from "../../tools/own-tools.ts";
import { loadOwnCode, type OwnCodeFile, type OwnCodePlace, ownCodeList } from "./own-code.ts";

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

export function openForeignTools(parts: ForeignToolParts): ForeignToolSource {
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
  const { McpServers } = await import("../../mcp/servers.ts");
  // A broken proxy setting is the problem of those servers alone that are reached by the network.
  let fetch: typeof globalThis.fetch | undefined;
  return new McpServers({
    servers: loaded.config.tools.mcpServers,
    secrets: loaded.secrets,
    cacheFolder: paths.mcpCache,
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

/** `others` names the tools that are not built in. */
export async function loadOwnTools(
  place: OwnCodePlace,
  others: readonly string[] = [],
): Promise<{ tools: Tool[]; files: OwnCodeFile[] }> {
  const tools: Tool[] = [];
  const taken = new Set(others);
  const files = await loadOwnCode("tools", place, (exported, file) => {
    const read = readOwnTools(exported, { file, taken });
    if (!Array.isArray(read)) return read;
    tools.push(...read);
    for (const { name } of read) taken.add(name);
    return read.map(({ name, description }) => ({ name, description }));
  });
  return { tools, files };
}

/** The tools as they are allowed now: the same list while nothing was allowed or taken back. */
function watchOwnTools(
  { log, ...place }: OwnCodePlace & { log: Log },
  others: readonly string[],
): () => Promise<readonly Tool[]> {
  const none: readonly Tool[] = [];
  let stamp: FileStamp | undefined;
  let loaded = Promise.resolve(none);

  async function load(): Promise<readonly Tool[]> {
    const { tools, files } = await loadOwnTools(place, others);
    for (const { file, state, problem } of files)
      if (problem !== undefined || state === "changed")
        log.warn("own-tool-left-out", { file, state, problem });
    return tools;
  }

  return () => {
    if (stamp !== undefined && isUnchanged(stamp)) return loaded;
    stamp = takeStamp(ownCodeList("tools", place.paths));
    loaded = stamp === undefined ? Promise.resolve(none) : load();
    return loaded;
  };
}
