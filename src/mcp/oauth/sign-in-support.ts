// What signing in to servers works with: the stored sign-ins of a home, and the guarded fetch. Opens nothing.
import { createProxyFor } from "../../guards/proxy-fetch.ts";
import type { Clock } from "../../lib/clock.ts";
import { createGuardedFetch, type GuardedFetch } from "../../lib/network/guarded-fetch.ts";
import { ServerSignIns } from "../../storage/grants/server-sign-ins.ts";
import type { HomePaths } from "../../storage/home.ts";

export interface SignInSupport {
  signIns: ServerSignIns;
  fetch: GuardedFetch;
}

export interface SupportOptions {
  paths: HomePaths;
  clock: Clock;
  env: NodeJS.ProcessEnv;
  /** Networks that may be reached although they are not public. */
  allow: readonly string[];
}

export function createSignInSupport({ paths, clock, env, allow }: SupportOptions): SignInSupport {
  let proxyFor: ReturnType<typeof createProxyFor>;
  let isRead = false;
  return {
    signIns: new ServerSignIns(paths, clock),
    fetch: createGuardedFetch({
      allow,
      proxyFor(url) {
        if (!isRead) proxyFor = createProxyFor({ env });
        isRead = true;
        return proxyFor?.(url);
      },
    }),
  };
}
