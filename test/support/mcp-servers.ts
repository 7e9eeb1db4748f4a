// MCP servers under test: opened with a cache of their own, with whatever they offer at hand, and ended with the test.
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { sayInEnglish } from "../../src/i18n/words.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { mcpServerSchema } from "../../src/mcp/config.ts";
import { phraseServerProblem } from "../../src/mcp/problem.ts";
import { type ForeignTools, McpServers, type McpServersOptions } from "../../src/mcp/servers.ts";
import type { Tool } from "../../src/runner/tool.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface TestServers {
  mcp: McpServers;
  folder: string;
  /** All that can be called, by name. */
  tool(name: string): Tool;
  listed(): string[];
  /** Why a server cannot be used, in words. */
  problem(server: string): string | undefined;
  hidden(): string[];
  /** As a turn does it, but without its limit: on a busy machine a start takes longer than a turn waits. */
  ready(): Promise<void>;
  /** Resolves when the tools have changed once more. */
  changed(): Promise<void>;
}

export type TestServersOptions = Partial<Omit<McpServersOptions, "servers" | "onTools">> & {
  folder?: string;
};

export async function openServers(
  servers: Record<string, unknown>,
  { folder: given, ...options }: TestServersOptions = {},
): Promise<TestServers> {
  const folder = given ?? (await createTemporaryFolder());
  let tools: ForeignTools = { listed: [], hidden: [] };
  let announce = () => {};
  const mcp = new McpServers({
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, config]) => [name, mcpServerSchema.parse(config)]),
    ),
    workspace: folder,
    cacheFolder: join(folder, "cache"),
    env: { PATH: process.env.PATH, HOME: folder },
    fetch: globalThis.fetch,
    clock: systemClock,
    log: silentLog,
    ...options,
    onTools: (found) => {
      tools = found;
      announce();
    },
  });
  onTestFinished(() => mcp.close());
  const names = (list: Tool[]) => list.map(({ name }) => name);
  return {
    mcp,
    folder,
    tool: (name) =>
      [...tools.listed, ...tools.hidden].find((tool) => tool.name === name) ?? expect.fail(`no tool ${name}`),
    listed: () => names(tools.listed),
    problem: (server) => {
      const problem = mcp.status().find(({ name }) => name === server)?.problem;
      return problem && sayInEnglish(phraseServerProblem(problem));
    },
    hidden: () => names(tools.hidden),
    ready: async () => {
      await mcp.ready(new AbortController().signal);
      const connecting = mcp.status().filter(({ state }) => state === "connecting");
      await Promise.allSettled(connecting.map(({ name }) => mcp.connect(name)));
    },
    changed: () =>
      new Promise((resolve) => {
        announce = resolve;
      }),
  };
}

/** The first turn waits for a server until it is there, however long that takes; in the program, for three seconds. */
export const patientClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 3_000 ? 600_000 : ms, signal),
};

/** A server that misbehaves in one way; see odd-mcp-server.mjs. */
export function oddServer(oddity: string, ...words: string[]): Record<string, unknown> {
  return {
    command: process.execPath,
    args: [packagePath("test/support/odd-mcp-server.mjs"), oddity, ...words],
    toolTimeout: 20,
  };
}

/** One of the servers that others wrote, from npm. */
export function npmServer(name: "everything" | "filesystem" | "memory", ...words: string[]) {
  const entry = packagePath("node_modules/@modelcontextprotocol", `server-${name}`, "dist/index.js");
  return { command: process.execPath, args: [entry, ...words] };
}
