// A proxy in front of a server on loopback that can be cut like a cable.
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

export interface Relay {
  port: number;
  disconnect(): void;
  /** From now on it takes connections and says nothing. */
  fallSilent(): void;
  reconnect(): void;
  /** Whatever the server says that is like this is swallowed. */
  swallow(pattern: RegExp): void;
  close(): Promise<void>;
}

export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "silent" = "open";
  let swallowed: RegExp | undefined;
  const createFilter = () =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        const isWhole = swallowed === undefined;
        done(
          null,
          isWhole ? chunk : Buffer.from(chunk.toString("latin1").replace(swallowed ?? "", ""), "latin1"),
        );
      },
    });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  const disconnect = () => {
    state = "cut";
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (state === "cut") client.destroy();
    if (state !== "open") return;
    const upstream = createConnection({ host: "127.0.0.1", port: target });
    keep(upstream);
    client.pipe(upstream).pipe(createFilter()).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    disconnect,
    fallSilent() {
      disconnect();
      state = "silent";
    },
    reconnect() {
      for (const socket of sockets) socket.destroy();
      state = "open";
    },
    swallow(pattern) {
      swallowed = pattern;
    },
    async close() {
      disconnect();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
