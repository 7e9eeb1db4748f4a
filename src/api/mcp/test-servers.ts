// Connects MCP servers now, lists what they offer, and measures how long it took. What they offer is kept, so that the
// next turn has it at once.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFetch } from "../../guards/proxy-fetch.ts";
import { untilAborted } from "../../lib/abort.ts";
import { ServerError, type ServerProblem } from "../../mcp/problem.ts";
import type { Surroundings } from "../services.ts";

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
  const { config, secrets } = loaded();
  const { workspace } = config.agents.defaults;
  const wanted = Object.entries(config.tools.mcpServers).filter(([name]) => names.includes(name));
  const servers = new McpServers({
    servers: Object.fromEntries(wanted.map(([name, server]) => [name, { ...server, disabled: false }])),
    secrets,
    // The first message makes the workspace; until then there is the home.
    workspace: existsSync(workspace) ? workspace : paths.home,
    cacheFolder: join(paths.cache, "mcp"),
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
