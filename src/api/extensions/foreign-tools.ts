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
import { type OwnExports, readOwnTools } from "../../tools/own-tools.ts";
import type { RuntimeLayer } from "../../tools/runtime-layer.ts";
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
  /** See `McpServersOptions.onWait`. */
  onServerWait?(names: readonly string[]): void;
}

export interface ForeignToolSource {
  definitions: TurnDependencies["toolDefinitions"];
  /** Runtime layers of custom files, as they are allowed now. */
  layers(): Promise<readonly RuntimeLayer[]>;
  close(): Promise<void>;
}

export function openForeignTools(parts: ForeignToolParts): ForeignToolSource {
  const { tools, guard, loaded } = parts;
  const servers = Object.values(loaded.config.tools.mcpServers).filter(({ disabled }) => !disabled);
  let opening: Promise<McpServers> | undefined;
  let definitions: ToolDefinition[] | undefined;

  const ownCode = watchOwnTools(parts, tools.names);
  let customTools: readonly Tool[] = [];

  function register({ listed, hidden }: ForeignTools): void {
    tools.replaceForeign({ listed: listed.map(guard), hidden: hidden.map(guard) });
    definitions = undefined;
  }

  async function registerOwn(): Promise<void> {
    const { tools: allowed } = await ownCode();
    if (allowed === customTools) return;
    customTools = allowed;
    tools.replaceOwn(customTools.map(guard));
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
    layers: async () => (await ownCode()).layers,
    async close() {
      await (await opening)?.close();
    },
  };
}

async function openServers(
  { paths, loaded, workspace, env, clock, log, onServerWait: onWait }: ForeignToolParts,
  onTools: (tools: ForeignTools) => void,
): Promise<McpServers> {
  const { McpServers } = await import("../../mcp/servers.ts");
  const { createSignInSupport } = await import("../../mcp/oauth/sign-in-support.ts");
  // A broken proxy setting is the problem of those servers alone that are reached by the network.
  let fetch: typeof globalThis.fetch | undefined;
  return new McpServers({
    servers: loaded.config.tools.mcpServers,
    secrets: loaded.secrets,
    signInSupport: createSignInSupport({ paths, clock, env, allow: loaded.config.tools.ssrfWhitelist }),
    cacheFolder: paths.mcpCache,
    fetch: async (input, init) => {
      fetch ??= createFetch({ env });
      return fetch(input, init);
    },
    workspace,
    env,
    clock,
    log,
    ...(onWait && { onWait }),
    onTools,
  });
}

/** `others` names the tools that are not built in. */
export async function loadOwnTools(
  place: OwnCodePlace,
  others: readonly string[] = [],
): Promise<OwnExports & { files: OwnCodeFile[] }> {
  const tools: Tool[] = [];
  const layers: RuntimeLayer[] = [];
  const taken = new Set(others);
  const files = await loadOwnCode("tools", place, (exported, file) => {
    const read = readOwnTools(exported, { file, taken });
    if ("kind" in read) return read;
    tools.push(...read.tools);
    layers.push(...read.layers);
    for (const { name } of read.tools) taken.add(name);
    return [...read.tools, ...read.layers].map(({ name, description = "" }) => ({ name, description }));
  });
  return { tools, layers, files };
}

/** Current permissions: the same list objects until one changes. */
function watchOwnTools(
  { log, ...place }: OwnCodePlace & { log: Log },
  others: readonly string[],
): () => Promise<OwnExports> {
  const none: OwnExports = { tools: [], layers: [] };
  let stamp: FileStamp | undefined;
  let loaded = Promise.resolve(none);

  async function load(): Promise<OwnExports> {
    const { tools, layers, files } = await loadOwnTools(place, others);
    for (const { file, state, problem } of files)
      if (problem !== undefined || state === "changed")
        log.warn("own-tool-left-out", { file, state, problem });
    return { tools, layers };
  }

  return () => {
    if (stamp !== undefined && isUnchanged(stamp)) return loaded;
    stamp = takeStamp(ownCodeList("tools", place.paths));
    loaded = stamp === undefined ? Promise.resolve(none) : load();
    return loaded;
  };
}
