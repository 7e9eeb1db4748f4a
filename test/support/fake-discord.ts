// Discord on loopback, as far as the channel speaks it: the gateway with sessions that can be resumed, messages with
// nonces, reactions, commands and buttons. Written after docs.discord.com: Gateway, Opcodes, Message, Interactions.
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export interface FakeDiscordMessage {
  id: string;
  channelId: string;
  text: string;
  body: Json;
  edits: number;
}

export async function startFakeDiscord(): Promise<FakeDiscord> {
  return new FakeDiscord().listen();
}

const dispatch = 0;

export class FakeDiscord extends FakePlatform {
  readonly token = "MTIz.fake.token";
  readonly botId = "900000000000000001";
  readonly messages: FakeDiscordMessage[] = [];
  commands: Json[] = [];
  /** How sessions began: `identify`, or `resume:<sequence>`. */
  readonly beginnings: string[] = [];
  heartbeats = 0;
  mayResume = true;
  isIntentMissing = false;
  /** What people said, for those who ask later. */
  readonly #said: Json[] = [];
  readonly #events: Json[] = [];
  readonly #nonces = new Map<string, Json>();
  #count = 0;
  /** As the client reaches it. */
  #host = "";

  /** By Ann, in private, unless the message says otherwise. Gives the message's id. */
  say(text: string, message: Json = {}): string {
    const id = String(message.id ?? 1_000_000_000_000_000_000n + BigInt(++this.#count));
    const author = { id: "42", username: "ann", global_name: "Ann" };
    const said = { channel_id: "7001", author, content: text, type: 0, ...message, id };
    this.#said.push(said);
    this.push("MESSAGE_CREATE", said);
    return id;
  }

  push(name: string, data: Json): void {
    const event = { op: dispatch, t: name, s: this.#events.length + 2, d: data };
    this.#events.push(event);
    for (const socket of this.sockets) this.send(socket, event);
  }

  /** Events that nobody hears of. */
  sayUnheard(text: string, message: Json = {}): string {
    const sockets = [...this.sockets];
    this.sockets.clear();
    const id = this.say(text, message);
    this.#events.pop();
    for (const socket of sockets) this.sockets.add(socket);
    return id;
  }

  drop(code = 4000): void {
    for (const socket of this.sockets) socket.close(code);
  }

  protected greet(socket: WebSocket, { headers }: IncomingMessage): void {
    this.#host = String(headers.host);
    this.send(socket, { op: 10, d: { heartbeat_interval: 40_000 } });
  }

  protected hear(socket: WebSocket, { op, d }: Json): void {
    const data = (d ?? {}) as Json;
    if (op === 1) {
      this.heartbeats += 1;
      this.send(socket, { op: 11 });
    } else if (op === 2 && data.token !== this.token) socket.close(4004);
    else if (op === 2 && this.isIntentMissing) socket.close(4014);
    else if (op === 2) this.#begin(socket);
    else if (op === 6 && !this.mayResume) this.send(socket, { op: 9, d: false });
    else if (op === 6) this.#resume(socket, Number(data.seq));
  }

  protected answer(request: PlatformRequest): { status?: number; body: unknown } | undefined {
    const { method, path, headers, body } = request;
    if (/^\/interactions\//.test(path)) return { status: 204, body: {} };
    if (headers.authorization !== `Bot ${this.token}`)
      return { status: 401, body: { message: "401: Unauthorized", code: 0 } };
    if (path === "/users/@me") return { body: { id: this.botId, username: "nano" } };
    if (path === "/gateway/bot") return { body: { url: `ws://${headers.host}/` } };
    if (path.endsWith("/commands")) {
      this.commands = body as unknown as Json[];
      return { body: [] };
    }
    const [, channelId = "", messageId] = /^\/channels\/(\w+)\/messages(?:\/(\w+))?$/.exec(path) ?? [];
    if (method === "GET" && channelId !== "")
      return { body: this.#since(channelId, request.query.get("after")) };
    if (method === "PATCH") return this.#edit(messageId, body);
    return method === "POST" && channelId !== "" ? { body: this.#keep(channelId, request) } : { body: {} };
  }

  #begin(socket: WebSocket): void {
    this.beginnings.push("identify");
    const ready = {
      session_id: "s1",
      resume_gateway_url: `ws://${this.#host}/`,
      user: { id: this.botId },
      application: { id: "800" },
    };
    this.send(socket, { op: dispatch, t: "READY", s: 1, d: ready });
  }

  #resume(socket: WebSocket, sequence: number): void {
    this.beginnings.push(`resume:${sequence}`);
    for (const event of this.#events) if (Number(event.s) > sequence) this.send(socket, event);
    this.send(socket, { op: dispatch, t: "RESUMED", s: this.#events.length + 2, d: {} });
  }

  /** The newest first. */
  #since(channelId: string, after: string | null): Json[] {
    const isLater = (id: unknown) => BigInt(String(id)) > BigInt(after ?? 0);
    return this.#said.filter(({ id, channel_id: chat }) => chat === channelId && isLater(id)).toReversed();
  }

  #keep(channelId: string, { body, text }: PlatformRequest): Json {
    const known = this.#nonces.get(String(body.nonce));
    if (known !== undefined) return known;
    const file = /filename="([^"]*)"/.exec(text)?.[1];
    const id = String(this.messages.length + 1);
    const shown = file === undefined ? String(body.content ?? "") : `[file ${file}]`;
    this.messages.push({ id, channelId, text: shown, body, edits: 0 });
    if (body.nonce !== undefined && body.enforce_nonce === true) this.#nonces.set(String(body.nonce), { id });
    return { id };
  }

  #edit(id: string | undefined, body: Json): { status?: number; body: unknown } {
    const message = this.messages.find((each) => each.id === id);
    if (message === undefined) return { status: 404, body: { message: "Unknown Message", code: 10008 } };
    Object.assign(message, { text: String(body.content), body, edits: message.edits + 1 });
    return { body: { id } };
  }
}
