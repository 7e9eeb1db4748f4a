// The only way out for a command that was granted some hosts: a proxy on a socket, which passes on to these hosts alone.
// Names are resolved here, checked, and the connection goes to the address that was checked.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type AddressGuard, createAddressGuard, type GuardOptions } from "../../lib/network/guarded-fetch.ts";
import { toPlainHost } from "../../lib/network/ip-address.ts";

export interface HostProxy {
  socket: string;
  /** Hosts that were asked for and are not among those that were granted, or not public. */
  refused: ReadonlySet<string>;
  close(): Promise<void>;
}

export type ProxyOptions = Pick<GuardOptions, "allow" | "resolve">;

const mostConnections = 64;
const mostRefused = 10;
const idleMs = 120_000;

/** `hosts`: `example.com`, `example.com:8443`, `*.example.com`. */
export async function openHostProxy(hosts: readonly string[], options: ProxyOptions): Promise<HostProxy> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-proxy-"));
  const socket = join(folder, "proxy.sock");
  const guard = createAddressGuard(options);
  const refused = new Set<string>();
  const open = new Set<Duplex>();

  /** The address to connect to; undefined when it is refused. */
  async function admit(host: string, port: number): Promise<string | undefined> {
    const address = isGranted(host, port, hosts) ? await resolve(host, guard) : undefined;
    if (address === undefined && refused.size < mostRefused) refused.add(host);
    return address;
  }

  async function tunnel({ url = "" }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const [, host = "", port = "443"] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(url) ?? [];
    const address = await admit(toPlainHost(host), Number(port));
    if (address === undefined) return void client.end(`HTTP/1.1 403 Forbidden\r\n\r\n`);
    const server = connect(Number(port), address);
    server.setTimeout(idleMs, () => server.destroy());
    server.once("connect", () => client.write("HTTP/1.1 200 Connection Established\r\n\r\n"));
    server.write(head);
    await Promise.all([pipeline(client, server), pipeline(server, client)]);
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(incoming.url ?? "");
    const port = Number(url?.port || 80);
    const address = url?.protocol === "http:" ? await admit(toPlainHost(url.hostname), port) : undefined;
    if (url === null || address === undefined) {
      response.writeHead(403).end();
      return;
    }
    const { host: _, "proxy-connection": __, "proxy-authorization": ___, ...headers } = incoming.headers;
    const { method } = incoming;
    const path = url.pathname + url.search;
    const outgoing = request({
      host: address,
      port,
      method,
      path,
      headers: { ...headers, host: url.host },
      timeout: idleMs,
    });
    outgoing.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(() => response.destroy());
    });
    await pipeline(incoming, outgoing);
  }

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() =>
      response.headersSent ? response.destroy() : response.writeHead(502).end(),
    );
  });
  server.maxConnections = mostConnections;
  server.on("connection", (client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
  });
  server.on("connect", (incoming, client, head) => {
    client.on("error", () => {});
    tunnel(incoming, client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socket, resolve));
  return {
    socket,
    refused,
    async close() {
      server.close();
      for (const client of open) client.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isGranted(host: string, port: number, hosts: readonly string[]): boolean {
  return hosts.some((granted) => {
    const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(granted.toLowerCase()) ?? [];
    if (only !== undefined && Number(only) !== port) return false;
    const wanted = host.toLowerCase().replace(/\.$/, "");
    return name.startsWith("*.") ? wanted.endsWith(name.slice(1)) : wanted === toPlainHost(name);
  });
}

/** Undefined if it has no address, or one that is neither public nor allowed. */
async function resolve(host: string, guard: AddressGuard): Promise<string | undefined> {
  try {
    if (isIP(host) === 0) return (await guard.resolve(host))[0]?.address;
    guard.check(host);
    return host;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}
