// The options of the web tools from the config: a guarded fetch with the owner's networks and proxy, the search service.
import { createProxyFor } from "../../guards/proxy-fetch.ts";
import { createGuardedFetch, type GuardedFetch } from "../../lib/network/guarded-fetch.ts";
import type { ToolsConfig } from "../config.ts";
import type { WebToolsOptions } from "../index.ts";

type WebSettings = Pick<ToolsConfig, "web" | "ssrfWhitelist">;

export interface WebLimits {
  env: NodeJS.ProcessEnv;
  /** Characters of a tool result that a model sees. */
  maxToolResultChars: number;
}

/** Characters for the words around a part of a page. */
const frameLength = 1_000;

/** Undefined when the web tools are switched off. */
export function toWebOptions(
  settings: WebSettings,
  { env, maxToolResultChars }: WebLimits,
): WebToolsOptions | undefined {
  const { enable, userAgent, search } = settings.web;
  if (!enable) return undefined;
  const { timeout: timeoutSeconds, ...service } = search;
  return {
    fetch: createWebFetch(settings, env),
    userAgent,
    partLength: Math.max(maxToolResultChars - frameLength, frameLength),
    ...service,
    timeoutSeconds,
    environment: env,
  };
}

function createWebFetch({ ssrfWhitelist: allow, web }: WebSettings, env: NodeJS.ProcessEnv): GuardedFetch {
  let proxyFor: ReturnType<typeof createProxyFor>;
  let isRead = false;
  return createGuardedFetch({
    allow,
    // Read at the first request: a wrong proxy address must fail the web tools only.
    proxyFor(url) {
      if (!isRead) proxyFor = createProxyFor({ proxy: web.proxy, setting: "tools.web.proxy", env });
      isRead = true;
      return proxyFor?.(url);
    },
  });
}
