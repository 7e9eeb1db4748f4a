// What the web tools are made of: the guarded fetch with the owner's networks and proxy, and the search service.
import type { LoadedConfig } from "../config/load.ts";
import { createProxyFor } from "../guards/proxy-fetch.ts";
import { createGuardedFetch, type GuardedFetch } from "../lib/guarded-fetch.ts";
import type { WebToolsOptions } from "../tools/index.ts";

export interface WebParts {
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
}

/** What is said around a part of a page. */
const frameLength = 1_000;

export function buildWeb({ loaded, env }: WebParts): WebToolsOptions | undefined {
  const { tools, agents } = loaded.config;
  const { enable, userAgent, search } = tools.web;
  if (!enable) return undefined;
  const { timeout: timeoutSeconds, ...service } = search;
  return {
    fetch: buildGuardedFetch({ loaded, env }),
    userAgent,
    partLength: Math.max(agents.defaults.maxToolResultChars - frameLength, frameLength),
    ...service,
    timeoutSeconds,
    environment: env,
  };
}

/** For every request that a model, a page or a message can influence. */
export function buildGuardedFetch({ loaded, env }: WebParts): GuardedFetch {
  const { ssrfWhitelist: allow, web } = loaded.config.tools;
  let proxyFor: ReturnType<typeof createProxyFor>;
  let isRead = false;
  return createGuardedFetch({
    allow,
    // Read at the first request: an address that is no proxy's is a matter of the web tools alone.
    proxyFor(url) {
      if (!isRead) proxyFor = createProxyFor({ proxy: web.proxy, setting: "tools.web.proxy", env });
      isRead = true;
      return proxyFor?.(url);
    },
  });
}
