// Operations about subscriptions: signing in to a host, waiting for it, signing out.
import * as z from "zod";
import type { BegunSignIn } from "../../agent/models/sign-ins.ts";
import { failAt } from "../../i18n/user-error.ts";
import type { Host } from "../../llm/hosts/host.ts";
import { findHost } from "../../llm/hosts/hosts.ts";
import { operation } from "../operation.ts";

const patienceMs = 15_000;
const host = z.string().trim().min(1).max(100);
/** Their owners forbid to use a subscription in other programs. */
const forbidden = new Set(["anthropic", "gemini"]);

const login = operation({
  name: "models.login",
  about:
    "Begins to sign in to a host with a subscription: an address to open in a browser, and with `device` a code to type there. `browser` leads back to a port of this machine.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ host, how: z.enum(["device", "browser"]).default("device") }),
  async run({ signIns }, { host: name, how }): Promise<BegunSignIn> {
    const found = toSignInHost(name);
    const opened = await signIns();
    try {
      return await opened.begin(found.name, how);
    } catch (error) {
      // The host refused, cannot be reached, or its port is taken.
      const reason = error instanceof Error ? error.message : String(error);
      throw failAt("host", "models.login-failed", { host: found.label, reason });
    }
  },
});

const loginState = operation({
  name: "models.login-state",
  about: "Waits a moment for a sign-in that was begun, and says how far it is.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ host }),
  async run(
    { signIns },
    { host: name },
    { signal },
  ): Promise<{ state: "waiting" | "done" | "failed"; reason?: string }> {
    const outcome = await (await signIns()).outcome(toSignInHost(name).name, patienceMs, signal);
    if (outcome === undefined) return { state: "waiting" };
    return outcome.ok ? { state: "done" } : { state: "failed", reason: outcome.reason };
  },
});

const logout = operation({
  name: "models.logout",
  about: "Signs out of a host with a subscription: its tokens are removed from this machine.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ host }),
  async run({ signIns }, { host: name }) {
    await (await signIns()).end(toSignInHost(name).name);
    return {};
  },
});

export const signInOperations = [login, loginState, logout] as const;

function toSignInHost(name: string): Host {
  const found = findHost(name) ?? findHost(shortNames[name.toLowerCase()] ?? "");
  if (found === undefined) throw failAt("host", "models.unknown-host", { host: name });
  if (forbidden.has(found.name)) throw failAt("host", "models.login-forbidden", { host: found.label });
  if (!found.signIn) throw failAt("host", "models.no-login", { host: found.label });
  return found;
}

const shortNames: Record<string, string> = {
  codex: "openai_codex",
  chatgpt: "openai_codex",
  copilot: "github_copilot",
  claude: "anthropic",
  google: "gemini",
};
