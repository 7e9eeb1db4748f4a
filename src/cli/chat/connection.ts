// How the chat in the terminal reaches operations and hears of events: of the gateway over its socket, or of the
// assistant in this process.
import type { Client, GatewayAddress } from "../../api/client.ts";
import type { App } from "../../app/build-app.ts";
import { findGateway } from "../../server/gateway-file.ts";
import { GatewaySocket } from "../../server/gateway-socket.ts";
import type { GatewayEvent } from "../../server/protocol.ts";

export type ConnectionEvent =
  | GatewayEvent
  /** The gateway went away; it is looked for until it is back. */
  | { type: "lost" }
  /** It is back. `isResumed`: nothing was missed; otherwise the conversation is to be opened again. */
  | { type: "back"; isResumed: boolean };

/** An implementer must hand events to the listener in their order. */
export interface Connection {
  /** To a gateway, not to the assistant in this process. */
  isAttached: boolean;
  /** As the owner. */
  call: Client["call"];
  listen(listener: (event: ConnectionEvent) => void): void;
  close(): void;
}

const owner = { person: "owner", role: "owner" } as const;

export function connectHere({ clientFor, sockets }: App): Connection {
  let unlisten = () => {};
  return {
    isAttached: false,
    // A gateway may have started meanwhile: then what is not of this workspace is its business.
    call: async (...request) => (await clientFor(owner)).call(...request),
    listen(listener) {
      unlisten();
      const take = (_frame: unknown, event: GatewayEvent) => listener(event);
      unlisten = sockets.hub.listen({ viewer: owner, follows: new Set(), take });
    },
    close: () => unlisten(),
  };
}

export interface SocketConnection extends Connection {
  /** What was called and not answered is given up. */
  abandon(reason: Error): void;
}

export async function connectGateway(address: GatewayAddress, runFolder: string): Promise<SocketConnection> {
  let tell: (event: ConnectionEvent) => void = () => {};
  const socket = new GatewaySocket({
    find: () => findGateway(runFolder),
    onEvent: (event) => tell(event),
    onLost: () => tell({ type: "lost" }),
    onBack: (isResumed) => tell({ type: "back", isResumed }),
  });
  await socket.connect(address);
  return {
    isAttached: true,
    call: (name, params) => socket.ask(name, params),
    listen(listener) {
      tell = listener;
    },
    abandon: (reason) => socket.abandon(reason),
    close: () => socket.close(),
  };
}
