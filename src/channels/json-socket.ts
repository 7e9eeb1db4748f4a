// A WebSocket to a platform that speaks JSON. Hands over each message as it comes; knows no platform.
import type { WebSocket } from "ws";
import { ChannelError } from "../bus/channel.ts";
import { phrase } from "../i18n/phrase.ts";
import { onAbort } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { parseJson } from "../lib/json-tree.ts";
import { isLoopbackHost } from "../lib/network/ip-address.ts";

export interface JsonSocket {
  send(message: object): void;
  /** The connection is given up for this reason. */
  fail(reason: unknown): void;
}

export interface JsonSocketOptions {
  /** As people call it. */
  platform: string;
  url: string;
  signal: AbortSignal;
  /** Undefined if it is not JSON. A rejection ends the connection with that reason. */
  onMessage(message: unknown, socket: JsonSocket): Promise<void> | void;
  onOpen?(socket: JsonSocket): void;
  /** The platform pinged, or answered a ping of ours. */
  onPing?(): void;
  /** For a platform that is silent where nobody speaks: it is pinged now and then. */
  clock?: Clock;
  /** What the platform meant by closing; undefined: the connection was lost. */
  toCloseError?(code: number): Error | undefined;
}

const pingMs = 50_000;
const largestMessage = 16 * 1024 * 1024;

/** Rejects when the connection is lost; resolves when the signal aborts. What was begun is ended first. */
export async function runJsonSocket(options: JsonSocketOptions): Promise<void> {
  const { platform, url, signal } = options;
  const { protocol, hostname } = new URL(url);
  if (protocol !== "wss:" && !isLoopbackHost(hostname))
    throw new ChannelError(phrase("channels.insecure", { platform }));
  const { WebSocket } = await import("ws");
  if (signal.aborted) return;
  const connection = new WebSocket(url, { handshakeTimeout: 15_000, maxPayload: largestMessage });
  const working = new Set<Promise<void>>();
  const forget = onAbort(signal, () => connection.terminate());
  const over = new AbortController();
  if (options.clock !== undefined) void pingEvery(connection, options.clock, over.signal);
  try {
    await listen(connection, working, options);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    forget();
    over.abort();
    connection.terminate();
    await Promise.allSettled(working);
  }
}

async function pingEvery(connection: WebSocket, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(pingMs, signal).catch(() => {});
    if (signal.aborted) return;
    if (connection.readyState === connection.OPEN) connection.ping();
  }
}

function listen(
  connection: WebSocket,
  working: Set<Promise<void>>,
  { platform, onMessage, onOpen, onPing, toCloseError }: JsonSocketOptions,
): Promise<void> {
  return new Promise((_, reject) => {
    const socket: JsonSocket = {
      send(message) {
        if (connection.readyState === connection.OPEN) connection.send(JSON.stringify(message));
      },
      fail: reject,
    };
    const lost = () => new ChannelError(phrase("channels.disconnected", { platform }));
    connection.on("open", () => onOpen?.(socket));
    connection.on("ping", () => onPing?.());
    connection.on("pong", () => onPing?.());
    connection.on("message", (data: Buffer) => {
      const handling = (async () => onMessage(parseJson(data.toString("utf8")), socket))()
        .catch(reject)
        .finally(() => working.delete(handling));
      working.add(handling);
    });
    connection.on("error", () => reject(lost()));
    connection.on("close", (code) => reject(toCloseError?.(code) ?? lost()));
  });
}
