// Connects MCP servers now, lists what they offer, and says how long it took or why it failed. What they offer is kept, so
// that the next turn has it at once.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFetch } from "../../guards/proxy-fetch.ts";
import { say } from "../../i18n/words.ts";
import { untilAborted } from "../../lib/abort.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem, ServerError, type ServerProblem } from "../../mcp/problem.ts";
import { McpServers } from "../../mcp/servers.ts";
import { fitWidth } from "../draw/text-width.ts";
import type { McpRequest } from "./open-request.ts";

interface TestReport {
  name: string;
  ok: boolean;
  ms: number;
  tools?: Array<{ kind: string; name: string; description: string }>;
  problem?: ServerProblem;
  reason?: string;
}

/** Exits 1 when one of them cannot be used. */
export async function testServers(names: string[], request: McpRequest): Promise<number> {
  const { options, context } = request;
  const { words, stdout } = context.terminal;
  const reports = await tryServers(names, request);
  const [only] = reports;
  const json = options.name !== undefined && reports.length === 1 ? only : reports;
  const text =
    options.json === true
      ? JSON.stringify(json)
      : reports.map((report) => describeTest(report, request)).join("\n") || words.mcp.none;
  stdout.write(`${text}\n`);
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

export async function tryServers(
  names: readonly string[],
  { context, paths, loaded }: McpRequest,
): Promise<TestReport[]> {
  const { env, words } = context.terminal;
  const { mcpServers } = loaded.config.tools;
  const { workspace } = loaded.config.agents.defaults;
  const wanted = Object.entries(mcpServers).filter(([name]) => names.includes(name));
  const servers = new McpServers({
    servers: Object.fromEntries(wanted.map(([name, config]) => [name, { ...config, disabled: false }])),
    secrets: loaded.secrets,
    // The first message makes the workspace; until then there is the home.
    workspace: existsSync(workspace) ? workspace : paths.home,
    cacheFolder: join(paths.cache, "mcp"),
    fetch: createFetch({ env }),
    env,
    clock: systemClock,
    log: silentLog,
    onTools: () => {},
  });

  async function tryOne(name: string): Promise<TestReport> {
    const started = systemClock.elapsed();
    const ms = () => Math.round(systemClock.elapsed() - started);
    try {
      const entries = await untilAborted(servers.connect(name), context.signal);
      const tools = entries.map(({ kind, name: tool, description }) => ({ kind, name: tool, description }));
      return { name, ok: true, ms: ms(), tools };
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { problem } = error;
      return { name, ok: false, ms: ms(), problem, reason: say(phraseServerProblem(problem), words) };
    }
  }

  try {
    return await Promise.all(wanted.map(([name]) => tryOne(name)));
  } finally {
    await servers.close();
  }
}

export function describeTest({ name, ms, tools, reason }: TestReport, { context }: McpRequest): string {
  const { words, style, stdout } = context.terminal;
  const { mcp } = words;
  if (tools === undefined) return style.bad(mcp.failed(revealLine(name), revealLine(reason ?? "")));
  const lines = tools.map((tool) => {
    const text = `  ${revealLine(tool.name)}  ${revealLine(tool.description)}`;
    return style.quiet(fitWidth(text, stdout.columns ?? 120));
  });
  return [style.bold(mcp.connected(revealLine(name), ms, tools.length)), ...lines].join("\n");
}
