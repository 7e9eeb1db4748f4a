// Signing in with a ChatGPT subscription, as OpenAI's Codex does it. Written from public documentation and sources.
import { isRecord } from "../../lib/is-record.ts";
import {
  createChallenge,
  createState,
  type MethodParts,
  readClaims,
  readText,
  refuse,
  type SignInMethod,
  send,
  type Tokens,
  toForm,
  toJsonBody,
} from "./sign-in.ts";

/** Of Codex, which is public: the service takes no other. */
const clientId = "app_EMoamEEZ73f0CkXaXp7hrann";
const usualIssuer = "https://auth.openai.com";
const scope = "openid profile email offline_access";
const usualPort = 1455;
const path = "/auth/callback";
const codeMs = 15 * 60_000;
const hourMs = 3_600_000;

export function createCodexSignIn(parts: MethodParts): SignInMethod {
  const { issuer = usualIssuer, port = usualPort, now } = parts;

  async function ask(fields: Record<string, string>, signal: AbortSignal, before?: Tokens): Promise<Tokens> {
    const form = toForm({ client_id: clientId, ...fields });
    const reply = await send(parts, `${issuer}/oauth/token`, { ...form, signal });
    if (reply.status !== 200) throw refuse(reply);
    return toTokens(reply.body, now(), before);
  }

  const exchange = (code: string, verifier: string, redirect: string, signal: AbortSignal) =>
    ask({ grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirect }, signal);

  return {
    host: "openai_codex",
    async beginDevice(signal) {
      const address = `${issuer}/api/accounts/deviceauth`;
      const begun = await send(parts, `${address}/usercode`, {
        ...toJsonBody({ client_id: clientId }),
        signal,
      });
      if (begun.status !== 200) throw refuse(begun);
      const ids = {
        device_auth_id: readText(begun.body, "device_auth_id"),
        user_code: readText(begun.body, "user_code"),
      };
      return {
        url: `${issuer}/codex/device`,
        code: ids.user_code,
        intervalMs: Math.max(1, Number(begun.body.interval) || 5) * 1000,
        expiresAt: now() + codeMs,
        async poll(waiting) {
          const reply = await send(parts, `${address}/token`, { ...toJsonBody(ids), signal: waiting });
          // Nobody has typed it yet.
          if (reply.status === 403 || reply.status === 404) return undefined;
          if (reply.status !== 200) throw refuse(reply);
          const code = readText(reply.body, "authorization_code");
          const verifier = readText(reply.body, "code_verifier");
          return exchange(code, verifier, `${issuer}/deviceauth/callback`, waiting);
        },
      };
    },
    beginBrowser() {
      const { verifier, challenge } = createChallenge();
      const state = createState();
      const redirect = `http://localhost:${port}${path}`;
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirect,
        scope,
        code_challenge: challenge,
        code_challenge_method: "S256",
        id_token_add_organizations: "true",
        codex_cli_simplified_flow: "true",
        state,
      });
      return {
        url: `${issuer}/oauth/authorize?${query}`,
        state,
        port,
        path,
        exchange: (code, signal) => exchange(code, verifier, redirect, signal),
      };
    },
    refresh: (tokens, signal) =>
      ask({ grant_type: "refresh_token", refresh_token: tokens.refresh, scope }, signal, tokens),
    toHeaders: ({ account }) => ({
      "openai-beta": "responses=experimental",
      originator: "nanobot",
      ...(account !== undefined && { "chatgpt-account-id": account }),
    }),
  };
}

function toTokens(body: Record<string, unknown>, now: number, before?: Tokens): Tokens {
  const access = readText(body, "access_token");
  const claims = readClaims(access);
  const own = claims["https://api.openai.com/auth"];
  const account = isRecord(own) ? own.chatgpt_account_id : before?.account;
  const seconds = Number(claims.exp);
  return {
    access,
    refresh: typeof body.refresh_token === "string" ? body.refresh_token : (before?.refresh ?? ""),
    expiresAt: seconds > 0 ? seconds * 1000 : now + (Number(body.expires_in) * 1000 || hourMs),
    ...(typeof account === "string" && { account }),
  };
}
