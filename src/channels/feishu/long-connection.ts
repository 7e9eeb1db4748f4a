// Feishu's long connection: a WebSocket on which events come in frames, some in several pieces and in any order. An
// event is acknowledged when it was handled; what is not acknowledged Feishu sends again.

import type { WebSocket } from "ws";
import { ChannelError } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { decodeFrame, encodeFrame, type Frame, FrameError, headerOf, method } from "./frame.ts";

export interface ListenOptions {
  url: string;
  pingMs: number;
  clock: Clock;
  signal: AbortSignal;
  /** One event as JSON text. Rejects: it is not acknowledged. */
  onEvent(json: string): Promise<void>;
  onAlive(): void;
}

const largestFrame = 16 * 1024 * 1024;
const mostPieces = 100;
const mostUnfinished = 50;

/** Rejects when the connection is lost; resolves when the signal aborts. What was begun is ended first. */
export async function listen(options: ListenOptions): Promise<void> {
  const { WebSocket } = await import("ws");
  if (options.signal.aborted) return;
  const socket = new WebSocket(options.url, {
    handshakeTimeout: 15_000,
    maxPayload: largestFrame,
    perMessageDeflate: false,
  });
  const service = Number(new URL(options.url).searchParams.get("service_id") ?? 0);
  const pieces = new Pieces();
  const working = new Set<Promise<void>>();
  const over = new AbortController();
  const forget = onAbort(options.signal, () => socket.terminate());
  try {
    await new Promise<void>((_, reject) => {
      socket.once("open", () => {
        options.onAlive();
        void ping(socket, service, { ...options, signal: over.signal });
      });
      socket.on("message", (data: Uint8Array, isBinary) => {
        if (!isBinary) return;
        const handling = handle(data, { socket, pieces, options }).finally(() => working.delete(handling));
        working.add(handling);
      });
      const lose = () => reject(new ChannelError(phrase("channels.disconnected", { platform: "Feishu" })));
      socket.once("error", lose);
      socket.once("close", lose);
    });
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    forget();
    over.abort();
    socket.terminate();
    await Promise.all(working);
  }
}

interface Listening {
  socket: WebSocket;
  pieces: Pieces;
  options: ListenOptions;
}

async function handle(data: Uint8Array, { socket, pieces, options }: Listening): Promise<void> {
  const frame = tryDecode(data);
  if (frame === undefined) return;
  const type = headerOf(frame, "type");
  if (frame.method === method.control && type === "pong") options.onAlive();
  if (frame.method !== method.data || type !== "event") return;
  const whole = pieces.add(frame);
  if (whole === undefined) return;
  const code = await options.onEvent(whole).then(
    () => 200,
    () => 500,
  );
  acknowledge(socket, frame, code);
}

function tryDecode(data: Uint8Array): Frame | undefined {
  try {
    return decodeFrame(data);
  } catch (error) {
    if (error instanceof FrameError) return undefined;
    throw error;
  }
}

/** The frame itself with the outcome in it. */
function acknowledge(socket: WebSocket, frame: Frame, code: number): void {
  if (socket.readyState !== socket.OPEN) return;
  const headers = [...frame.headers, { key: "biz_rt", value: "0" }];
  socket.send(encodeFrame({ ...frame, headers, payload: Buffer.from(JSON.stringify({ code })) }));
}

async function ping(socket: WebSocket, service: number, { clock, signal, pingMs }: ListenOptions) {
  const frame: Frame = {
    sequence: 0n,
    logId: 0n,
    service,
    method: method.control,
    headers: [{ key: "type", value: "ping" }],
    payload: new Uint8Array(),
    others: [],
  };
  while (!signal.aborted && socket.readyState === socket.OPEN) {
    socket.send(encodeFrame(frame));
    await clock.sleep(pingMs, signal).catch(() => {});
  }
}

/** Events that did not come in one frame. Bounded: the oldest unfinished one is forgotten. */
class Pieces {
  readonly #unfinished = new Map<string, Map<number, Uint8Array>>();

  /** The whole text, once all of it is there. */
  add(frame: Frame): string | undefined {
    const sum = Number(headerOf(frame, "sum") || 1);
    const sequence = Number(headerOf(frame, "seq") || 0);
    if (!(sum > 1)) return toText([frame.payload]);
    if (sum > mostPieces || !(sequence >= 0 && sequence < sum)) return undefined;
    const id = headerOf(frame, "message_id");
    const pieces = this.#unfinished.get(id) ?? new Map<number, Uint8Array>();
    pieces.set(sequence, frame.payload);
    this.#unfinished.delete(id);
    if (pieces.size === sum)
      return toText([...pieces].toSorted(([a], [b]) => a - b).map(([, piece]) => piece));
    this.#unfinished.set(id, pieces);
    const [oldest] = this.#unfinished.keys();
    if (this.#unfinished.size > mostUnfinished && oldest !== undefined) this.#unfinished.delete(oldest);
    return undefined;
  }
}

function toText(pieces: Uint8Array[]): string {
  return Buffer.concat(pieces).toString("utf8");
}
