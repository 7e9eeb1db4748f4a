// A platform on loopback: requests, sockets on the same port, failures that a test asks for, and waiting for what happens.
// A fake of one platform adds what that platform says.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export type Json = Record<string, unknown>;

/** `lost`: it is done, and nobody hears of it. */
export type PlatformFailure =
  | { status: number; body: Json; headers?: Record<string, string> }
  | "disconnect"
  | "lost";

export interface PlatformRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  /** What was sent as JSON, or as `payload_json` of a form; {} for everything else. */
  body: Json;
  /** All of what was sent. */
  text: string;
}

export type PlatformAnswer = { status?: number; body: unknown } | undefined;

export abstract class FakePlatform implements AsyncDisposable {
  /** `METHOD path` of every request. */
  readonly calls: string[] = [];
  readonly files = new Map<string, Uint8Array>();
  protected readonly sockets = new Set<WebSocket>();
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));
  readonly #upgrades = new WebSocketServer({ server: this.#server });
  readonly #failures: Array<{ pattern: RegExp; failure: PlatformFailure }> = [];
  readonly #waiting = new Set<() => void>();

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.#upgrades.on("connection", (socket, request) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.terminate());
      socket.on("message", (data: Buffer) => {
        this.hear(socket, JSON.parse(data.toString("utf8")) as Json);
        this.changed();
      });
      this.greet(socket, request);
      this.changed();
    });
    return this;
  }

  /** The next request like this fails. */
  failNext(pattern: RegExp, ...failures: PlatformFailure[]): void {
    for (const failure of failures) this.#failures.push({ pattern, failure });
  }

  async waitFor(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.#upgrades.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  protected changed(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  protected send(socket: WebSocket, message: Json): void {
    socket.send(JSON.stringify(message));
  }

  /** What a request is answered with; undefined: there is no such thing. */
  protected abstract answer(request: PlatformRequest): PlatformAnswer | Promise<PlatformAnswer>;
  protected abstract greet(socket: WebSocket, request: IncomingMessage): void;
  protected abstract hear(socket: WebSocket, message: Json): void;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const { pathname: path, searchParams: query } = new URL(request.url ?? "", this.url);
    const method = request.method ?? "";
    this.calls.push(`${method} ${path}`);
    const found = this.#failures.findIndex(({ pattern }) => pattern.test(`${method} ${path}`));
    const [planned] = found === -1 ? [] : this.#failures.splice(found, 1);
    const failure = planned?.failure;
    const given = { method, path, query, headers: request.headers, body: readBody(request, text), text };
    if (failure === undefined || failure === "lost") {
      const file = method === "GET" ? this.files.get(path) : undefined;
      const answer = file === undefined ? await this.answer(given) : undefined;
      if (failure === "lost") response.socket?.destroy();
      else if (file !== undefined) response.end(file);
      else reply(response, answer?.status ?? (answer === undefined ? 404 : 200), answer?.body ?? {});
    } else if (failure === "disconnect") response.socket?.destroy();
    else reply(response, failure.status, failure.body, failure.headers);
    this.changed();
  }
}

function readBody(request: IncomingMessage, text: string): Json {
  const type = request.headers["content-type"] ?? "";
  if (type.includes("json")) return JSON.parse(text || "{}") as Json;
  const payload = /name="payload_json"\r\n\r\n([^\r]*)/.exec(text)?.[1];
  return JSON.parse(payload ?? "{}") as Json;
}

function reply(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
