// Where a server is: a program to start or an address to speak to, from its configuration. Starts nothing.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createChildEnvironment } from "../guards/sandbox/child-environment.ts";
import type { McpServerConfig } from "./config.ts";
import { ServerError } from "./problem.ts";

export type Transport = "stdio" | "sse" | "http";

export interface ProcessTarget {
  kind: "stdio";
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

export type Target = ProcessTarget | { kind: "sse" | "http"; url: URL; headers: Record<string, string> };

export interface Surroundings {
  workspace: string;
  /** Of which a server sees only what every program needs. */
  env: NodeJS.ProcessEnv;
}

/** Without a type: a command is started, an address that ends in /sse speaks the older protocol. */
export function transportOf({ type, command, url }: McpServerConfig): Transport {
  if (type !== undefined) return type === "stdio" || type === "sse" ? type : "http";
  if (command !== "" || url === "") return "stdio";
  return /\/sse\/?$/.test(URL.parse(url)?.pathname ?? "") ? "sse" : "http";
}

/** A program here, or a server that only programs of this machine reach. */
export function isOfThisMachine(config: McpServerConfig): boolean {
  if (transportOf(config) === "stdio") return true;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(config.url)?.hostname ?? "");
}

export function toTarget(config: McpServerConfig, { workspace, env }: Surroundings): Target {
  const { command, args, cwd, url, headers } = config;
  const kind = transportOf(config);
  if (kind !== "stdio") {
    const address = URL.parse(url);
    if (url === "") throw new ServerError({ kind: "no-target" });
    if (address === null || !/^https?:$/.test(address.protocol))
      throw new ServerError({ kind: "bad-address" });
    return { kind, url: address, headers };
  }
  if (command === "") throw new ServerError({ kind: "no-target" });
  return {
    kind,
    command: expandHome(command),
    args,
    cwd: resolve(workspace, expandHome(cwd ?? ".")),
    env: { ...createChildEnvironment({ from: env }), ...config.env },
  };
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
