// A config as far as the operator of the home allows it. The operator wins over everything that the home says.
import { isIP } from "node:net";
import { resolve } from "node:path";
import { isInside, toRealRoot } from "../guards/files/real-path.ts";
import { isRecord } from "../lib/is-record.ts";
import type { JsonObject } from "../lib/json-tree.ts";
import { isInternalName } from "../lib/network/guarded-fetch.ts";
import { classifyAddress, toPlainHost } from "../lib/network/ip-address.ts";
import { isAllowed, isManaged } from "../lib/process/operator-policy.ts";
import type { HomePaths } from "../storage/home.ts";
import { type Problem, toPath, toProblem } from "./problem.ts";
import type { Config } from "./schema.ts";

/** Where a home is reached, not what it asks. */
const ofOwnPort = ["gateway", "api"];

export function limitConfig(config: Config, home: HomePaths, env: NodeJS.ProcessEnv): Config {
  if (!isManaged(env)) return config;
  const { tools, gateway, skills, agents } = config;
  const { defaults } = agents;
  const workspace = isOfHome(home, defaults.workspace) ? defaults.workspace : home.workspace;
  return {
    ...config,
    agents: { ...agents, defaults: { ...defaults, workspace } },
    gateway: { ...gateway, host: "127.0.0.1" },
    skills: { ...skills, directories: skills.directories.filter((each) => isOfHome(home, each)) },
    tools: {
      ...tools,
      ...(!isAllowed(env, "network") && { ssrfWhitelist: [] }),
      ...(!isAllowed(env, "commands") && limitCommands(tools)),
    },
  };
}

function limitCommands({ exec, cliApps, mcpServers }: Config["tools"]): Partial<Config["tools"]> {
  const servers = Object.entries(mcpServers).map(([name, server]) => [
    name,
    { ...server, disabled: server.disabled || server.command !== "" },
  ]);
  return {
    restrictToWorkspace: true,
    exec: {
      ...exec,
      sandbox: "required",
      sandboxRoBinds: [],
      sandboxRwBinds: [],
      sandboxRuntime: "",
      allowedEnvKeys: [],
      pathPrepend: "",
      pathAppend: "",
    },
    cliApps: { ...cliApps, enable: false },
    mcpServers: Object.fromEntries(servers),
  };
}

/** Addresses of this machine and its network, wherever the config names one that would be asked; and proxies. */
export function findForbiddenAddresses(given: JsonObject, env: NodeJS.ProcessEnv): Problem[] {
  if (isAllowed(env, "network")) return [];
  const problems: Problem[] = [];
  const look = (value: unknown, path: string[]): void => {
    if (typeof value === "string" && (path.at(-1) === "proxy" || isInternalUrl(value)))
      problems.push(toProblem(toPath(path), "config.internal-address", {}));
    else if (isRecord(value)) for (const [key, inner] of Object.entries(value)) look(inner, [...path, key]);
    else if (Array.isArray(value)) for (const [at, inner] of value.entries()) look(inner, [...path, `${at}`]);
  };
  for (const [section, value] of Object.entries(given))
    if (!ofOwnPort.includes(section)) look(value, [section]);
  return problems;
}

function isInternalUrl(text: string): boolean {
  if (!/^(?:https?|wss?):/i.test(text) || !URL.canParse(text)) return false;
  const host = toPlainHost(new URL(text).hostname);
  return isIP(host) === 0 ? isInternalName(host) : classifyAddress(host) !== "public";
}

/** By real paths: a link of the home leads nowhere else. */
function isOfHome({ home }: HomePaths, folder: string): boolean {
  return isInside(toRealRoot(resolve(home, folder)), toRealRoot(home));
}
