// The configured MCP servers as they were last seen, from the cache: nothing is started, and no secret is shown.
import { join } from "node:path";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { say, type Words } from "../i18n/words.ts";
import type { McpServerConfig } from "../mcp/config.ts";
import { phraseServerProblem } from "../mcp/problem.ts";
import { redactServers } from "../mcp/secrets.ts";
import { type Transport, transportOf } from "../mcp/target.ts";
import { ToolCache } from "../mcp/tool-cache.ts";
import { isEnabled } from "../mcp/tool-names.ts";

export interface ServerReport {
  name: string;
  transport: Transport;
  /** The command line, or the address. */
  target: string;
  isDisabled: boolean;
  /** How many tools, resources and prompts it offers, and when that was seen; absent: never. */
  offered?: number;
  seenAt?: string;
  /** Why it could not be used when it was last tried. */
  problem?: string;
}

interface SurveyInput {
  paths: HomePaths;
  loaded: LoadedConfig;
  words: Words;
}

export async function surveyServers({ paths, loaded, words }: SurveyInput): Promise<ServerReport[]> {
  const cache = new ToolCache(join(paths.cache, "mcp"));
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
        ...(problem && { problem: say(phraseServerProblem(problem), words) }),
      };
    }),
  );
}

export function describeState({ problem, offered, seenAt }: ServerReport, mcp: Words["mcp"]): string {
  if (problem !== undefined) return problem;
  if (offered === undefined || seenAt === undefined) return mcp.unseen;
  return mcp.offered(offered, seenAt.slice(0, 16).replace("T", " "));
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
