// Feishu's open platform on loopback, as far as the channel speaks it: tokens, the long connection with its frames,
// messages with their keys, files, and the ways in which the real one fails.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeFrame, encodeFrame, headerOf } from "../../src/channels/feishu/frame.ts";

type Json = Record<string, unknown>;
type Failure =
  | { code: number; msg: string; status?: number; resetSeconds?: number }
  | "disconnect"
  | "garbage"
  /** It is done, and nobody hears of it. */
  | "lost";

export interface FakeFeishuMessage {
  id: string;
  type: string;
  /** What a person would read. */
  text: string;
  content: Json;
  chatId?: string;
  /** Of the message that it answers to. */
  repliesTo?: string;
  inThread: boolean;
  edits: number;
}

export async function startFakeFeishu(): Promise<FakeFeishu> {
  const fake = new FakeFeishu();
  await fake.listen();
  return fake;
}

export class FakeFeishu implements AsyncDisposable {
  readonly appId = "cli_fake";
  readonly appSecret = "fake-secret";
  readonly openId = "ou_bot";
  readonly messages: FakeFeishuMessage[] = [];
  /** By the id of the message. */
  readonly reactions: Array<{ id: string; emoji: unknown }> = [];
  /** How events were acknowledged, in order. */
  readonly acknowledged: Array<{ id: string; code: number }> = [];
  readonly files = new Map<string, Uint8Array>();
  readonly uploads: string[] = [];
  pings = 0;
  tokens = 0;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new WebSocketServer({ server: this.#server, path: "/ws" });
  readonly #failures = new Map<string, Failure[]>();
  readonly #keys = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  /** By the id of the frame; sent again to the next connection. */
  readonly #unacknowledged = new Map<string, Uint8Array[]>();
  #count = 0;

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.#sockets.on("connection", (socket) => {
      socket.on("message", (data: Uint8Array) => this.#hear(socket, data));
      for (const frame of [...this.#unacknowledged.values()].flat()) socket.send(frame);
      this.#changed();
    });
  }

  /** By Ann, in private, unless the message says otherwise. Gives the message's id. */
  say(text: string, message: Json = {}, sender: Json = {}): string {
    const id = `om_in${++this.#count}`;
    this.push(this.toEvent(text, { message_id: id, ...message }, sender));
    return String(message.message_id ?? id);
  }

  toEvent(text: string, message: Json = {}, sender: Json = {}): Json {
    return {
      schema: "2.0",
      header: { event_id: `e${++this.#count}`, event_type: "im.message.receive_v1" },
      event: {
        sender: { sender_id: { open_id: "ou_ann", union_id: "on_ann" }, sender_type: "user", ...sender },
        message: {
          message_id: `om_in${this.#count}`,
          chat_id: "oc_ann",
          chat_type: "p2p",
          message_type: "text",
          content: JSON.stringify({ text }),
          ...message,
        },
      },
    };
  }

  /** In as many frames as wanted, and the last one first if wanted. */
  push(event: unknown, { pieces = 1, isReversed = false, id = `f${++this.#count}` } = {}): void {
    const bytes = Buffer.from(typeof event === "string" ? event : JSON.stringify(event));
    const size = Math.ceil(bytes.length / pieces);
    const frames = Array.from({ length: pieces }, (_, index) =>
      encodeFrame({
        sequence: 1n,
        logId: 2n ** 63n + 5n,
        service: 7,
        method: 1,
        headers: Object.entries({
          type: "event",
          message_id: id,
          sum: pieces,
          seq: index,
          trace_id: "t",
        }).map(([key, value]) => ({ key, value: String(value) })),
        payload: bytes.subarray(index * size, (index + 1) * size),
        others: [{ field: 6, value: "json" }],
      }),
    );
    if (isReversed) frames.reverse();
    this.#unacknowledged.set(id, frames);
    for (const frame of frames) this.pushBytes(frame);
  }

  pushBytes(bytes: Uint8Array): void {
    for (const socket of this.#sockets.clients) socket.send(bytes);
  }

  get isConnected(): boolean {
    return this.#sockets.clients.size > 0;
  }

  disconnect(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** The next calls whose path ends like this fail, one each. */
  failNext(path: string, ...failures: Failure[]): void {
    this.#failures.set(path, [...(this.#failures.get(path) ?? []), ...failures]);
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
    this.disconnect();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #changed(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #hear(socket: WebSocket, data: Uint8Array): void {
    const frame = decodeFrame(data);
    if (frame.method === 0) {
      this.pings += 1;
      const headers = [{ key: "type", value: "pong" }];
      socket.send(encodeFrame({ ...frame, headers, payload: Buffer.from('{"PingInterval":1}') }));
    } else {
      const { code } = JSON.parse(Buffer.from(frame.payload).toString()) as { code: number };
      const id = headerOf(frame, "message_id");
      this.acknowledged.push({ id, code });
      if (code === 200) this.#unacknowledged.delete(id);
    }
    this.#changed();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const body = await readBody(request);
    const failing = [...this.#failures].find(([path, left]) => left.length > 0 && pathname.endsWith(path));
    const failure = failing?.[1].shift();
    if (failure === "lost") response.end = () => response.destroy() as ServerResponse;
    if (failure !== undefined && failure !== "lost") fail(response, failure);
    else if (pathname.endsWith("/tenant_access_token/internal")) this.#issueToken(body.json, response);
    else if (pathname === "/callback/ws/endpoint") this.#showConnection(body.json, request, response);
    else if (request.headers.authorization !== `Bearer t-${this.tokens}`)
      fail(response, { code: 99991663, msg: "Invalid access token for authorization.", status: 400 });
    else this.#handle(`${request.method} ${pathname}`, { ...body, query: searchParams }, response);
    this.#changed();
  }

  #issueToken({ app_id: id, app_secret: secret }: Json, response: ServerResponse): void {
    if (id !== this.appId || secret !== this.appSecret) {
      fail(response, { code: 10014, msg: `app secret invalid: ${String(secret)}` });
    } else {
      this.tokens += 1;
      answer(response, { tenant_access_token: `t-${this.tokens}`, expire: 7200 });
    }
  }

  /** Another program fetched a token: ours is no longer taken. */
  expireToken(): void {
    this.tokens += 1;
  }

  #showConnection(
    { AppID: id, AppSecret: secret }: Json,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const URL = `ws://${request.headers.host}/ws?device_id=1&service_id=7`;
    const isKnown = id === this.appId && secret === this.appSecret;
    if (isKnown) answer(response, { data: { URL, ClientConfig: { PingInterval: 1 } } });
    else fail(response, { code: 514, msg: "auth failed" });
  }

  #handle(what: string, { json, text, query }: Body & { query: URLSearchParams }, response: ServerResponse) {
    const [, id = "", action = "", key = ""] =
      /\/messages\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?/.exec(what) ?? [];
    if (what.endsWith("/bot/v3/info")) answer(response, { bot: { open_id: this.openId } });
    else if (what.startsWith("PATCH")) this.#edit(id, json, response);
    else if (action === "resources") this.#serveFile(`${key}?${query.get("type")}`, response);
    else if (action === "reactions") {
      this.reactions.push({ id, emoji: (json.reaction_type as Json).emoji_type });
      answer(response, { data: {} });
    } else if (what.endsWith("/images")) answer(response, { data: { image_key: this.#upload(text) } });
    else if (what.endsWith("/files")) answer(response, { data: { file_key: this.#upload(text) } });
    else answer(response, { data: { message_id: this.#keep(json, action === "reply" ? id : undefined) } });
  }

  #serveFile(name: string, response: ServerResponse): void {
    const file = this.files.get(name);
    response.setHeader("content-type", "application/octet-stream");
    if (file === undefined) fail(response, { code: 234003, msg: "File not in msg.", status: 400 });
    else response.end(file);
  }

  #upload(form: string): string {
    this.uploads.push(/filename="([^"]*)"/.exec(form)?.[1] ?? "");
    return `key${this.uploads.length}`;
  }

  /** A second message with the same key is the first one. */
  #keep(json: Json, repliesTo: string | undefined): string {
    const uuid = String(json.uuid);
    const known = this.#keys.get(uuid);
    if (known !== undefined) return known;
    const id = `om_out${this.messages.length + 1}`;
    this.#keys.set(uuid, id);
    const content = JSON.parse(String(json.content)) as Json;
    this.messages.push({
      id,
      type: String(json.msg_type),
      text: toText(content),
      content,
      ...(json.receive_id !== undefined && { chatId: String(json.receive_id) }),
      ...(repliesTo !== undefined && { repliesTo }),
      inThread: json.reply_in_thread === true,
      edits: 0,
    });
    return id;
  }

  #edit(id: string, json: Json, response: ServerResponse): void {
    const message = this.messages.find((each) => each.id === id);
    if (message === undefined) fail(response, { code: 230011, msg: "The message was withdrawn." });
    else if (message.type !== "interactive")
      fail(response, { code: 230001, msg: "This message is NOT a card." });
    else {
      const content = JSON.parse(String(json.content)) as Json;
      Object.assign(message, { content, text: toText(content), edits: message.edits + 1 });
      answer(response, { data: {} });
    }
  }
}

interface Body {
  json: Json;
  text: string;
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const isJson = request.headers["content-type"]?.includes("json") === true;
  return { text, json: isJson ? (JSON.parse(text) as Json) : {} };
}

/** Whatever is shown of a text, a post or a card. */
function toText(content: Json): string {
  const found: string[] = [];
  JSON.stringify(content, (key, value: unknown) => {
    const isShown = key === "text" || key === "content" || key.endsWith("_key");
    if (isShown && typeof value === "string") found.push(value);
    return value;
  });
  return found.join("");
}

function answer(response: ServerResponse, body: Json): void {
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ code: 0, msg: "success", ...body }));
}

function fail(response: ServerResponse, failure: Exclude<Failure, "lost">): void {
  if (failure === "disconnect") response.socket?.destroy();
  else if (failure === "garbage") response.end("<html>Bad Gateway</html>");
  else {
    const { code, msg, status = 200, resetSeconds } = failure;
    response.statusCode = status;
    if (resetSeconds !== undefined) response.setHeader("x-ogw-ratelimit-reset", String(resetSeconds));
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(JSON.stringify({ code, msg }));
  }
}
