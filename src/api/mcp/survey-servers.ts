// The configured MCP servers as they were last seen, from the cache: nothing is started, and no secret is shown.
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import type { McpServerConfig } from "../../mcp/config.ts";
import type { ServerProblem } from "../../mcp/problem.ts";
import { redactServers } from "../../mcp/secrets.ts";
import { type Transport, transportOf } from "../../mcp/target.ts";
import { ToolCache } from "../../mcp/tool-cache.ts";
import { isEnabled } from "../../mcp/tool-names.ts";
import type { HomePaths } from "../../storage/home.ts";

export interface KnownServer {
  name: string;
  transport: Transport;
  /** The command line, or the address. */
  target: string;
  isDisabled: boolean;
  /** How many tools, resources and prompts it offers, and when that was seen; absent: never. */
  offered?: number;
  seenAt?: string;
  /** Why it could not be used when it was last tried. */
  problem?: ServerProblem;
}

export async function readServers({
  paths,
  loaded,
}: {
  paths: HomePaths;
  loaded: LoadedConfig;
}): Promise<KnownServer[]> {
  const cache = openToolCache(paths);
  const servers = Object.entries(loaded.config.tools.mcpServers);
  return Promise.all(
    servers.map(async ([name, config]) => {
      const { readAt, entries, problem } = await cache.load(name, config);
      const offered = entries.filter((entry) => isEnabled({ ...entry, server: name }, config.enabledTools));
      return {
        name,
        transport: transportOf(config),
        target: describeTarget(config),
        isDisabled: config.disabled,
        ...(readAt > 0 && { offered: offered.length, seenAt: new Date(readAt).toISOString() }),
        ...(problem && { problem }),
      };
    }),
  );
}

export function openToolCache(paths: HomePaths): ToolCache {
  return new ToolCache(join(paths.cache, "mcp"));
}

function describeTarget(config: McpServerConfig): string {
  const { command, args, url } = config;
  const address = URL.parse(url);
  const target =
    transportOf(config) === "stdio"
      ? [command, ...args].join(" ")
      : `${address?.origin ?? ""}${address?.pathname ?? url}`;
  return redactServers([config])(target);
}
