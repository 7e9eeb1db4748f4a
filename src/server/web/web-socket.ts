// The socket of the page at /api/socket: who is let in, for how long, and how many at once. What is said there is the
// connection's business.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../../lib/clock.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { ReadHeader } from "../http/host-check.ts";
import { Underway } from "../http/http-server.ts";
import type { EventHub } from "../live/event-hub.ts";
import { closeCodes, type ResponseFrame, type Viewer } from "../protocol.ts";
import type { WebAccess } from "./web-access.ts";
import { type AnswerOptions, answerRequest, WebConnection } from "./web-connection.ts";

export interface WebSocketOptions extends AnswerOptions {
  access: WebAccess;
  hub: EventHub;
  clock: Clock;
  limits?: Partial<SocketLimits>;
}

export interface SocketLimits {
  /** A client that was silent for two of these is gone. */
  heartbeatMs: number;
  /** Until the first frame must be there. */
  helloMs: number;
  frameBytes: number;
  connections: number;
  /** Of one guest, so that there is room for everyone else. */
  connectionsOfGuest: number;
}

/** What an HTTP server hands its upgrades to. */
export interface UpgradeHandler {
  path: string;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Resolves when every client was asked to leave, and nothing is answered any more. */
  close(): Promise<void>;
}

const usualLimits: SocketLimits = {
  heartbeatMs: 20_000,
  helloMs: 10_000,
  frameBytes: 1024 * 1024,
  connections: 200,
  connectionsOfGuest: 20,
};
const goingAway = 1001;
const policyViolation = 1008;
const tryAgainLater = 1013;

export function openWebSocket(options: WebSocketOptions): UpgradeHandler {
  const limits = { ...usualLimits, ...options.limits };
  // Loaded with the first client: it takes a tenth of the start.
  let opened: Promise<WebSocketServer> | undefined;
  const open = async () => {
    const { WebSocketServer: Server } = await import("ws");
    return new Server({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false });
  };
  const done = new DoneRequests();
  const answering = new Underway();
  const closing = new AbortController();
  const answered = { ...options, signal: closing.signal };
  const admitted = new Map<WebSocket, { person: string; secret: string | undefined }>();
  const stopListening = options.access.onLeave((leaving) => {
    for (const [socket, { person, secret }] of admitted) {
      const isMeant = leaving.secret === undefined || leaving.secret === secret;
      const isTheirs = leaving.person === undefined || leaving.person === person;
      if (secret !== undefined && isMeant && isTheirs) leave(socket, closeCodes.notAdmitted);
    }
  });

  function countOf({ person, role }: Viewer): number {
    return role === "owner"
      ? 0
      : admitted
          .values()
          .filter((other) => other.person === person)
          .toArray().length;
  }

  async function handle(request: IncomingMessage, pipe: Duplex, head: Buffer): Promise<void> {
    const read: ReadHeader = (name) => toText(request.headers[name]);
    const port = request.socket.localPort ?? 0;
    opened ??= open();
    const server = await opened;
    // No await follows: a viewer that is signed out meanwhile is among those that are closed.
    const viewer = await options.access.admit(read, port, { needsPage: true });
    server.handleUpgrade(request, pipe, head, (socket) => {
      socket.on("error", () => socket.terminate());
      // The standard hides from a page why it was refused; a close code does not.
      if (viewer === undefined) return leave(socket, closeCodes.notAdmitted);
      const isFull = admitted.size >= limits.connections || countOf(viewer) >= limits.connectionsOfGuest;
      if (isFull) return leave(socket, tryAgainLater);
      admitted.set(socket, { person: viewer.person, secret: options.access.readCookie(read, port) });
      socket.once("close", () => admitted.delete(socket));
      const connection = new WebConnection({
        socket,
        viewer,
        hub: options.hub,
        done,
        version: readVersion(),
        answer: (asked, caller) => answering.track(answerRequest(asked, caller, answered)),
        onError: (error) => options.onError(error, "answer"),
      });
      watch(socket, request.socket, connection, { ...limits, clock: options.clock });
    });
  }

  return {
    path: "/api/socket",
    handle,
    async close() {
      stopListening();
      closing.abort(new Error("the gateway ends"));
      const server = await opened;
      for (const socket of server?.clients ?? []) leave(socket, goingAway);
      server?.close();
      await answering.settle();
    },
  };
}

/** Ends with a code, without waiting for an answer. */
function leave(socket: WebSocket, code: number): void {
  socket.close(code);
  const impatience = setTimeout(() => socket.terminate(), 1_000);
  socket.once("close", () => clearTimeout(impatience));
}

/** Peers that are gone without a word, those that never say one, and those that take nothing. */
function watch(
  socket: WebSocket,
  pipe: Socket,
  connection: WebConnection,
  { clock, helloMs, heartbeatMs }: SocketLimits & { clock: Clock },
): void {
  const countSent = () => pipe.bytesWritten - pipe.writableLength;
  const ending = new AbortController();
  socket.once("close", () => ending.abort());
  const isOpenAfter = (ms: number) =>
    clock.sleep(ms, ending.signal).then(
      () => true,
      () => false,
    );
  let isAlive = true;
  let sent = 0;
  const mark = () => {
    isAlive = true;
  };
  socket.on("pong", mark).on("message", mark);
  const awaitHello = async () => {
    if ((await isOpenAfter(helloMs)) && !connection.isGreeted) leave(socket, policyViolation);
  };
  const beat = async () => {
    while (await isOpenAfter(heartbeatMs)) {
      // While requests wait nothing is read that could tell whether anyone is there; but what waits for it must go.
      const isTaking = socket.bufferedAmount === 0 || countSent() > sent;
      if (socket.isPaused ? !isTaking : !isAlive) socket.terminate();
      isAlive = false;
      sent = countSent();
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  };
  void awaitHello();
  void beat();
}

function toText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

const mostAnswers = 2_000;
/** Larger ones are what was read, and reading can be done again. */
const largestAnswer = 16_384;

export class DoneRequests {
  readonly #running = new Map<string, Promise<string>>();
  readonly #done = new Map<string, string>();

  /** The answer as it goes over the wire. */
  async once(person: string, id: string, work: () => Promise<ResponseFrame>): Promise<string> {
    const key = JSON.stringify([person, id]);
    const known = this.#done.get(key) ?? this.#running.get(key);
    if (known !== undefined) return known;
    const answer = work().then((frame) => JSON.stringify(frame));
    this.#running.set(key, answer);
    try {
      const text = await answer;
      this.#keep(key, text);
      return text;
    } finally {
      this.#running.delete(key);
    }
  }

  #keep(key: string, text: string): void {
    if (text.length > largestAnswer) return;
    this.#done.set(key, text);
    const [oldest] = this.#done.keys();
    if (this.#done.size > mostAnswers && oldest !== undefined) this.#done.delete(oldest);
  }
}
