// Signing in to a server of the config, for the operations: loaded only when one of them runs.
import { fail } from "../../i18n/user-error.ts";
import type { McpServerConfig } from "../../mcp/config.ts";
import { createAuthFetch } from "../../mcp/oauth/auth-fetch.ts";
import { mayUseOAuth } from "../../mcp/oauth/server-auth.ts";
import {
  beginSignIn,
  findPendingSignIn,
  finishSignIn,
  isSignedIn,
  type SignInOptions,
  signOut,
} from "../../mcp/oauth/sign-in.ts";
import { createSignInSupport, type SignInSupport } from "../../mcp/oauth/sign-in-support.ts";
import { phraseServerProblem, ServerError } from "../../mcp/problem.ts";
import { transportOf } from "../../mcp/target.ts";
import type { Surroundings } from "../services.ts";
import { openToolCache } from "./survey-servers.ts";

/** The page to open; undefined where no person is needed. */
export async function begin(
  name: string,
  redirectUrl: string,
  services: Surroundings,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = toSignIn(name, services, signal);
  if (options.config.auth === "clientCredentials") return undefined;
  return explained(name, () => beginSignIn(options, redirectUrl));
}

/** The server's name. */
export async function finish(address: string, services: Surroundings, signal?: AbortSignal): Promise<string> {
  const url = new URL(address);
  if (!url.searchParams.has("state")) throw fail("mcp.not-redirected");
  const name = await findPendingSignIn(supportOf(services).signIns, url);
  if (name === undefined)
    throw fail("mcp.sign-in-problem", { name: "MCP", reason: phraseServerProblem({ kind: "sign-in-over" }) });
  const options = toSignIn(name, services, signal);
  await explained(name, () => finishSignIn(options, url));
  const cache = openToolCache(services.paths);
  const { problem: _, ...record } = await cache.load(name, options.config);
  await cache.save(name, options.config, record);
  return name;
}

/** Whether there was anything to forget. */
export async function forget(
  name: string,
  config: McpServerConfig | undefined,
  services: Surroundings,
): Promise<boolean> {
  const url = URL.parse(config?.url ?? "");
  return url !== null && signOut(supportOf(services).signIns, { name, url: url.href });
}

/** Undefined where there is nothing to sign in to. */
export async function knowSignIn(
  name: string,
  config: McpServerConfig,
  services: Surroundings,
): Promise<boolean | undefined> {
  const url = URL.parse(config.url);
  if (url === null || transportOf(config) === "stdio" || !mayUseOAuth(config)) return undefined;
  return isSignedIn(supportOf(services).signIns, { name, url: url.href });
}

function supportOf({ paths, clock, env, loaded }: Surroundings): SignInSupport {
  return createSignInSupport({ paths, clock, env, allow: loaded().config.tools.ssrfWhitelist });
}

function toSignIn(name: string, services: Surroundings, signal?: AbortSignal): SignInOptions {
  const config = services.loaded().config.tools.mcpServers[name];
  const url = URL.parse(config?.url ?? "");
  if (config === undefined || url === null || transportOf(config) === "stdio" || !mayUseOAuth(config))
    throw fail("mcp.no-sign-in", { name });
  const { signIns, fetch } = supportOf(services);
  const ending = signal ?? new AbortController().signal;
  return {
    name,
    url,
    config,
    signIns,
    fetch: createAuthFetch(fetch, url, ending),
    now: () => services.clock.now(),
  };
}

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw fail("mcp.sign-in-problem", { name, reason: phraseServerProblem(error.problem) });
  }
}
