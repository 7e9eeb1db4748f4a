// An MCP server on 127.0.0.1 that wants to be signed in to, and the authorization server that it names, on another port. A
// test decides what they say; both record what they were asked.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface OAuthOptions {
  /** Replace fields of the metadata of the protected resource, or of the authorization server. */
  resource?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  /** The scope that `tools/call` needs. */
  callScope?: string;
  /** Seconds that a token lasts. */
  expiresIn?: number;
  /** It names no authorization server, but is one, with its issuer below a path. */
  isOwnIssuer?: boolean;
  /** Of the answer that the browser brings back. */
  iss?: string;
}

export interface OAuthServer {
  url: string;
  issuer: string;
  /** Requests to the authorization server: the path, and what came with it. */
  asked: Array<{ path: string; params: URLSearchParams; headers: IncomingMessage["headers"] }>;
  /** Tokens that count, with their scopes. */
  tokens: Map<string, string>;
  options: OAuthOptions;
  /** As a browser: where the person ends after agreeing. */
  agree(address: string): Promise<string>;
}

export async function startOAuthServer(options: OAuthOptions = {}): Promise<OAuthServer> {
  const asked: OAuthServer["asked"] = [];
  const tokens = new Map<string, string>();
  const codes = new Map<string, string>();
  let made = 0;

  function grant(scope: string) {
    const access = `access-token-${++made}-1234567890`;
    tokens.set(access, scope);
    const refresh = `refresh-token-${made}-1234567890`;
    return {
      access_token: access,
      token_type: "Bearer",
      refresh_token: refresh,
      scope,
      expires_in: options.expiresIn,
    };
  }

  const issuerUrl = await listen(async (request, path, body) => {
    const params = new URLSearchParams(request.method === "POST" ? body : path.split("?")[1]);
    asked.push({ path: path.split("?")[0] ?? "", params, headers: request.headers });
    if (path === "/.well-known/oauth-authorization-server")
      return [200, { ...describeIssuer(issuerUrl, issuerUrl), ...options.metadata }];
    if (path === "/register") return [201, { ...JSON.parse(body), client_id: `client-${++made}` }];
    if (path.startsWith("/authorize")) {
      const code = `code-${++made}`;
      codes.set(code, params.get("scope") ?? "");
      const back = new URL(params.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", params.get("state") ?? "");
      if (options.iss !== undefined) back.searchParams.set("iss", options.iss);
      return [302, {}, { location: back.href }];
    }
    if (path !== "/token") return [404, {}];
    const code = params.get("code") ?? "";
    const isCode = params.get("grant_type") === "authorization_code";
    if (isCode && !codes.has(code)) return [400, { error: "invalid_grant" }];
    return [200, grant(codes.get(code) ?? params.get("scope") ?? "")];
  });

  const serverUrl = await listen(async (request, path, body) => {
    const { isOwnIssuer = false } = options;
    if (isOwnIssuer && path === "/.well-known/oauth-authorization-server")
      return [200, describeIssuer(`${serverUrl}/oauth`, issuerUrl)];
    if (!isOwnIssuer && path.startsWith("/.well-known/oauth-protected-resource"))
      return [200, { resource: `${serverUrl}/mcp`, authorization_servers: [issuerUrl], ...options.resource }];
    if (path !== "/mcp") return [404, {}];
    const { id, method, params } = body === "" ? ({} as never) : JSON.parse(body);
    const scope = tokens.get(request.headers.authorization?.replace("Bearer ", "") ?? "");
    const where = `resource_metadata="${serverUrl}/.well-known/oauth-protected-resource/mcp"`;
    const challenged = isOwnIssuer ? "Bearer" : `Bearer scope="basic", ${where}`;
    if (scope === undefined) return [401, {}, { "www-authenticate": challenged }];
    const needed = method === "tools/call" ? options.callScope : undefined;
    if (needed !== undefined && !scope.split(" ").includes(needed)) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed}", ${where}`;
      return [403, {}, { "www-authenticate": challenge }];
    }
    if (request.method !== "POST") return [405, {}];
    if (id === undefined) return [202, {}];
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "signed", version: "1" },
      },
      "tools/list": { tools: [{ name: "whoami", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: `you with ${scope}` }] },
    };
    const known = results[method];
    if (known === undefined) return [200, { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }];
    return [200, { jsonrpc: "2.0", id, result: known }];
  });

  return {
    url: `${serverUrl}/mcp`,
    issuer: issuerUrl,
    asked,
    tokens,
    options,
    async agree(address) {
      const response = await fetch(address, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
  };
}

function describeIssuer(issuer: string, at: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${at}/authorize`,
    token_endpoint: `${at}/token`,
    registration_endpoint: `${at}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
  };
}

type Answered = [status: number, body: object, headers?: Record<string, string>];

async function listen(
  answer: (request: IncomingMessage, path: string, body: string) => Promise<Answered>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const [status, body, headers = {}] = await answer(request, request.url ?? "", await text(request));
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
