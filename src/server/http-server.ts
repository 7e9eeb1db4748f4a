// One port for everything: health, control, and what other rooms hang into it. Loopback unless the owner says otherwise,
// and then only with a token. Knows no route but its own.
import { timingSafeEqual } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hono } from "hono";
import { isLoopbackHost } from "../lib/loopback.ts";

export interface HttpServerOptions {
  host: string;
  port: number;
  /** What somebody who is not on this machine, or asks for control, must show. */
  token: string;
  /** Under which a proxy shows the server to the world. */
  publicUrl?: string;
  addRoutes(app: Hono): void;
}

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

export class AddressError extends Error {
  override name = "AddressError";
}

const largestBody = 40 * 1024 * 1024;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { Hono } = await import("hono");
  const { bodyLimit } = await import("hono/body-limit");
  const { createAdaptorServer } = await import("@hono/node-server");
  const app = new Hono();
  app.use(async (context, next) => {
    const refusal = findRefusal(context.req.raw, options);
    if (refusal !== undefined) return context.json({ error: { message: refusal.reason } }, refusal.status);
    await next();
    context.res.headers.set("x-content-type-options", "nosniff");
    return undefined;
  });
  app.use(bodyLimit({ maxSize: largestBody }));
  options.addRoutes(app);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return { url: `http://${toUrlHost(options.host)}:${port}`, close: () => close(server) };
}

interface Refusal {
  status: 403 | 405;
  reason: string;
}

/** A page of somebody else must not use the browser of the owner against the owner. */
function findRefusal(request: Request, { host, publicUrl }: HttpServerOptions): Refusal | undefined {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isKnown = (name: string) =>
    isLoopbackHost(name) || name === own?.hostname || (name === host && !isLoopbackHost(host));
  const asked = request.headers.get("host") ?? "";
  const isAnywhere = host === "0.0.0.0" || host === "::";
  if (!isAnywhere && !isKnown(toHostname(asked)))
    return { status: 403, reason: "This server does not answer to that name." };
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== "null" && !isSameOrigin(origin, asked, own))
    return { status: 403, reason: "Pages of other sites may not use this server." };
  if (origin === "null") return { status: 403, reason: "Pages without an address may not use this server." };
  return undefined;
}

function isSameOrigin(origin: string, asked: string, own: URL | undefined): boolean {
  return URL.canParse(origin) && (new URL(origin).host === asked || new URL(origin).origin === own?.origin);
}

function toHostname(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

/** In a time that says nothing about how much of it was right. */
export function isToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ""), Buffer.from(token)];
  return token !== "" && a.length === b.length && timingSafeEqual(a, b);
}

export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} is taken by another program. Set gateway.port in config.json, or end that program.`
          : `Nothing can be served at ${host}:${port} (${error.code}). Check gateway.host and gateway.port.`;
      reject(new AddressError(reason));
    });
    server.listen(port, host, resolve);
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 1_000).unref();
  await closed;
}

function toUrlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
