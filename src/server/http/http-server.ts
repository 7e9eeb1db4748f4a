// The HTTP server: host and origin checks, response headers, timeouts. Loopback unless the owner says otherwise, and then
// only with a key. Knows no route; a route reads bodies by `readBody`.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import type { UpgradeHandler } from "../web/web-socket.ts";
import { ApiError, toErrorBody } from "./api-error.ts";
import { createVisitorCheck, isLocalAddress, type VisitorRules } from "./host-check.ts";
import { type Answer, BodyTooLarge, Context, type Handled, leaveMount, Routes } from "./routes.ts";

export interface ListenOptions extends VisitorRules {
  port: number;
  /** Whether a key is needed to ask anything of the assistant. */
  hasKey: boolean;
  /** About addresses where nothing can be served, and those that are not answered. */
  words: Words["gateway"]["address"];
  limits?: Partial<ServerLimits>;
}

export interface ServeOptions extends VisitorRules {
  addRoutes(routes: Routes): void;
  /** Everything is also found below this path, such as `/h/work`. */
  mount?: string;
  /** Whether another server takes it. */
  pass?: (...asked: Asked) => boolean;
  /** Takes over connections that become sockets, after the same host and origin checks. */
  upgrade?: UpgradeHandler;
  /** About requests that are not answered. */
  words: Words["gateway"]["address"];
  /** Pages of these may use the OpenAI API. */
  origins?: readonly string[];
  /** Called with internal errors. */
  onError(error: unknown): void;
}

export type HttpServerOptions = ListenOptions & ServeOptions;

/** A port that is open, and answers 503 until it is served. */
export interface HttpListener {
  server: Server;
  url: string;
  /** Connections without a request under way, the oldest first. */
  idle: Set<Duplex>;
}

export interface ServerLimits {
  /** Until the head of a request must be there. */
  headersMs: number;
  /** Until all of a request must be there. An answer may take as long as it wants. */
  requestMs: number;
  /** How often that is looked after. */
  checkMs: number;
  connections: number;
  /** Of those, without a request under way: the oldest make room for new ones. */
  idle: number;
}

/** A request with its response, or a connection that becomes a socket. */
export type Asked = [IncomingMessage, ServerResponse] | [IncomingMessage, Duplex, Buffer];

export interface HttpServer {
  url: string;
  /** What another server passes on. */
  take(...asked: Asked): void;
  close(): Promise<void>;
}

/** Nothing can be served there; the message says what to change. */
export class AddressError extends Error {
  override name = "AddressError";
}

const usualLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 120_000,
  checkMs: 5_000,
  connections: 2_048,
  idle: 512,
};
const idleConnectionMs = 10_000;
const closingMs = 1_000;
/** For what is left of a body after its answer. */
const restMs = 500;

/** Of every answer that does not say otherwise. */
export const usualHeaders = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Browsers look up the names of all links of a page: a link that a model wrote would tell its host without a click.
  "x-dns-prefetch-control": "off",
  "x-frame-options": "DENY",
};

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  return serveHttp(await listenHttp(options), options);
}

export async function listenHttp(options: ListenOptions): Promise<HttpListener> {
  checkAddress(options);
  const limits = { ...usualLimits, ...options.limits };
  const serverOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: idleConnectionMs,
    // A peer that is gone without a word is noticed, and its turn ends.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  const server = createServer(serverOptions, answerStarting);
  server.maxConnections = limits.connections;
  const idle = boundIdle(server, limits.idle);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://${toUrlHost(options.host)}:${port}`, idle };
}

/** A program that opens connections and says nothing closes its own, not the port. */
function boundIdle(server: Server, most: number): Set<Duplex> {
  const idle = new Set<Duplex>();
  const wait = (socket: Duplex) => {
    idle.add(socket);
    const [oldest] = idle;
    if (idle.size > most) oldest?.destroy();
  };
  server.on("connection", (socket) => {
    wait(socket);
    socket.once("close", () => idle.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) wait(socket);
    });
  });
  return idle;
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { "retry-after": "1", connection: "close" }).end();
}

export function serveHttp({ server, url, idle }: HttpListener, options: ServeOptions): HttpServer {
  const routes = new Routes();
  const answering = new Underway();
  options.addRoutes(routes);
  const serve = createServing(routes, options, answering);
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (options.pass?.(incoming, outgoing) === true) return;
    if (options.mount !== undefined && incoming.url === options.mount)
      outgoing.writeHead(308, { location: `${options.mount}/` }).end();
    else void serve(new Context(incoming, outgoing, options.mount));
  };
  const join = options.upgrade && createUpgrades(options, options.upgrade);
  server.off("request", answerStarting).on("request", answer);
  if (join !== undefined)
    server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      idle.delete(socket);
      join(incoming, socket, head);
    });
  return {
    url,
    take: (...asked) => (asked.length === 2 ? answer(...asked) : join?.(...asked)),
    close: () => close(server, options, answering),
  };
}

