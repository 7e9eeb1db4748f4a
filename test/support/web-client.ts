// A client of the gateway's socket that signs in as a browser does: a link, a cookie, a hello. Asks again what was not
// answered when the connection broke, as the page does.
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import type { Client as OperationClient } from "../../src/api/client.ts";
import type {
  EventFrame,
  OperationName,
  ParamsOf,
  Problem,
  ResultOf,
  ServerFrame,
  WelcomeFrame,
} from "../../src/server/protocol.ts";

export class WebProblem extends Error {
  override name = "WebProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export interface WebClient {
  welcome: WelcomeFrame;
  cookie: string;
  /** In the order in which they came, of all connections. */
  events: EventFrame[];
  /** Rejects with a WebProblem. */
  ask<Name extends OperationName>(method: Name, params: ParamsOf<Name>, id?: string): Promise<ResultOf<Name>>;
  /** The first event that is like this, also one that came before. */
  waitFor(isIt: (frame: EventFrame) => boolean): Promise<EventFrame>;
  /** Cuts the connection; what was asked waits for the next one. */
  drop(): Promise<void>;
  /** Says what was seen, unless told to forget it. */
  reconnect(options?: { url?: string; isNew?: boolean }): Promise<WelcomeFrame>;
  close(): Promise<void>;
}

export interface WebClientOptions {
  person?: string;
  role?: "owner" | "guest";
  /** Of the page. */
  language?: "english" | "chinese";
}

interface Served {
  url: string;
  client: OperationClient;
}

interface Pending {
  frame: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const opened: WebClient[] = [];

export async function openWebClient(
  gateway: Served,
  { language, ...who }: WebClientOptions = {},
): Promise<WebClient> {
  const cookie = await enter(gateway, who);
  const client = new Client(gateway.url, cookie, language);
  await client.reconnect();
  opened.push(client);
  return client;
}

/** For afterEach, before the gateways are closed. */
export async function closeWebClients(): Promise<void> {
  for (const client of opened.splice(0)) await client.close();
}

/** The cookie that a link gives: `nanobot-<port>=<secret>`. */
export async function enter({ url, client }: Served, who: WebClientOptions = {}): Promise<string> {
  const link = await client.call("web.link", who);
  const token = new URL(link.urls[0] ?? "").hash.slice("#token=".length);
  const response = await fetch(`${url}/api/enter`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ token }),
  });
  if (response.status !== 200) throw new Error(`/api/enter answered ${response.status}`);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

class Client implements WebClient {
  readonly events: EventFrame[] = [];
  readonly cookie: string;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting: Array<() => void> = [];
  readonly #language: WebClientOptions["language"];
  #url: string;
  #socket: WebSocket | undefined;
  #welcome: WelcomeFrame | undefined;
  #seen = 0;

  constructor(url: string, cookie: string, language?: WebClientOptions["language"]) {
    this.#language = language;
    this.#url = url;
    this.cookie = cookie;
  }

  get welcome(): WelcomeFrame {
    if (this.#welcome === undefined) throw new Error("not welcomed yet");
    return this.#welcome;
  }

  ask<Name extends OperationName>(
    method: Name,
    params: ParamsOf<Name>,
    id: string = randomUUID(),
  ): Promise<ResultOf<Name>> {
    const frame = JSON.stringify({ type: "request", id, method, params, language: this.#language });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { frame, resolve: resolve as Pending["resolve"], reject });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
    });
  }

  async waitFor(isIt: (frame: EventFrame) => boolean): Promise<EventFrame> {
    for (;;) {
      const found = this.events.find(isIt);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async drop(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const isClosed = new Promise((resolve) => socket.once("close", resolve));
    socket.terminate();
    await isClosed;
  }

  async reconnect({ url = this.#url, isNew = false } = {}): Promise<WelcomeFrame> {
    await this.drop();
    this.#url = url;
    const headers = { cookie: this.cookie, origin: url };
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/socket`, { headers });
    this.#socket = socket;
    const welcomed = Promise.withResolvers<WelcomeFrame>();
    socket.on("error", welcomed.reject);
    socket.on("close", (code) => welcomed.reject(new Error(`closed with ${code}`)));
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data)) as ServerFrame;
      if (frame.type !== "welcome") return this.#take(frame);
      // At once: an event may come in the same packet.
      this.#welcome = frame;
      if (!frame.isResumed) this.#seen = frame.seq;
      welcomed.resolve(frame);
    });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const seen = this.#welcome && !isNew ? { seen: { life: this.#welcome.life, seq: this.#seen } } : {};
    socket.send(JSON.stringify({ type: "hello", protocol: 1, ...seen }));
    const welcome = await welcomed.promise;
    for (const { frame } of this.#pending.values()) socket.send(frame);
    return welcome;
  }

  #take(frame: Exclude<ServerFrame, WelcomeFrame>): void {
    if (frame.type === "event") {
      this.#seen = frame.seq;
      this.events.push(frame);
      for (const look of this.#waiting.splice(0)) look();
      return;
    }
    if (frame.type !== "response") return;
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.ok) pending?.resolve(frame.result);
    else pending?.reject(new WebProblem(frame.problem));
  }

  close(): Promise<void> {
    return this.drop();
  }
}
