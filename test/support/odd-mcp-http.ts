// An MCP server over HTTP on 127.0.0.1 whose answers a test decides: plain JSON or events, sessions that expire, refusals,
// redirects, silence. Records what it was asked.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The JSON-RPC method, if there was one. */
  rpc?: string;
}

export interface HttpServerOptions {
  /** Answers events instead of JSON. */
  isStreaming?: boolean;
  /** Redirects each POST. */
  redirect?: () => string;
  /** Every post gets this status, as long as it is not 200. */
  status?: () => number;
  /** Bytes of a tool's answer. */
  size?: number;
  /** Speaks the older protocol of two endpoints. */
  isLegacy?: boolean;
}

export interface HttpServer {
  url: string;
  calls: Call[];
  /** From now on every session is unknown. */
  expireSessions(): void;
}

const tool = { name: "echo", description: "Says it again.", inputSchema: { type: "object" } };

export async function startHttpServer(options: HttpServerOptions = {}): Promise<HttpServer> {
  const calls: Call[] = [];
  let sessions = new Set<string>();
  let made = 0;
  let stream: ServerResponse | undefined;

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "", url = "", headers } = request;
    const message = body === "" ? {} : JSON.parse(body);
    calls.push({ method, path: url, headers, rpc: message.method });
    if (method === "GET") return options.isLegacy ? openStream(response) : end(response, 405);
    if (method !== "POST") return end(response, 200);
    const target = options.redirect?.();
    if (target !== undefined) return response.writeHead(307, { location: target }).end();
    const status = options.status?.() ?? 200;
    if (status !== 200) return end(response, status, "Bearer secret-echo-1234567890 was wrong");
    if (options.isLegacy) {
      end(response, 202);
      if (message.id !== undefined) write(stream, answer(message));
      return;
    }
    const session = String(headers["mcp-session-id"] ?? "");
    if (message.method !== "initialize" && !sessions.has(session)) return end(response, 404);
    if (message.id === undefined) return end(response, 202);
    if (message.method === "initialize") sessions.add(String(++made));
    respond(response, answer(message), session || String(made));
  });

  function openStream(response: ServerResponse): void {
    stream = response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: endpoint\ndata: /messages\n\n");
  }

  function respond(response: ServerResponse, reply: unknown, session: string): void {
    const type = options.isStreaming ? "text/event-stream" : "application/json";
    response.writeHead(200, { "content-type": type, "mcp-session-id": session });
    if (!options.isStreaming) return void response.end(JSON.stringify(reply));
    write(response, reply);
    response.end();
  }

  function answer({ id, method, params }: { id: unknown; method: string; params: Record<string, unknown> }) {
    const said = "x".repeat(options.size ?? 0) + JSON.stringify(params?.arguments ?? {});
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "http", version: "1" },
      },
      "tools/list": { tools: [tool] },
      "tools/call": { content: [{ type: "text", text: said }] },
    };
    return { jsonrpc: "2.0", id, result: results[method] ?? {} };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${options.isLegacy ? "/sse" : "/mcp"}`;
  return {
    url,
    calls,
    expireSessions: () => {
      sessions = new Set();
    },
  };
}

function write(response: ServerResponse | undefined, message: unknown): void {
  response?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function end(response: ServerResponse, status: number, body = ""): void {
  response.writeHead(status).end(body);
}