function checkAddress({ host, publicUrl, hasKey, words }: ListenOptions): void {
  if (!isLocalAddress(host) && !hasKey) throw new AddressError(words.open(host));
  if (publicUrl !== undefined && !(URL.canParse(publicUrl) && /^https?:/i.test(publicUrl)))
    throw new AddressError(words.notPublic(publicUrl));
}

/** Answers one request, whatever becomes of it. */
function createServing(
  routes: Routes,
  options: ServeOptions,
  answering: Underway,
): (context: Context) => Promise<void> {
  const findRefusal = createVisitorCheck(options);
  const find = async (context: Context): Promise<Handled> => {
    const origin = context.header("origin") ?? "";
    // Pages that the config names may use the API, and nothing else.
    const isApi = context.path?.startsWith("/v1/") && options.origins?.includes(origin);
    const refusal = findRefusal((name) => (isApi && name !== "host" ? undefined : context.header(name)));
    if (refusal !== undefined) throw new ApiError(options.words[refusal], { status: 403, code: "forbidden" });
    return answering.track(routes.answer(context));
  };
  return async (context) => {
    try {
      const answer = (await find(context)) ?? fail(context, nothingThere);
      if (answer !== "sent") await send(context, answer);
    } catch (error) {
      const known = toApiError(error);
      // A client that left is no failure, and no one reads the response.
      if (known === undefined && !hasLeft(context)) options.onError(error);
      // What the route wanted in the head of its answer may be the failure.
      if (known === undefined) context.headers = {};
      if (context.outgoing.headersSent) context.outgoing.destroy();
      else await send(context, fail(context, known ?? ourFault));
    }
    dismiss(context);
  };
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof BodyTooLarge)
    return new ApiError(error.message, { status: 413, code: "body_too_large" });
  return error instanceof ApiError ? error : undefined;
}

function hasLeft({ signal, incoming }: Context): boolean {
  return signal.aborted || (incoming.destroyed && !incoming.complete);
}

async function send({ incoming, outgoing, headers }: Context, answer: Answer): Promise<void> {
  const { status, body } = answer;
  const all = { ...usualHeaders, ...headers, ...answer.headers };
  if (body instanceof Readable) {
    outgoing.writeHead(status, all).flushHeaders();
    if (incoming.method !== "HEAD") return pipeline(body, outgoing);
    body.destroy();
    outgoing.end();
  } else {
    const length = body !== undefined && { "content-length": Buffer.byteLength(body) };
    outgoing.writeHead(status, { ...all, ...length }).end(body);
  }
}

/** A body that nobody has read would keep the connection from its next request: it is taken for a moment, then cut off. */
function dismiss({ incoming }: Context): void {
  if (incoming.complete || incoming.destroyed) return;
  const cut = setTimeout(() => incoming.destroy(), restMs).unref();
  incoming
    .on("error", () => {})
    .on("close", () => clearTimeout(cut))
    .resume();
}

function createUpgrades(options: ServeOptions, upgrade: UpgradeHandler) {
  const findRefusal = createVisitorCheck(options);
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client may hang up at this moment; that is no failure.
    socket.on("error", () => socket.destroy());
    if (options.pass?.(request, socket, head) === true) return;
    leaveMount(request, options.mount);
    const read = (name: string) => request.headers[name]?.toString();
    const isHere = request.url?.split("?")[0] === upgrade.path;
    const status = findRefusal(read) !== undefined ? 403 : isHere ? undefined : 404;
    if (status !== undefined) hangUp(socket, status);
    else
      upgrade.handle(request, socket, head).catch((error: unknown) => {
        options.onError(error);
        hangUp(socket, 500);
      });
  };
}

function hangUp(socket: Duplex, status: number): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "connection: close", "content-length: 0"];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

const nothingThere = new ApiError("There is nothing at this address.", { status: 404, code: "not_found" });
const ourFault = new ApiError("The server failed; the log says why.", {
  status: 500,
  code: "internal_error",
});

function fail(context: Context, error: ApiError): Answer {
  return context.json(toErrorBody(error), error.facts.status);
}

function listen(server: Server, { host, port, words }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code = "" }: NodeJS.ErrnoException) => {
      const isTaken = code === "EADDRINUSE";
      reject(new AddressError(isTaken ? words.taken(port) : words.unusable(host, port, code)));
    });
    server.listen(port, host, resolve);
  });
}

async function close(
  server: Server,
  { upgrade }: Pick<ServeOptions, "upgrade">,
  answering: Underway,
): Promise<void> {
  const left = upgrade?.close();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), closingMs);
  await closed;
  clearTimeout(impatience);
  await left;
  await answering.settle();
}

function toUrlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** For responses that wait for another server, such as a silent model. */
const patienceMs = 5_000;

export class Underway {
  readonly #running = new Set<Promise<unknown>>();

  track<T>(answer: Promise<T>): Promise<T> {
    const running = answer.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async settle(): Promise<void> {
    const isOver = new AbortController();
    const late = systemClock.sleep(patienceMs, isOver.signal).catch(() => {});
    await Promise.race([Promise.allSettled(this.#running), late]);
    isOver.abort();
  }
}
