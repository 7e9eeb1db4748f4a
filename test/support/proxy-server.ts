// Real proxies on loopback that know where a few made-up names live: HTTP (tunnels and plain requests) and SOCKS5.
import { createServer as createHttpServer, type Server as HttpServer, request as sendHttp } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";

export interface TestProxy {
  port: number;
  /** What was asked for, such as `CONNECT model.test:443` or `GET http://model.test/path`. */
  seen: string[];
  /** The credentials that came with it. */
  credentials: Array<string | undefined>;
  close(): Promise<void>;
}

/** Ports on 127.0.0.1 by `name:port` as the client would call them. */
export type Targets = Record<string, number>;

export async function startHttpProxy(targets: Targets): Promise<TestProxy> {
  const seen: string[] = [];
  const credentials: Array<string | undefined> = [];
  const server = createHttpServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
    const { host, pathname, search } = new URL(incoming.url ?? "");
    const port = targets[host.includes(":") ? host : `${host}:80`];
    if (port === undefined) {
      outgoing.writeHead(502).end("no such target");
      return;
    }
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const options = { host: "127.0.0.1", port, path: pathname + search, method: incoming.method, headers };
    const onward = sendHttp(options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
    const port = targets[incoming.url ?? ""];
    if (port === undefined) socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    else join(socket, port, "HTTP/1.1 200 Connection Established\r\n\r\n");
  });
  return { port: await listen(server), seen, credentials, close: () => closeServer(server) };
}

/** Speaks just enough SOCKS5: user and password if offered, then one connection to a name. */
export async function startSocksProxy(targets: Targets): Promise<TestProxy> {
  const seen: string[] = [];
  const credentials: Array<string | undefined> = [];
  const server = createTcpServer(async (socket) => {
    const next = () => new Promise<Buffer>((resolve) => socket.once("data", resolve));
    const hasPassword = (await next()).subarray(2).includes(2);
    socket.write(Buffer.from([5, hasPassword ? 2 : 0]));
    if (hasPassword) {
      const login = await next();
      const userEnd = 2 + (login[1] ?? 0);
      credentials.push(`${login.subarray(2, userEnd)}:${login.subarray(userEnd + 1)}`);
      socket.write(Buffer.from([1, 0]));
    }
    const greeting = await next();
    const nameEnd = 5 + (greeting[4] ?? 0);
    const target = `${greeting.subarray(5, nameEnd)}:${greeting.readUInt16BE(nameEnd)}`;
    seen.push(`CONNECT ${target}`);
    const port = targets[target];
    if (port === undefined) socket.end(Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0]));
    else join(socket, port, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  });
  return { port: await listen(server), seen, credentials, close: () => closeServer(server) };
}

function join(socket: Socket, port: number, greeting: string | Buffer): void {
  const onward = connect(port, "127.0.0.1", () => {
    socket.write(greeting);
    socket.pipe(onward).pipe(socket);
  });
  for (const [end, other] of [[socket, onward] as const, [onward, socket] as const]) {
    end.on("error", () => other.destroy());
    end.on("close", () => other.destroy());
  }
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server | HttpServer): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  if ("closeAllConnections" in server) server.closeAllConnections();
  await closed;
}
