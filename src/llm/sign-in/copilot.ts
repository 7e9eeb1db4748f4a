// Signing in with a GitHub Copilot subscription: a code for GitHub, whose token buys short-lived ones for Copilot. Written
// from public documentation and sources.
import {
  type MethodParts,
  readText,
  refuse,
  SignInError,
  type SignInMethod,
  send,
  type Tokens,
  toJsonBody,
} from "./sign-in.ts";

/** Of Copilot's own clients, which is public: the service takes no other. */
const clientId = "Iv1.b507a08c87ecfe98";
const halfHourMs = 30 * 60_000;

export function createCopilotSignIn(parts: MethodParts): SignInMethod {
  const { issuer = "https://github.com", now } = parts;
  const api = parts.issuer ?? "https://api.github.com";

  /** The token of GitHub is the one to refresh with. */
  async function buy(refresh: string, signal: AbortSignal): Promise<Tokens> {
    const headers = { authorization: `token ${refresh}` };
    const reply = await send(parts, `${api}/copilot_internal/v2/token`, { method: "GET", headers, signal });
    if (reply.status !== 200) throw refuse(reply);
    const seconds = Number(reply.body.expires_at);
    const expiresAt = seconds > 0 ? seconds * 1000 : now() + halfHourMs;
    return { access: readText(reply.body, "token"), refresh, expiresAt };
  }

  return {
    host: "github_copilot",
    async beginDevice(signal) {
      const body = toJsonBody({ client_id: clientId, scope: "read:user" });
      const begun = await send(parts, `${issuer}/login/device/code`, { ...body, signal });
      if (begun.status !== 200) throw refuse(begun);
      const device_code = readText(begun.body, "device_code");
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      return {
        url: readText(begun.body, "verification_uri"),
        code: readText(begun.body, "user_code"),
        intervalMs: Math.max(1, Number(begun.body.interval) || 5) * 1000,
        expiresAt: now() + (Number(begun.body.expires_in) * 1000 || halfHourMs),
        async poll(waiting) {
          const asked = toJsonBody({ client_id: clientId, device_code, grant_type });
          const reply = await send(parts, `${issuer}/login/oauth/access_token`, {
            ...asked,
            signal: waiting,
          });
          const { error } = reply.body;
          if (error === "authorization_pending" || error === "slow_down") return undefined;
          if (typeof error === "string") throw new SignInError(error, { isFinal: true });
          if (reply.status !== 200) throw refuse(reply);
          return buy(readText(reply.body, "access_token"), waiting);
        },
      };
    },
    refresh: ({ refresh }, signal) => buy(refresh, signal),
    toHeaders: () => ({
      "editor-version": "vscode/1.99.0",
      "copilot-integration-id": "vscode-chat",
    }),
  };
}
