// A real HTTP server on 127.0.0.1 that replays given bytes and records what it was asked: for protocol tests.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";

export interface WireReply {
  /** Default 200. */
  status?: number;
  /** Default `content-type: text/event-stream`. */
  headers?: Record<string, string>;
  /** Written one after the other; a string is one chunk. */
  chunks?: string | Uint8Array | ReadonlyArray<string | Uint8Array>;
  /** close (default): a proper end. cut: the connection is destroyed. hold: it stays open until the client leaves. */
  end?: "close" | "cut" | "hold";
}

export interface WireRequestRecord {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: string;
  /** The body, parsed; empty for a form. */
  json: Record<string, unknown>;
  /** Resolves when the connection of this request is gone. */
  closed: Promise<void>;
}

export interface WireServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** In order of arrival. */
  requests: WireRequestRecord[];
  /** Resolves when so many requests have come in whole. */
  received(count: number): Promise<void>;
  /** How many connections were made so far. */
  connections(): number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Answers each request with the next reply; the last one repeats. */
export async function startWireServer(...replies: WireReply[]): Promise<WireServer> {
  const requests: WireRequestRecord[] = [];
  const arrivals = new EventEmitter();
  let connections = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<void>((resolve) => response.once("close", () => resolve()));
    const body = await readBody(request);
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? {};
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers, body, json: parse(body), closed });
    arrivals.emit("request");
    await replay(reply, response);
  }

  async function received(count: number): Promise<void> {
    while (requests.length < count) await once(arrivals, "request");
  }

  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    received,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function replay(reply: WireReply, response: ServerResponse): Promise<void> {
  const {
    status = 200,
    headers = { "content-type": "text/event-stream" },
    chunks = [],
    end = "close",
  } = reply;
  response.writeHead(status, headers);
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  for (const chunk of typeof chunks === "string" || chunks instanceof Uint8Array ? [chunks] : chunks) {
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
    await nextTick();
  }
  if (end === "close") response.end();
  if (end === "cut") response.destroy();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(body: string): Record<string, unknown> {
  return body === "" || body.startsWith("--") ? {} : (JSON.parse(body) as Record<string, unknown>);
}
