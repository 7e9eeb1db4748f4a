// The way in: any worker answers for every home, by the host name that is asked for, or by its path where all are one owner's. A home that it serves itself is asked on
// this machine, any other by way of the worker that holds it; while nobody does, a request waits for a takeover.
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Gateway } from "../app/build-gateway.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { mayReadMetrics, metricsType } from "../server/telemetry/telemetry.ts";
import type { ClusterStore } from "../storage/cluster/cluster-store.ts";

export interface EntranceOptions {
  store: ClusterStore;
  /** The key of the cluster: workers prove themselves to one another by it. */
  secret: string;
  /** How long a request waits for a worker that takes its home. */
  patienceMs: number;
  clock: Clock;
  log: Log;
  /** Of a home that is served here. */
  gatewayOf(home: string): Pick<Gateway, "take"> | undefined;
  /** Where all homes are found, each below a path of its own; absent: nowhere. */
  publicUrl?: string;
  /** Somebody waits for a home that sleeps, or has not begun yet. */
  onWait(id: string): void;
  /** For Prometheus, and the token for it; absent: there are none. */
  metrics?: { token: string; read(): string };
  /** Whether the database answers. */
  isReady(): boolean;
}

/** A home that is served here, or the address of the worker that serves it. */
type Target = Pick<Gateway, "take"> | { url: string };

/** Why a request is not passed on. */
type Refusal = 404 | 502 | 503;

const proofHeader = "x-nanobot-worker";
/** A proof is of no use to who reads it later. */
const proofMs = 60_000;
const lookAgainMs = 100;
const reachMs = 1_000;
const mostConnections = 5_000;

export class Entrance {
  readonly #options: EntranceOptions;
  readonly #server: Server;

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));
    this.#server.maxConnections = mostConnections;
    this.#server.on("upgrade", (incoming, socket, head) => void this.#join(incoming, socket, head));
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const found = await this.#find(incoming);
    if (found === 404 && this.#answerHealth(incoming, outgoing)) return;
    if (typeof found === "number") return refuse(outgoing, found);
    const headers = this.#toHeaders(incoming);
    if ("take" in found) {
      incoming.headers = headers;
      return found.take(incoming, outgoing);
    }
    const passed = request(found.url + (incoming.url ?? "/"), {
      method: incoming.method ?? "GET",
      headers: this.#withProof(incoming, headers),
    });
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing).on("error", () => answer.destroy());
    });
    passed.on("error", () => refuse(outgoing, 502));
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  }

  async #join(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const found = await this.#find(incoming);
    if (typeof found === "number") return void socket.end(`HTTP/1.1 ${found} \r\nconnection: close\r\n\r\n`);
    const headers = this.#toHeaders(incoming);
    if ("take" in found) {
      incoming.headers = headers;
      return found.take(incoming, socket, head);
    }
    const passed = request(found.url + (incoming.url ?? "/"), {
      headers: this.#withProof(incoming, headers),
    });
    passed.on("upgrade", (answer, far, first) => {
      socket.write(`${toHead(answer)}\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) far.write(head);
      far.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => far.destroy());
      far.pipe(socket).pipe(far);
    });
    passed.on("response", (answer) => {
      socket.write(`${toHead(answer)}\r\n`);
      answer.pipe(socket);
    });
    passed.on("error", () => socket.end("HTTP/1.1 502 \r\nconnection: close\r\n\r\n"));
    passed.end();
  }

  async #find(incoming: IncomingMessage): Promise<Target | Refusal> {
    const { store, clock, patienceMs, gatewayOf, onWait, log } = this.#options;
    const host = toHostName(incoming);
    const path = this.#toPathName(incoming, host);
    const isPassed = this.#isProven(incoming, host);
    const end = clock.elapsed() + patienceMs;
    try {
      for (;;) {
        const home = await (path === undefined ? store.findByHost(host) : store.findHome(path));
        if (home === undefined) return 404;
        const gateway = gatewayOf(home.id);
        if (gateway !== undefined) return gateway;
        if (home.isAsleep) await store.wake(home.id);
        onWait(home.id);
        // What another worker passed on goes no further: two that know different holders would pass it on for ever.
        // One that has just died is not passed anything: its lease has to end first.
        if (!isPassed && home.address && (await isReachable(home.address))) return { url: home.address };
        if (clock.elapsed() > end) return 503;
        await clock.sleep(lookAgainMs);
      }
    } catch (error) {
      log.warn("cluster-unavailable", { error });
      return 503;
    }
  }

  /** For a load balancer, which asks by no name of a home. */
  #answerHealth(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { url } = incoming;
    const { metrics } = this.#options;
    if (url === "/metrics" && metrics !== undefined) {
      const mayRead = mayReadMetrics(incoming, metrics.token);
      outgoing.writeHead(mayRead ? 200 : 401, { "content-type": metricsType });
      outgoing.end(mayRead ? metrics.read() : "");
      return true;
    }
    if (url !== "/health" && url !== "/ready") return false;
    const isWell = url === "/health" || this.#options.isReady();
    outgoing.writeHead(isWell ? 200 : 503, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ ok: isWell }));
    return true;
  }

  /** The home that is asked for by its path. */
  #toPathName({ url = "" }: IncomingMessage, host: string): string | undefined {
    const { publicUrl } = this.#options;
    if (publicUrl === undefined || host !== new URL(publicUrl).hostname) return undefined;
    return /^\/h\/([a-z0-9-]+)(?:[/?]|$)/.exec(url)?.[1];
  }

  #toHeaders(incoming: IncomingMessage): IncomingHttpHeaders {
    const { [proofHeader]: _, ...headers } = incoming.headers;
    const before = this.#isProven(incoming, toHostName(incoming)) ? headers["x-forwarded-for"] : undefined;
    return { ...headers, "x-forwarded-for": before ?? incoming.socket.remoteAddress ?? "" };
  }

  #withProof(incoming: IncomingMessage, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    return { ...headers, [proofHeader]: this.#prove(toHostName(incoming), this.#options.clock.now()) };
  }

  #prove(host: string, at: number): string {
    const proof = createHmac("sha256", this.#options.secret).update(`worker\n${host}\n${at}`).digest("hex");
    return `${at}.${proof}`;
  }

  #isProven({ headers }: IncomingMessage, host: string): boolean {
    const given = headers[proofHeader];
    if (typeof given !== "string") return false;
    const at = Number(given.split(".")[0]);
    const [expected, received] = [Buffer.from(this.#prove(host, at)), Buffer.from(given)];
    const isRecent = Math.abs(this.#options.clock.now() - at) < proofMs;
    return isRecent && expected.length === received.length && timingSafeEqual(expected, received);
  }
}

function isReachable(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port || 80), timeout: reachMs });
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket
      .once("connect", () => end(true))
      .once("error", () => end(false))
      .once("timeout", () => end(false));
  });
}

function toHostName({ headers }: IncomingMessage): string {
  return (headers.host ?? "").toLowerCase().replace(/:\d+$/, "");
}

function refuse(outgoing: ServerResponse, status: Refusal): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.writeHead(status, { "content-type": "text/plain", ...(status === 503 && { "retry-after": "2" }) });
  outgoing.end();
}

/** As it came: names and values of headers were read by Node, which refuses what would end a line. */
function toHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n`;
}
