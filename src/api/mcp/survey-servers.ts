// The configured MCP servers as they were last seen, from the cache: nothing is started, and no secret is shown.

import { existsSync } from "node:fs";
import type { LoadedConfig } from "../../config/load.ts";
import { createFetch } from "../../guards/proxy-fetch.ts";
import { untilAborted } from "../../lib/abort.ts";
import type { McpServerConfig } from "../../mcp/config.ts";
import { ServerError, type ServerProblem } from "../../mcp/problem.ts";
import { redactServers } from "../../mcp/secrets.ts";
import { isEnabled } from "../../mcp/server-list.ts";
import { type Transport, transportOf } from "../../mcp/target.ts";
import { ToolCache } from "../../mcp/tool-cache.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Surroundings } from "../services.ts";

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
  return new ToolCache(paths.mcpCache);
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

export interface ServerTest {
  name: string;
  ok: boolean;
  ms: number;
  tools?: Array<{ kind: string; name: string; description: string }>;
  problem?: ServerProblem;
}

export async function testServers(
  names: readonly string[],
  { paths, env, clock, log, loaded }: Surroundings,
  signal?: AbortSignal,
): Promise<ServerTest[]> {
  const { McpServers } = await import("../../mcp/servers.ts");
  const { createSignInSupport } = await import("../../mcp/oauth/sign-in-support.ts");
  const { config, secrets } = loaded();
  const { workspace } = config.agents.defaults;
  const wanted = Object.entries(config.tools.mcpServers).filter(([name]) => names.includes(name));
  const servers = new McpServers({
    servers: Object.fromEntries(wanted.map(([name, server]) => [name, { ...server, disabled: false }])),
    secrets,
    signInSupport: createSignInSupport({ paths, clock, env, allow: config.tools.ssrfWhitelist }),
    // The first message makes the workspace; until then there is the home.
    workspace: existsSync(workspace) ? workspace : paths.home,
    cacheFolder: paths.mcpCache,
    fetch: createFetch({ env }),
    env,
    clock,
    log,
    onTools: () => {},
  });

  async function testOne(name: string): Promise<ServerTest> {
    const started = clock.elapsed();
    const ms = () => Math.round(clock.elapsed() - started);
    try {
      const entries = await (signal ? untilAborted(servers.connect(name), signal) : servers.connect(name));
      const tools = entries.map(({ kind, name: tool, description }) => ({ kind, name: tool, description }));
      return { name, ok: true, ms: ms(), tools };
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      return { name, ok: false, ms: ms(), problem: error.problem };
    }
  }

  try {
    return await Promise.all(wanted.map(([name]) => testOne(name)));
  } finally {
    await servers.close();
  }
}
